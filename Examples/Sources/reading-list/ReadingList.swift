import Entities

/// The books in one file, and what can be done with them.
struct ReadingList {
  private let database: Database

  init(path: String) throws {
    database = try Database(path: path, entities: [Book.self])
  }

  func add(_ book: Book) throws -> EntityID {
    try database.write { transaction in try transaction.insert(book) }
  }

  func markAsRead(_ id: EntityID) throws {
    try database.write { transaction in
      try transaction.update(Book.self, id) { book in book.isRead = true }
    }
  }

  /// The books of all of `kinds` with a word that begins as `prefix` does, the shortest first.
  func find(_ prefix: String, kinds: [String]) throws -> [Identified<Book>] {
    try database.snapshot().find(
      Book.self, where: .all([.search("title", prefix), .has("kinds", kinds)]),
      order: [SortKey(["pages"])])
  }

  /// How many books of each kind there are, and how long they are on average.
  func statistics() throws -> QueryResult {
    var query = Query(entity: "books")
    query.groups = ["kinds"]
    query.columns = [.count, .aggregate(.average, "pages")]
    return try database.snapshot().find(query)
  }

  /// How many books are read, and how many there are.
  func progress() throws -> (read: Int, all: Int) {
    let snapshot = try database.snapshot()
    return (try snapshot.count(Book.self, where: .flag("read")), try snapshot.count(Book.self))
  }

  func close() throws { try database.close() }
}
