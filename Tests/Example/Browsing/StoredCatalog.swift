import ExampleInterfaces

struct StoredCatalog: Catalog {
  let database: Database

  func book(_ id: Int) -> Book? {
    database.title(of: id).map { Book(id: id, title: $0) }
  }
}
