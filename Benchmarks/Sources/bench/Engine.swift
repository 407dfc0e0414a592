/// When a commit must have reached the disk.
enum Durability: Sendable {
  /// Before it is acknowledged.
  case immediate
  /// Some time later; the database stays consistent.
  case eventual
}

/// Something under measurement: a store, or what answers searches.
protocol Contestant: AnyObject {
  /// The name in rows, options and folders.
  static var name: String { get }

  /// Which damage its reads would notice.
  static var checks: String { get }
}

/// A store under measurement.
///
/// The workload says which rows, in which order; each engine does it in the way that suits it best.
/// Reading calls fold every key and value that they read, so no engine can skip the reading. A
/// missing row is an error. All calls but `close` may come from several threads at once.
protocol Engine: Contestant, Sendable {
  /// Opens the database in the folder at `path`, which exists, or creates it there.
  init(path: String, durability: Durability) throws

  /// Closes the database; nothing may be called afterwards.
  func close() throws

  /// Adds `rows` to an empty database, and returns when they are durable; `ascending` says that
  /// they come in the order of their keys.
  func load(_ rows: Rows, ascending: Bool) throws

  /// Brings a loaded database into the form that reads best; not measured.
  func settle() throws

  /// Reads the value of each key, all within one snapshot.
  func gets(_ keys: Keys) throws -> Digest

  /// As `gets`, with leave to look up groups of `groupSize` keys at once.
  func multiGets(_ keys: Keys, groupSize: Int) throws -> Digest

  /// Reads all rows in the order of their keys.
  func scan() throws -> Digest

  /// For each key, seeks it and reads `rowCount` rows from there on.
  func ranges(from keys: Keys, rowCount: Int) throws -> Digest

  /// Puts each row in a commit of its own.
  func commits(_ rows: Rows) throws

  /// Deletes all `keys` in one durable transaction.
  func deletes(_ keys: Keys) throws
}

extension Engine {
  func settle() throws {}

  func multiGets(_ keys: Keys, groupSize: Int) throws -> Digest { try gets(keys) }
}

/// Why a row could not be measured.
struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// A key that should be there and was not found.
  static func missingRow(_ engine: String) -> BenchError {
    BenchError("\(engine) has no row for a key that was loaded")
  }
}
