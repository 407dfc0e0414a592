import Glibc

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

  /// What has happened when a commit returns; empty where nothing is committed.
  static var durability: String { get }
}

extension Contestant {
  static var durability: String { "" }
}

/// The bytes that a store with a cache of its own may keep in it: enough for all rows, unless the
/// environment says otherwise, as runs under a limit of memory do.
let cacheByteCount = limitedCacheByteCount ?? 2 << 30

/// Whether the process has less memory than its database needs.
let isMemoryLimited = limitedCacheByteCount != nil

private let limitedCacheByteCount = getenv("BENCH_CACHE_MB")
  .flatMap { Int(String(cString: $0)) }.map { $0 << 20 }

/// A store under measurement.
///
/// The workload says which rows, in which order; each engine does it in the way that suits it best.
/// Reading calls fold every row that they read as they are told, so no engine can skip the reading.
/// A missing row is an error. All calls but `close` may come from several threads at once.
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

  /// Makes the files of the closed database in the folder at `path` as small as they can be.
  static func compact(path: String) throws

  /// The number of rows.
  func rowCount() throws -> Int

  /// Reads the value of each key, all within one snapshot.
  func gets(_ keys: Keys, _ folding: Folding) throws -> Digest

  /// As `gets`, with leave to look up groups of `groupSize` keys at once.
  func multiGets(_ keys: Keys, groupSize: Int, _ folding: Folding) throws -> Digest

  /// Reads all rows in the order of their keys.
  func scan(_ folding: Folding) throws -> Digest

  /// For each key, seeks it and reads `rowCount` rows from there on.
  func ranges(from keys: Keys, rowCount: Int, _ folding: Folding) throws -> Digest

  /// Puts each row in a commit of its own.
  func commits(_ rows: Rows) throws

  /// Deletes all `keys` in one durable transaction.
  func deletes(_ keys: Keys) throws

  /// Brings what was committed from the log into the main files.
  func checkpoint() throws

  /// Runs `body` while a reader holds on to the state of now.
  func whilePinned(_ body: () throws -> Void) throws
}

extension Engine {
  func settle() throws {}

  func checkpoint() throws { throw BenchError("\(Self.name) has no checkpoints of its own") }

  static func compact(path: String) throws {
    let database = try Self(path: path, durability: .immediate)
    try database.settle()
    try database.close()
  }

  func multiGets(_ keys: Keys, groupSize: Int, _ folding: Folding) throws -> Digest {
    try gets(keys, folding)
  }
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
