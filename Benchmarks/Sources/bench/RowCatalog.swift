import Glibc

extension Row {
  /// All rows, in the order in which they run.
  static let all =
    reads + wideReads + loads + changes + files + published + searches + portraits + records
    + quests + programs

  private static let reads: [Row] = [
    gets("get", threads: 1, "random keys, warm") { $0.randomKeys },
    gets("get-2-threads", threads: 2, "random keys, warm, each thread half of them") {
      $0.randomKeys
    },
    gets("get-hot", threads: 1, "1000 of the keys, warm") { $0.hotKeys },
    Row(
      "multi-get-16", "gets/s", .reads,
      "groups of 16 random keys; RocksDB has a call for it, the others do plain gets; warm"
    ) {
      (stage, kind, _) in
      let keys = stage.workload.randomKeys
      let database = try stage.database(kind, .random)
      return try .rate(of: keys.count) {
        try database.multiGets(keys, groupSize: Workload.groupSize, stage.folding)
      }
    },
    Row("get-just-opened", "gets/s", .reads, "random keys, opened anew, file in the page cache") {
      (stage, kind, _) in
      let keys = stage.workload.randomKeys
      _ = try stage.closedDatabase(kind, .random)
      let database = try stage.database(kind, .random)
      return try .rate(of: keys.count) { try database.gets(keys, stage.folding) }
    },
    scan("scan-sorted", .sorted, "all rows, loaded in order, warm"),
    scan(
      "scan-sorted-every-byte", .sorted, "as scan-sorted, with every byte folded while time runs",
      folding: .everyByte),
    scan("scan-random", .random, "all rows, loaded in random order, warm"),
    Row("scan-just-opened", "rows/s", .reads, "all rows, opened anew, file in the page cache") {
      (stage, kind, _) in
      _ = try stage.closedDatabase(kind, .random)
      let database = try stage.database(kind, .random)
      return try .rate(of: stage.workload.scale.rowCount) { try database.scan(stage.folding) }
    },
    Row("range-10", "ranges/s", .reads, "seek a random key and read 10 rows, warm") {
      (stage, kind, _) in
      let keys = stage.workload.rangeKeys
      let database = try stage.database(kind, .random)
      return try .rate(of: keys.count) {
        try database.ranges(from: keys, rowCount: Workload.rangeLength, stage.folding)
      }
    },
  ]

  private static let wideReads: [Row] = [
    Row("wide-get", "gets/s", .reads, "values of 1 KiB, random keys, warm") { (stage, kind, _) in
      let keys = stage.workload.wideKeys
      let database = try stage.database(kind, .wide)
      return try .rate(of: keys.count) { try database.gets(keys, stage.folding) }
    },
    Row("wide-scan", "rows/s", .reads, "values of 1 KiB, loaded in order, warm") {
      (stage, kind, _) in
      let database = try stage.database(kind, .wide)
      return try .rate(of: stage.workload.scale.wideRowCount) { try database.scan(stage.folding) }
    },
  ]

  private static let loads: [Row] = [
    load("load-sorted", ascending: true, "in order") { $0.ascending },
    load("load-random", ascending: false, "in random order") { $0.shuffled },
    load("wide-load-sorted", ascending: true, "values of 1 KiB, in order") { $0.wideAscending },
    load("wide-load-random", ascending: false, "values of 1 KiB, in random order") {
      $0.wideShuffled
    },
  ]

  private static let changes: [Row] = [
    commits("commit-durable", .durable, threads: 1, "each synced before it returns") {
      $0.durableCommitCount
    },
    commits("commit-durable-8-threads", .durable, threads: 8, "each synced before it returns") {
      $0.sharedCommitCount
    },
    commits("commit-eventual", .eventual, threads: 1, "consistent but not synced") {
      $0.eventualCommitCount
    },
    Row("delete-half", "rows/s", .writes, "one transaction, durable; the rest scanned afterwards") {
      (stage, kind, _) in
      try stage.deleting(
        stage.workload.halfOfKeys, of: stage.workload.ascending, ascending: true, kind)
    },
  ]

