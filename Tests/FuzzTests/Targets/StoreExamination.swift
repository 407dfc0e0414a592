import PageStore

/// Checks, reads, saves and changes the database of some files, and compares what each says.
struct StoreExamination {
  private let files: FuzzFiles
  private let path = FuzzedPages.path
  private var isClean = false

  init(_ files: FuzzFiles) { self.files = files }

  mutating func run() throws(FuzzFinding) {
    let before = bytes()
    if let report = answer({ () throws(StoreError) in
      try Store.check(path: path, fileSystem: files)
    }) {
      isClean = report.isClean
    }
    try read()
    try FuzzFinding.unless(bytes() == before, "looking at the file has changed it")
    try save()
    try FuzzFinding.unless(bytes() == before, "saving from the file has changed it")
    try change()
  }

  private func bytes() -> [UInt8]? {
    answer { () throws(StoreError) in try files.bytes(path) }
  }

  /// What `body` gives, or nil where it throws, which is an answer too.
  private func answer<Value>(_ body: () throws(StoreError) -> Value) -> Value? {
    do throws(StoreError) { return try body() } catch { return nil }
  }

  /// Runs `body`; a clean file must not make it throw.
  private func attempt(
    _ what: String, _ body: () throws(StoreError) -> Void
  ) throws(FuzzFinding) {
    do throws(StoreError) {
      try body()
    } catch {
      try FuzzFinding.unless(!isClean, "the check is clean, but \(what) fails: \(error)")
    }
  }

  // MARK: Reading

  private func read() throws(FuzzFinding) {
    var options = FuzzedPages.options
    options.isReadOnly = true
    options.createsFile = false
    try attempt("reading") { () throws(StoreError) in
      let store = try Store(path: path, options: options, fileSystem: files)
      try scan(try store.snapshot())
      try store.close()
    }
  }

  /// Reads every row, up to a limit that only a forged tree reaches.
  private func scan(_ snapshot: Snapshot) throws(StoreError) {
    var rowLimit = 4000
    for name in try snapshot.tableNames() {
      let table = try snapshot.table(name)
      var cursor = table.cursor()
      var last: [UInt8] = []
      while try cursor.next(), rowLimit > 0 {
        last = cursor.key.withUnsafeBytes { Array($0) }
        let value = try cursor.value
        FuzzSink.read(value)
        rowLimit -= 1
      }
      _ = try table.get(last)
      _ = try table.contains(last + [0])
      _ = try cursor.seekLast()
      while try cursor.previous(), rowLimit > 0 { rowLimit -= 1 }
    }
  }

  // MARK: Saving

  private func save() throws(FuzzFinding) {
    guard
      let report = answer({ () throws(StoreError) in
        try Store.salvage(from: path, to: "saved.db", fileSystem: files)
      })
    else {
      try FuzzFinding.unless(!isClean, "the check is clean, but salvage refuses")
      return
    }
    if isClean { try FuzzFinding.unless(report.isComplete, "salvage of a clean file: \(report)") }
    let check: CheckReport
    do throws(StoreError) {
      check = try Store.check(path: "saved.db", fileSystem: files)
    } catch {
      throw FuzzFinding("a salvage cannot be checked: \(error)")
    }
    try FuzzFinding.unless(check.isClean, "a salvage is damaged: \(check.problems)")
  }

  // MARK: Changing

  private func change() throws(FuzzFinding) {
    try attempt("changing") { () throws(StoreError) in
      let store = try Store(path: path, options: FuzzedPages.options, fileSystem: files)
      for name in try store.snapshot().tableNames().prefix(8) {
        let keys = try someKeys(of: name, in: try store.snapshot())
        try store.write { (transaction) throws(StoreError) in
          let table = try transaction.table(name)
          for (index, key) in keys.enumerated() {
            if index % 2 == 0 {
              try transaction.delete(key, in: table)
            } else {
              try transaction.put(key, [UInt8](repeating: 1, count: 900), in: table)
            }
          }
          try transaction.put([255], [UInt8](repeating: 2, count: 5000), in: table)
        }
        try store.write { (transaction) throws(StoreError) in
          try transaction.deleteRange(
            from: [0], to: [128], in: try transaction.table(name))
        }
      }
      try store.close()
    }
    if isClean {
      let report = answer { () throws(StoreError) in
        try Store.check(path: path, fileSystem: files)
      }
      let isStillClean = report.map(\.isClean) ?? false
      try FuzzFinding.unless(
        isStillClean, "a clean file is damaged by changes: \(report?.problems ?? [])")
    }
  }

  private func someKeys(
    of name: String, in snapshot: Snapshot
  ) throws(StoreError) -> [[UInt8]] {
    var keys: [[UInt8]] = []
    let table = try snapshot.table(name)
    var cursor = table.cursor()
    while try cursor.next(), keys.count < 40 {
      keys.append(cursor.key.withUnsafeBytes { Array($0) })
    }
    return keys
  }
}

/// Where bytes go that are read for nothing else than to be read.
enum FuzzSink {
  private static let sum = Guarded<UInt64>(0)

  static func read(_ bytes: RawSpan) {
    var total: UInt64 = 0
    for index in 0..<bytes.byteCount {
      total &+= UInt64(bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self))
    }
    sum.withLock { $0 &+= total }
  }
}
