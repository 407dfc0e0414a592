import Glibc

extension Row {
  /// The rows of which is shown how they grow with the number of rows: those below, and some of all.
  static let growth: [Row] = {
    let names = [
      "get", "get-2-threads", "multi-get-16", "scan-random", "range-10", "load-sorted",
      "load-random", "commit-durable", "commit-eventual", "delete-half", "open", "size-random",
      "filter-two-types", "prefix-2", "record-get",
    ]
    return names.compactMap { name in all.first { $0.name == name } }
      + [checkpoint, space(isPinned: false), space(isPinned: true)] + memory
  }()

  /// Those that are measured for their growth alone.
  static let growthOnly =
    [checkpoint, space(isPinned: false), space(isPinned: true)] + memory + limited

  private static let updateCount = 10_000

  private static let checkpoint = Row(
    "checkpoint", .checkpoints, "ms", better: .lower, .few,
    "after 10,000 updates of one row each that were not synced; LMDB syncs its file, RocksDB flushes "
      + "its memory table, and LevelDB has no call for it"
  ) { (stage, contestant, round) in
    guard let kind = contestant as? any Engine.Type else { throw BenchError("no store") }
    let database = try stage.database(kind, .eventual)
    try database.commits(stage.workload.randomUpdates(updateCount, seed: UInt64(100 + round)))
    let time = try timed { try database.checkpoint() }
    return Sample(figure: time * 1e3, digest: try database.scan(.everyByte))
  }

  /// Space under uniform random updates: as many as there are rows, a million at most.
  private static func space(isPinned: Bool) -> Row {
    let name = isPinned ? "space-after-updates-pinned" : "space-after-updates"
    return Row(
      name, "× data", better: .lower, .once,
      "all files, open, in bytes of keys and values, after as many random updates as there are rows "
        + "in durable commits of 1000\(isPinned ? ", while a reader holds on to the beginning" : "")"
    ) { (stage, kind, _) in
      let workload = stage.workload
      let updates = workload.randomUpdates(min(workload.scale.rowCount, 1_000_000), seed: 99)
      return try stage.withNewDatabase(kind) { (database, place) in
        try database.load(workload.shuffled, ascending: false)
        try database.settle()
        var byteCount = 0
        let update = {
          for start in stride(from: 0, to: updates.count, by: Workload.batchSize) {
            let end = min(start + Workload.batchSize, updates.count)
            try database.load(updates[start..<end], ascending: false)
          }
          byteCount = try place.byteCount()
        }
        if isPinned { try database.whilePinned(update) } else { try update() }
        let digest = try database.scan(.everyByte)
        try database.close()
        let dataByteCount = workload.scale.rowCount * (16 + Workload.valueByteCount)
        return Sample(figure: Double(byteCount) / Double(dataByteCount), digest: digest)
      }
    }
  }

  private static let memory: [Row] = [
    ownProcess("memory-peak", "MB", better: .lower, "resident at most, with mapped files") {
      $0.peakMegabytes
    },
    ownProcess("memory-private", "MB", better: .lower, "resident and its own, at the end") {
      $0.privateMegabytes
    },
    ownProcess("memory-mapped", "MB", better: .lower, "resident pages of files, at the end") {
      $0.mappedMegabytes
    },
  ]

  private static func ownProcess(
    _ name: String, _ unit: String, better: Better, _ note: String,
    figure: @escaping @Sendable (ProcessReport) -> Double
  ) -> Row {
    Row(
      name, .processes, unit, better: better, .once,
      "\(note), of a process that gets random rows, scans all and commits 1000 updates"
    ) { (stage, contestant, _) in
      guard let kind = contestant as? any Engine.Type else { throw BenchError("no store") }
      let report = try stage.report(kind, .random, round: 0, limit: nil)
      return Sample(figure: figure(report), digest: report.digest)
    }
  }

  /// What a database gives that is larger than the memory of its process, page cache included.
  static let limited: [Row] = [
    limited("limited-get", "gets/s", "random keys") { $0.getRate },
    limited("limited-scan", "rows/s", "all rows") { $0.scanRate },
    limited("limited-commit", "commits/s", "durable random updates, one each") { $0.commitRate },
  ]

  private static func limited(
    _ name: String, _ unit: String, _ note: String,
    figure: @escaping @Sendable (ProcessReport) -> Double
  ) -> Row {
    Row(
      name, .processes, unit, better: .higher, .few,
      "\(note), values of 1 KiB; the process and its page cache have "
        + "\(MemoryGroup.limit >> 20) MiB together, caches of engines a quarter of that"
    ) { (stage, contestant, round) in
      guard let kind = contestant as? any Engine.Type else { throw BenchError("no store") }
      let report = try stage.report(kind, .wide, round: round, limit: MemoryGroup.limit)
      return Sample(figure: figure(report), digest: report.digest)
    }
  }
}
