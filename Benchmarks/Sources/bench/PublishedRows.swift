import Glibc

extension Row {
  /// The workload of redb's published benchmark: random keys of 24 bytes, random values of 150.
  ///
  /// Its order is kept: what is removed is what was loaded first, and reads ask in random order.
  static let published: [Row] =
    [bulkLoad, individualWrites, batchWrites, length]
    + [1, 2, 4, 8].map { reads(threads: $0) } + [1, 2, 4, 8].map { ranges(threads: $0) }
    + [removals] + sizes

  private static let bulkLoad = Row(
    "redb-bulk-load", "rows/s", .few, "random keys of 24 bytes, values of 150, durable at the end"
  ) { (stage, kind, _) in
    let rows = stage.workload.published
    sync()
    return try stage.withNewDatabase(kind) { (database, _) in
      let sample = try Sample.rate(of: rows.count) {
        try database.load(rows, ascending: false)
      } check: {
        try database.scan(.everyByte)
      }
      try database.close()
      return sample
    }
  }

  private static let individualWrites = Row(
    "redb-individual-writes", "commits/s", .few, "new rows, one in each durable commit"
  ) { (stage, kind, round) in
    let rows = stage.workload.publishedSingles(round: round)
    let database = try stage.database(kind, .publishedWrites)
    sync()
    return try .rate(of: rows.count) {
      try database.commits(rows)
    } check: {
      try database.scan(.everyByte)
    }
  }

  private static let batchWrites = Row(
    "redb-batch-writes", "rows/s", .few, "new rows, 1000 in each durable commit"
  ) { (stage, kind, round) in
    let rows = stage.workload.publishedBatches(round: round)
    let database = try stage.database(kind, .publishedWrites)
    let batchSize = Workload.batchSize
    sync()
    return try .rate(of: rows.count) {
      for start in stride(from: 0, to: rows.count, by: batchSize) {
        try database.load(rows[start..<start + batchSize], ascending: false)
      }
    } check: {
      try database.scan(.everyByte)
    }
  }

  private static let length = Row(
    "redb-length", "µs", better: .lower, .reads,
    "how many rows there are; LevelDB and RocksDB count them by an iterator, SQLite by count(*)"
  ) { (stage, kind, _) in
    let database = try stage.database(kind, .published)
    var digest = Digest()
    let time = try timed { digest.fold(numbers: [UInt32(try database.rowCount())]) }
    return Sample(figure: time * 1e6, digest: digest)
  }

  private static func reads(threads: Int) -> Row {
    Row("redb-reads-\(threads)", "gets/s", .few, "random keys, threads: \(threads)") {
      (stage, kind, _) in
      let keys = stage.workload.publishedKeys
      let database = try stage.database(kind, .published)
      let folding = stage.folding
      return try .rate(of: keys.count) {
        try onThreads(threads) { try database.gets(keys.share(of: $0, in: threads), folding) }
      }
    }
  }

  private static func ranges(threads: Int) -> Row {
    Row("redb-ranges-\(threads)", "ranges/s", .few, "10 rows from a key on, threads: \(threads)") {
      (stage, kind, _) in
      let keys = stage.workload.publishedRangeKeys
      let database = try stage.database(kind, .published)
      let folding = stage.folding
      return try .rate(of: keys.count) {
        try onThreads(threads) {
          let share = keys.share(of: $0, in: threads)
          return try database.ranges(from: share, rowCount: Workload.rangeLength, folding)
        }
      }
    }
  }

  private static let removals = Row(
    "redb-removals", "rows/s", .few, "half of the rows in one durable transaction"
  ) { (stage, kind, _) in
    let rows = stage.workload.published
    return try stage.deleting(rows.keys[0..<rows.count / 2], of: rows, ascending: false, kind)
  }

  private static let sizes: [Row] = [
    afterRemovals("redb-size", "MB", "all files after the removals, closed") {
      (_, place, _) in Double(try place.byteCount()) / 1e6
    },
    afterRemovals(
      "redb-compaction", "ms",
      "compaction of the closed database after the removals; LMDB copies, SQLite does VACUUM"
    ) { (_, _, compaction) in compaction * 1e3 },
    afterRemovals("redb-size-compacted", "MB", "all files after that compaction") {
      (kind, place, _) in Double(try place.byteCount()) / 1e6
    },
  ]

  private static func afterRemovals(
    _ name: String, _ unit: String, _ note: String,
    figure: @escaping @Sendable (any Engine.Type, Folder, Double) throws -> Double
  ) -> Row {
    let isCompacted = name != "redb-size"
    return Row(name, unit, better: .lower, .once, note) { (stage, kind, _) in
      let rows = stage.workload.published
      return try stage.withNewDatabase(kind) { (database, place) in
        try database.load(rows, ascending: false)
        try database.deletes(rows.keys[0..<rows.count / 2])
        try database.close()
        sync()
        let time = isCompacted ? try timed { try kind.compact(path: place.path) } : 0
        let figure = try figure(kind, place, time)
        let opened = try kind.init(path: place.path, durability: .immediate)
        let digest = try opened.scan(.everyByte)
        try opened.close()
        return Sample(figure: figure, digest: digest)
      }
    }
  }
}
