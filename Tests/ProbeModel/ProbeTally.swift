import PageStore

/// Numbers that processes count up by reading and writing: one of each process, and their sum.
public enum ProbeTally {
  static let table = "tally"
  static let total = "total"

  /// Counts up the number of `process` and the sum.
  ///
  /// - Returns: Both, as they are now.
  public static func increment(
    _ transaction: inout WriteTransaction, of process: Int
  ) throws(StoreError) -> (own: Int, total: Int) {
    let tally = try transaction.createTableIfNeeded(table)
    let own = try count(in: transaction, "process \(process)", tally) + 1
    let total = try count(in: transaction, total, tally) + 1
    try transaction.put(
      Array("process \(process)".utf8), ProbeHistory.bytes(of: own), in: tally)
    try transaction.put(Array(Self.total.utf8), ProbeHistory.bytes(of: total), in: tally)
    return (own, total)
  }

  private static func count(
    in transaction: borrowing WriteTransaction, _ name: String, _ tally: TableHandle
  ) throws(StoreError) -> Int {
    let key = Array(name.utf8)
    guard let value = try transaction.get(key.span.bytes, in: tally) else { return 0 }
    return ProbeHistory.number(of: value)
  }

  /// The sum that `snapshot` has, and the sum of its parts.
  public static func sums(
    in snapshot: borrowing Snapshot
  ) throws(StoreError) -> (total: Int, parts: Int) {
    guard try snapshot.hasTable(table) else { return (0, 0) }
    let tally = try snapshot.table(table)
    var parts = 0
    var cursor = tally.cursor(prefix: Array("process ".utf8))
    while try cursor.next() { parts += ProbeHistory.number(of: try cursor.value) }
    return (try number(in: tally, total), parts)
  }

  /// The number that `process` has in `snapshot`.
  public static func count(
    in snapshot: borrowing Snapshot, of process: Int
  ) throws(StoreError) -> Int {
    guard try snapshot.hasTable(table) else { return 0 }
    let tally = try snapshot.table(table)
    return try number(in: tally, "process \(process)")
  }

  private static func number(in tally: Table, _ key: String) throws(StoreError) -> Int {
    guard let value = try tally.get(key) else { return 0 }
    return ProbeHistory.number(of: value)
  }
}