  private static let files: [Row] = [
    Row("open", "µs", better: .lower, .reads, "open a closed database and get one row; median of 5")
    {
      (stage, kind, _) in
      let place = try stage.closedDatabase(kind, .random)
      var digest = Digest()
      var times: [Double] = []
      for attempt in 0..<5 {
        let key = stage.workload.randomKeys[attempt..<attempt + 1]
        let start = ContinuousClock.now
        let database = try kind.init(path: place.path, durability: .immediate)
        let seen = try database.gets(key, stage.folding)
        let elapsed = start.duration(to: .now)
        try database.close()
        digest = digest + seen
        times.append(seconds(elapsed) * 1e6)
      }
      return Sample(figure: median(times), digest: digest)
    },
    size("size-sorted", ascending: true) { $0.ascending },
    size("size-random", ascending: false) { $0.shuffled },
    size("wide-size-random", ascending: false) { $0.wideShuffled },
  ]

  private static func gets(
    _ name: String, threads: Int, _ note: String, _ keys: @escaping @Sendable (Workload) -> Keys
  ) -> Row {
    Row(name, "gets/s", .reads, note) { (stage, kind, _) in
      let keys = keys(stage.workload)
      let database = try stage.database(kind, .random)
      let folding = stage.folding
      return try .rate(of: keys.count) {
        try onThreads(threads) { try database.gets(keys.share(of: $0, in: threads), folding) }
      }
    }
  }

  private static func scan(
    _ name: String, _ fixture: Fixture, _ note: String, folding: Folding? = nil
  ) -> Row {
    Row(name, "rows/s", .reads, note) { (stage, kind, _) in
      let database = try stage.database(kind, fixture)
      return try .rate(of: stage.workload.scale.rowCount) {
        try database.scan(folding ?? stage.folding)
      }
    }
  }

  private static func load(
    _ name: String, ascending: Bool, _ note: String, _ rows: @escaping @Sendable (Workload) -> Rows
  ) -> Row {
    Row(
      name, "rows/s", .writes,
      "\(note); ends durable; then, untimed, the others compact or checkpoint and all is scanned"
    ) {
      (stage, kind, _) in
      let rows = rows(stage.workload)
      sync()
      return try stage.withNewDatabase(kind) { (database, _) in
        let sample = try Sample.rate(of: rows.count) {
          try database.load(rows, ascending: ascending)
        } check: {
          try database.settle()
          return try database.scan(.everyByte)
        }
        try database.close()
        return sample
      }
    }
  }

  private static func commits(
    _ name: String, _ fixture: Fixture, threads: Int, _ note: String,
    _ count: @escaping @Sendable (Scale) -> Int
  ) -> Row {
    Row(name, "commits/s", .writes, "one put each, \(note); all rows scanned afterwards") {
      (stage, kind, round) in
      let rows = stage.workload.updates(count(stage.workload.scale), round: round)
      let database = try stage.database(kind, fixture)
      sync()
      return try .rate(of: rows.count) {
        _ = try onThreads(threads) {
          try database.commits(rows.share(of: $0, in: threads))
          return Digest()
        }
      } check: {
        try database.scan(.everyByte)
      }
    }
  }

  private static func size(
    _ name: String, ascending: Bool, _ rows: @escaping @Sendable (Workload) -> Rows
  ) -> Row {
    Row(name, "MB", better: .lower, .once, "all files of the closed database, allocated blocks") {
      (stage, kind, _) in
      let rows = rows(stage.workload)
      return try stage.withNewDatabase(kind) { (database, place) in
        try database.load(rows, ascending: ascending)
        try database.settle()
        let digest = try database.scan(.everyByte)
        try database.close()
        sync()
        return Sample(figure: Double(try place.byteCount()) / 1e6, digest: digest)
      }
    }
  }
}
