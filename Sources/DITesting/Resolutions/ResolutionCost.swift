public import DependencyInjection

#if canImport(Testing)
  public import Testing
#endif

/// The number of resolutions and creations in a part of a program.
///
/// The numbers are exact and the same on every machine, so a test can set limits for them:
///
/// ```swift
/// let cost = DIContainer.cost { Launch.start() }
/// #expect(cost.isWithin(creations: 24, depth: 7))
/// ```
///
/// The failure lists the types. In XCTest, pass the cost as the message: `XCTAssert(cost.isWithin(depth: 7), "\(cost)")`.
public struct ResolutionCost: Sendable, Equatable {
  /// The number of instances that were created.
  public let creations: Int

  /// The number of resolutions, including those of factories and injected properties.
  public let resolutions: Int

  /// The length of the longest path: 1 if no factory resolves anything, 0 if there were no resolutions.
  public let depth: Int

  private let types: [ObjectIdentifier: Part]

  private struct Part: Equatable {
    let name: String
    let cost: ResolutionCost
  }

  init(of resolutions: [ResolutionEvent]) {
    let parts = Dictionary(grouping: resolutions) { ObjectIdentifier($0.type) }
    self.init(resolutions, parts.mapValues { Part(name: sourceName($0[0].type), cost: Self($0, [:])) })
  }

  private init(_ resolutions: [ResolutionEvent], _ types: [ObjectIdentifier: Part]) {
    creations = resolutions.count(where: \.isCreated)
    self.resolutions = resolutions.count
    depth = resolutions.map { $0.depth + 1 }.max() ?? 0
    self.types = types
  }

  /// Returns a Boolean value that indicates whether the numbers are within limits.
  ///
  /// - Parameters:
  ///   - creations: The largest number of creations.
  ///   - resolutions: The largest number of resolutions.
  ///   - depth: The maximum length of a path.
  /// - Returns: False if a number exceeds its limit.
  public func isWithin(creations: Int = .max, resolutions: Int = .max, depth: Int = .max) -> Bool {
    self.creations <= creations && self.resolutions <= resolutions && self.depth <= depth
  }

  /// The cost of one type: its resolutions, the instances created for them, and the length of the longest path to it.
  ///
  /// An optional stands for what it wraps, too, because that is what a request for it looks for.
  public subscript<Value>(type: Value.Type) -> ResolutionCost {
    // Only a declared dependency may have an optional type.
    let identities: Set = [ObjectIdentifier(type), ObjectIdentifier(wrappedType(of: type))]
    let parts = identities.compactMap { types[$0]?.cost }
    return Self(
      creations: parts.reduce(0) { $0 + $1.creations }, resolutions: parts.reduce(0) { $0 + $1.resolutions },
      depth: parts.map(\.depth).max() ?? 0)
  }

  private init(creations: Int, resolutions: Int, depth: Int) {
    (self.creations, self.resolutions, self.depth, types) = (creations, resolutions, depth, [:])
  }
}

extension ResolutionCost: CustomStringConvertible {
  /// The totals, and a line for each type, most creations first.
  public var description: String {
    let total = "\(creations.counted("creation")), \(resolutions.counted("resolution")), depth \(depth)"
    let parts = types.values.sorted {
      ($1.cost.creations, $1.cost.resolutions, $0.name) < ($0.cost.creations, $0.cost.resolutions, $1.name)
    }
    // A part has no parts.
    return ([total] + parts.map { "  \($0.name): \($0.cost)" }).joined(separator: "\n")
  }
}

extension DIContainer {
  /// Counts the resolutions and creations of a closure and the tasks that it starts.
  ///
  /// - Parameters:
  ///   - fileID: The caller's file.
  ///   - filePath: The caller's file.
  ///   - line: The caller's line.
  ///   - column: The caller's column.
  ///   - sourceLocation: The location to report instead, which a helper passes on.
  ///   - body: The closure.
  /// - Returns: The cost. Outside of an isolated test, the test fails, and the cost is zero.
  /// - Throws: The error that the closure throws.
  public static func cost(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    sourceLocation: TestLocation? = nil,
    of body: () throws -> Void
  ) rethrows -> ResolutionCost {
    let location = FailureLocation(fileID, filePath, line, column, sourceLocation)
    let closure = ObservedClosure(DITesting.recorder(in: nil, "measure the cost", location))
    try DIContainer.observing(by: closure, body)
    return ResolutionCost(of: closure.resolutions)
  }

  /// Counts the resolutions and creations of an asynchronous closure and the tasks that it starts.
  ///
  /// - Parameters:
  ///   - isolation: The actor to run on: the caller's.
  ///   - fileID: The caller's file.
  ///   - filePath: The caller's file.
  ///   - line: The caller's line.
  ///   - column: The caller's column.
  ///   - sourceLocation: The location to report instead, which a helper passes on.
  ///   - body: The closure.
  /// - Returns: The cost. Outside of an isolated test, the test fails, and the cost is zero.
  /// - Throws: The error that the closure throws.
  public static func cost(
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, sourceLocation: TestLocation? = nil,
    of body: () async throws -> Void
  ) async rethrows -> ResolutionCost {
    let location = FailureLocation(fileID, filePath, line, column, sourceLocation)
    let closure = ObservedClosure(DITesting.recorder(in: nil, "measure the cost", location))
    try await DIContainer.observing(by: closure, isolation: isolation, body)
    return ResolutionCost(of: closure.resolutions)
  }
}
