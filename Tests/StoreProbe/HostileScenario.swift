import Glibc
import PageStore
import ProbeModel

/// Does everything that one can do with a database to databases that somebody has forged.
///
/// Says the name of each before it begins, so that the last line names the one that ended the
/// process. Errors of the store are expected; traps, signals, endless loops and boundless memory
/// are what this looks for. Files are in memory.
struct HostileScenario {
  private let probe: Probe
  private let path = "forged"

  init(_ probe: Probe) { self.probe = probe }

  /// Runs every `by`th change from number `from` on, or with `seeds` as many random pairs.
  func run() throws(StoreError) {
    let hasLog = probe.console["log"] != nil
    let image = try makeImage(hasLog: hasLog)
    var count = 0
    if probe.console["lengths"] != nil {
      count = try useLengths(of: image)
    } else if let seeds = probe.console["seeds"] {
      let first = probe.console["from"] ?? 0
      for seed in first..<first + seeds {
        var random = SplitMix(state: UInt64(seed) &* 0xD134_2543_DE82_EF95)
        let (forged, name) = try forge(image, &random)
        begin("seed \(seed): \(name)")
        try use(forged, hasLog: hasLog)
        count += 1
      }
    } else {
      let by = probe.console["by"] ?? 1
      var number = 0
      for field in image.fields where !hasLog || field.isInLog || field.name.hasPrefix("meta") {
        for value in image.values(for: field) {
          defer { number += 1 }
          if number < probe.console["from"] ?? 0 || number % by != 0 { continue }
          var forged = image
          forged.set(field, to: value)
          forged.seal(keeping: [field])
          begin("\(number): \(field.name) = \(value)")
          try use(forged, hasLog: hasLog)
          count += 1
        }
      }
    }
    alarm(0)
    probe.console.say("survived \(count)")
  }

  /// Says what comes, and ends the process should it not come to an end.
  private func begin(_ line: String) {
    probe.console.say(line)
    alarm(60)
  }

  // MARK: Lengths

  /// Files cut at every page and beside it, and files and logs that are holes for the most part.
  private func useLengths(of image: HostileImage) throws(StoreError) -> Int {
    let whole = image.image.bytes.count
    var lengths = [0, 1, 511, 512, 4095, whole - 1, whole + 1, 1 << 32, 1 << 40, 1 << 43, 1 << 45]
    lengths += stride(from: 4096, to: whole, by: 4096 * (probe.console["by"] ?? 1))
    for length in lengths {
      begin("\(length) bytes")
      try use(image, hasLog: false, length: length)
    }
    guard image.log != nil else { return lengths.count }
    let logLengths = [0, 1, 39, 40, 4096, 4136, 8192, 36_863, 1 << 32, 1 << 43]
    for length in logLengths {
      begin("a log of \(length) bytes")
      try use(image, hasLog: true, logLength: length)
    }
    return lengths.count + logLengths.count
  }

  // MARK: Forging

  /// Two or three random changes, and now and then one to the map of space.
  private func forge(
    _ image: HostileImage, _ random: inout SplitMix
  ) throws(StoreError) -> (HostileImage, name: String) {
    var forged = image
    var names: [String] = []
    if random.next() % 2 == 0 {
      let pages = image.livePages.filter { $0.kind != .meta && $0.kind != .map }
      let page = pages[Int(random.next() % UInt64(pages.count))].page
      let isFreed = random.next() % 2 == 0
      try forged.editMap { map in
        let id = PageID(UInt32(page))
        if isFreed {
          map.bitmap.markFree(id)
        } else {
          map.pending.removeAll { $0.indices.contains(page) }
          map.pending.append(
            PendingPage(first: id, birth: TransactionNumber(1), end: TransactionNumber(2)))
        }
      }
      names.append("page \(page) \(isFreed ? "free" : "pending")")
    }
    var fields: [HostileImage.Field] = []
    for _ in 0..<1 + random.next() % 3 {
      let field = image.fields[Int(random.next() % UInt64(image.fields.count))]
      let values = image.values(for: field)
      let value = values[Int(random.next() % UInt64(values.count))]
      forged.set(field, to: value)
      fields.append(field)
      names.append("\(field.name) = \(value)")
    }
    forged.seal(keeping: fields)
    return (forged, names.joined(separator: ", "))
  }

