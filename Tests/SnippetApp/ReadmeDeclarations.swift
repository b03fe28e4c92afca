// What stands between the markers stands in README.md, word for word; the articles use the same names with other values.

import DependencyInjection

protocol Search {}

struct SearchImpl: Search {}

// snippet: readme-declarations
extension Scope { static let session = Scope("session") }
extension DependencyName { static let offline: Self = "offline" }
extension Module { static let search = Module { Shared(SearchImpl() as Search) } }
// end
