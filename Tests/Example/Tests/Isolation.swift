import DITesting
import Testing

// snippet: testing-requires
@Suite(.requiresIsolation()) enum Isolation {}
// end