  private var options: StoreOptions {
    var options = StoreOptions()
    options.pageByteCount = 4096
    options.reservedByteCount = 1 << 28
    options.logHalfByteCount = 1 << 14
    options.logHalfCapacity = 1 << 14
    options.busyTimeout = .milliseconds(200)
    return options
  }

  /// A database with trees of three levels, values in runs, many tables and pending pages.
  private func makeImage(hasLog: Bool) throws(StoreError) -> HostileImage {
    let fileSystem = MemoryFileSystem()
    let store = try Store(path: path, options: options, fileSystem: fileSystem)
    try store.write { (transaction) throws(StoreError) in
      let deep = try transaction.createTable("deep")
      for number in 0..<160 { try transaction.put(key(number), [1, 2, 3], in: deep) }
      let flat = try transaction.createTable("flat")
      for number in 0..<200 {
        let count = number % 40 == 0 ? 5000 + number * 10 : number
        try transaction.put(
          [UInt8(number)], [UInt8](repeating: UInt8(number), count: count), in: flat)
      }
      for number in 0..<50 { _ = try transaction.createTable("empty \(number) \(longName)") }
    }
    let snapshot = try store.snapshot()
    for step in 0..<4 {
      try store.write { (transaction) throws(StoreError) in
        let deep = try transaction.table("deep")
        try transaction.put(key(step * 40), [4], in: deep)
        try transaction.put(
          [UInt8(step), 7], [UInt8](repeating: 9, count: 5000), in: try transaction.table("flat"))
        if step == 3 {
          try transaction.drop(try transaction.table("empty 7 \(longName)"))
          let table = try transaction.table("empty 8 \(longName)")
          try transaction.rename(table, to: "renamed")
          try transaction.deleteRange(
            from: key(20), to: key(25), in: try transaction.table("deep"))
        }
      }
      if step == 1 && !hasLog { try store.checkpoint() }
    }
    if !hasLog { try store.close() }
    let file = try fileSystem.open(path, .readOnly)
    let bytes = try file.allBytes()
    var log: HostileLog?
    if hasLog {
      let file = try fileSystem.open(path + "-log", .readOnly)
      log = HostileLog(try file.allBytes())
    }
    _ = try snapshot.tableNames()
    return HostileImage(bytes, log: log)
  }

  private var longName: String { String(repeating: "n", count: 200) }

