import PageStore

extension FuzzTarget {
  /// The lock file that processes share, with words that another one has set to anything.
  static let locks = [
    FuzzTarget(
      name: "lock-raw", longestInput: 256, limits: (32, 768), seeds: { FuzzedLock.seeds },
      run: { bytes throws(FuzzFinding) in try FuzzedLock.use(bytes, isSealed: false) }),
    FuzzTarget(
      name: "lock-sealed", longestInput: 256, limits: (32, 768), seeds: { FuzzedLock.seeds },
      run: { bytes throws(FuzzFinding) in try FuzzedLock.use(bytes, isSealed: true) }),
  ]
}

/// Two stores on one database, between whose calls words of their lock file are set.
enum FuzzedLock {
  static let seeds: [[UInt8]] = [
    [], [0, 5, 0, 1], [1, 8, 0, 0, 3, 255, 255, 0, 2, 17, 0, 2, 7, 7, 7, 7],
    [2, 20, 0, 3, 4, 21, 128, 1, 0, 51, 0, 4],
  ]

  private static let database = Result { try FuzzedPages.make([.rows]) }

  private static var options: StoreOptions {
    var options = FuzzedPages.options
    options.logHalfByteCount = 1 << 16
    options.logHalfCapacity = 1 << 18
    return options
  }

  /// Each step is a call of one of the stores, and some words that are set before it.
  static func use(_ bytes: [UInt8], isSealed: Bool) throws(FuzzFinding) {
    guard case .success(let database) = database else { throw FuzzFinding("no database") }
    let files = FuzzFiles()
    do throws(StoreError) {
      try files.place(FuzzedPages.path, database)
      let first = try Store(path: FuzzedPages.path, options: options, fileSystem: files)
      var feed = ByteFeed(bytes)
      var others: [Store] = []
      var steps = 0
      while !feed.isEmpty, steps < 24 {
        steps += 1
        try set(&feed, files, isSealed)
        let step = feed.byte()
        let store = others.last.map { step & 8 == 0 ? first : $0 } ?? first
        do throws(StoreError) {
          try act(Int(step % 8), store, &others, files)
        } catch {
          // Whatever the words say, calls say what is wrong with them.
        }
      }
      for store in others + [first] {
        do throws(StoreError) { try store.close() } catch {}
      }
    } catch {
      throw FuzzFinding("no store can be made: \(error)")
    }
  }

  private static func act(
    _ action: Int, _ store: Store, _ others: inout [Store], _ files: FuzzFiles
  ) throws(StoreError) {
    switch action {
    case 0: try read(store)
    case 1, 2:
      try store.write { (transaction) throws(StoreError) in
        let table = try transaction.createTableIfNeeded("u")
        try transaction.put([UInt8(action)], [UInt8](repeating: 1, count: 2000), in: table)
      }
    case 3: try store.checkpoint()
    case 4: _ = try store.check()
    case 5:
      if others.count < 3 {
        others.append(
          try Store(path: FuzzedPages.path, options: options, fileSystem: files))
      }
    case 6:
      var options = options
      options.isReadOnly = true
      if others.count < 3 {
        others.append(
          try Store(path: FuzzedPages.path, options: options, fileSystem: files))
      }
    default: store.performBackgroundWork()
    }
  }

  private static func read(_ store: Store) throws(StoreError) {
    let snapshot = try store.snapshot()
    for name in try snapshot.tableNames() {
      let table = try snapshot.table(name)
      var cursor = table.cursor()
      while try cursor.next() { FuzzSink.read(try cursor.value) }
    }
  }

  // MARK: Words

  /// Sets up to three words of the lock file.
  private static func set(
    _ feed: inout ByteFeed, _ files: FuzzFiles, _ isSealed: Bool
  ) throws(StoreError) {
    let path = FuzzedPages.path + "-lock"
    guard try files.exists(path) else { return }
    for _ in 0..<(feed.byte() % 4) {
      let place = feed.byte()
      // Most of what matters is in the first 704 bytes and in the first rows.
      let offset = place < 88 ? Int(place) * 8 : 4096 + Int(place - 88) * 8
      let kind = feed.byte()
      var value = UInt64(feed.byte())
      switch kind % 6 {
      case 0: break
      case 1: value = feed.u64()
      case 2: value = UInt64(feed.u32())
      case 3: value = ~value
      case 4: value = 1 << (value % 64)
      default: value = try word(files, path, offset) &+ value
      }
      try store(value, files, path, offset)
      if isSealed, (128..<352).contains(offset) { try seal(files, path) }
    }
  }

  private static func word(
    _ files: FuzzFiles, _ path: String, _ offset: Int
  ) throws(StoreError) -> UInt64 {
    let bytes = LooseBytes(try files.bytes(path))
    return UInt64(bytes.u32(offset)) | UInt64(bytes.u32(offset + 4)) << 32
  }

  private static func store(
    _ value: UInt64, _ files: FuzzFiles, _ path: String, _ offset: Int
  ) throws(StoreError) {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    try files.write(path, bytes, at: offset)
  }

  /// Makes the last words of both cells of the published state fit those before.
  private static func seal(_ files: FuzzFiles, _ path: String) throws(StoreError) {
    for cell in [128, 256] {
      var mixed: UInt64 = 0x9E37_79B9_7F4A_7C15
      for index in 0..<11 {
        mixed = (mixed ^ (try word(files, path, cell + index * 8))) &* 0xBF58_476D_1CE4_E5B9
        mixed ^= mixed >> 29
      }
      try store(mixed, files, path, cell + 88)
    }
  }
}