  /// Keys of which few fit into a page, and few separators into a branch.
  private func key(_ number: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(ascii: "k"), count: 900)
      + [UInt8(number / 100 + 48), UInt8(number / 10 % 10 + 48), UInt8(number % 10 + 48)]
  }

  // MARK: Using

  private func write(
    _ bytes: [UInt8], to path: String, _ fileSystem: MemoryFileSystem, _ length: Int?
  ) throws(StoreError) {
    let file = try fileSystem.open(path, .createNew(permissions: 0o600))
    try file.writeAll(bytes)
    if let length { try file.truncate(to: length) }
    file.close()
  }

  private func use(
    _ image: HostileImage, hasLog: Bool, length: Int? = nil, logLength: Int? = nil
  ) throws(StoreError) {
    func place(_ image: HostileImage) throws(StoreError) -> MemoryFileSystem {
      let fileSystem = MemoryFileSystem()
      try write(image.image.bytes, to: path, fileSystem, length)
      if let log = image.log { try write(log.bytes, to: path + "-log", fileSystem, logLength) }
      return fileSystem
    }
    var fileSystem = try place(image)
    attempt { () throws(StoreError) in
      _ = try Store.check(path: path, fileSystem: fileSystem)
    }
    attempt { () throws(StoreError) in
      _ = try Store.salvage(from: path, to: "saved", fileSystem: fileSystem)
    }
    for isReadOnly in [true, false] {
      fileSystem = try place(image)
      attempt { () throws(StoreError) in
        var options = options
        options.isReadOnly = isReadOnly
        options.createsFile = false
        let store = try Store(path: path, options: options, fileSystem: fileSystem)
        use(store)
        try store.close()
      }
    }
    // Once more, after whatever was written.
    attempt { () throws(StoreError) in
      let store = try Store(path: path, options: options, fileSystem: fileSystem)
      read(store)
      try store.close()
    }
  }

  /// Runs `body`, whose errors are expected.
  private func attempt(_ body: () throws(StoreError) -> Void) {
    do throws(StoreError) {
      try body()
    } catch {
      // A forged file is refused, in part or whole; the description is looked at too.
      _ = "\(error)"
    }
  }

  private func use(_ store: Store) {
    read(store)
    let names = tableNames(store)
    for name in names.prefix(6) + names.suffix(2) { change(name, store) }
    attempt { () throws(StoreError) in
      try store.write { (transaction) throws(StoreError) in
        for number in 0..<60 {
          let table = try transaction.createTableIfNeeded("new \(number % 3)")
          try transaction.put(key(number), [UInt8](repeating: 1, count: number * 97), in: table)
        }
      }
    }
    read(store)
    attempt { () throws(StoreError) in try store.checkpoint() }
    for name in names.prefix(3) {
      attempt { () throws(StoreError) in
        try store.write { (transaction) throws(StoreError) in
          try transaction.drop(try transaction.table(name))
        }
      }
    }
    attempt { () throws(StoreError) in _ = try store.check() }
    attempt { () throws(StoreError) in _ = try store.compact() }
    attempt { () throws(StoreError) in _ = try store.statistics() }
    for name in names.prefix(3) {
      attempt { () throws(StoreError) in _ = try store.tableStatistics(name) }
    }
    read(store)
  }

  private func tableNames(_ store: Store) -> [String] {
    var names: [String] = []
    attempt { () throws(StoreError) in names = try store.snapshot().tableNames() }
    return names
  }

  /// Reads all rows forward and backward, and some by their keys.
  private func read(_ store: Store) {
    for name in ["deep", "flat"] + tableNames(store).suffix(3) {
      attempt { () throws(StoreError) in
        try store.read { (snapshot) throws(StoreError) in
          let table = try snapshot.table(name)
          var sum = 0
          var cursor = table.cursor()
          var count = 0
          while try cursor.next(), count < 100_000 {
            sum &+= last(cursor.key) &+ last(try cursor.value)
            count += 1
          }
          cursor = table.cursor()
          while try cursor.previous(), count < 200_000 { count += 1 }
        }
      }
      for number in stride(from: 0, to: 200, by: 9) {
        attempt { () throws(StoreError) in
          try store.read { (snapshot) throws(StoreError) in
            let table = try snapshot.table(name)
            if let value = try table.get(key(number)) { _ = last(value) }
            if let value = try table.get([UInt8(number)]) { _ = last(value) }
          }
        }
      }
    }
  }

  private func last(_ bytes: RawSpan) -> Int {
    bytes.withUnsafeBytes { Int($0.last ?? 0) + Int($0.first ?? 0) }
  }

  /// Puts, deletes, and splits and merges pages of one table, each in a transaction of its own.
  private func change(_ name: String, _ store: Store) {
    attempt { () throws(StoreError) in
      try store.write { (transaction) throws(StoreError) in
        let table = try transaction.table(name)
        for number in 0..<40 { try transaction.put(key(number * 4), [5, 6], in: table) }
      }
    }
    for number in stride(from: 1, to: 200, by: 10) {
      attempt { () throws(StoreError) in
        try store.write { (transaction) throws(StoreError) in
          let table = try transaction.table(name)
          try transaction.put(key(number), [UInt8](repeating: 3, count: number * 40), in: table)
          try transaction.put([UInt8(number)], [UInt8](repeating: 3, count: number), in: table)
          try transaction.delete(key(number + 1), in: table)
          try transaction.delete([UInt8(number + 1)], in: table)
          try transaction.delete([UInt8(number / 40 * 40)], in: table)
        }
      }
    }
    attempt { () throws(StoreError) in
      try store.write { (transaction) throws(StoreError) in
        let table = try transaction.table(name)
        try transaction.deleteRange(from: key(30), to: key(90), in: table)
        try transaction.deleteRange(from: [10], to: [90], in: table)
      }
    }
  }
}

extension StoreFile {
  fileprivate func allBytes() throws(StoreError) -> [UInt8] {
    let count = try byteCount()
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 8)
    defer { memory.deallocate() }
    _ = try read(into: memory, at: 0)
    return Array(memory)
  }

  fileprivate func writeAll(_ bytes: [UInt8]) throws(StoreError) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    defer { copy.deallocate() }
    copy.copyBytes(from: bytes)
    try write(UnsafeRawBufferPointer(copy), at: 0)
  }
}

/// A source of random numbers that a seed decides.
private struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
