import SimulatedDisk
import Testing

@testable import PageStore

/// Pages that change under a store that has verified them: by a disk that puts a write elsewhere.
@Suite struct `A write that goes astray` {
  private static let path = "/folder/a.db"
  private static let pageByteCount = 4096

  /// What makes new pages out of old ones, or ends them.
  enum Change: CaseIterable, Sendable {
    case update, deleteMost, deleteRange, dropTable, compact
  }

  /// A store that has free pages between its used ones, and what it holds.
  private static func start() throws -> (files: [String: [UInt8]], model: CareModel) {
    let disk = SimulatedDisk()
    let store = try Store(path: path, options: .small, fileSystem: SimulatedSystem(disk))
    var model = CareModel(seed: 3)
    model.maximumValueByteCount = 3000
    // What is dropped again leaves free pages before all others.
    try store.write { transaction in
      let table = try transaction.createTable("dropped")
      for number in 0..<400 {
        try transaction.put("\(number)", String(repeating: "v", count: 100), in: table)
      }
    }
    for count in [400, 200] { try model.change(store, count: count) }
    try store.checkpoint()
    try store.write { transaction in
      try transaction.drop(try transaction.createTableIfNeeded("dropped"))
      let table = try transaction.createTableIfNeeded("table 0")
      for key in (model.tables["table 0"] ?? [:]).keys where key.reduce(0, &+) % 3 == 0 {
        try transaction.delete(key, in: table)
        model.tables["table 0"]?[key] = nil
      }
    }
    try store.close()
    var files: [String: [UInt8]] = [:]
    for name in disk.names { files[name] = disk.contents(of: name) }
    return (files, model)
  }

  private static func make(_ change: Change, in store: Store, _ model: inout CareModel) throws {
    let before = model
    do {
      if change == .compact {
        try store.compact()
        return
      }
      try store.write { transaction in
        for (name, rows) in before.tables.sorted(by: { $0.key < $1.key }) {
          let table = try transaction.createTableIfNeeded(name)
          let keys = rows.keys.sorted(by: lexicographic)
          switch change {
          case .update:
            for key in keys where key.reduce(0, &+) % 5 == 0 {
              try transaction.put(key, [7], in: table)
              model.tables[name]?[key] = [7]
            }
          case .deleteMost:
            for (index, key) in keys.enumerated() where index % 9 != 0 {
              try transaction.delete(key, in: table)
              model.tables[name]?[key] = nil
            }
          case .deleteRange:
            let range = keys.count / 8..<keys.count * 7 / 8
            try transaction.deleteRange(
              from: keys[range.lowerBound], to: keys[range.upperBound], in: table)
            for key in keys[range] { model.tables[name]?[key] = nil }
          case .dropTable where name == "table 1":
            try transaction.drop(table)
            model.tables[name] = nil
          case .dropTable, .compact:
            continue
          }
        }
      }
    } catch {
      model = before
      throw error
    }
  }

  /// The sum of a page vouches for what was written to it; a copy's would vouch for the stray bytes.
  @Test(arguments: Change.allCases)
  func `over a page that was verified is not passed on in a copy with a checksum of its own`(
    change: Change
  ) throws {
    let (files, start) = try Self.start()
    let bytes = try #require(files[Self.path])
    var refusedCount = 0
    for page in 2..<bytes.count / Self.pageByteCount {
      let disk = SimulatedDisk()
      for (name, contents) in files { disk.setContents(of: name, to: contents) }
      let system = SimulatedSystem(disk)
      let store = try Store(path: Self.path, options: .small, fileSystem: system)
      var model = start
      #expect(try store.contents() == model.tables)
      // The next page that a reader of this one could take for it.
      let place = page * Self.pageByteCount
      let stray = (1...).lazy.map { (page - 2 + $0) % (bytes.count / Self.pageByteCount - 2) + 2 }
        .first { other in
          let offset = other * Self.pageByteCount
          return other == page
            || bytes[offset + 4..<offset + 64] != bytes[place + 4..<place + 64]
              && PageShape(bytes, at: offset) == PageShape(bytes, at: place)
        }
      let from = try #require(stray) * Self.pageByteCount
      let file = try system.open(Self.path, .readWrite)
      try file.write(Array(bytes[from..<from + Self.pageByteCount]), at: place)
      file.close()
      do {
        try Self.make(change, in: store, &model)
      } catch StoreError.corrupt {
        refusedCount += 1
      }
      try? store.close()
      Self.expectNothingWrong(disk, model, "page \(page)")
    }
    #expect(refusedCount > 0)
  }

  /// The page is the only one of its table, so that nothing but its version tells it from the one
  /// that the reader has verified.
  @Test func `or nowhere is found out by a process that has read the page before`() throws {
    let disk = SimulatedDisk()
    let system = SimulatedSystem(disk)
    let writer = try Store(path: Self.path, options: .small, fileSystem: system)
    func put(_ byte: UInt8) throws {
      try writer.write { transaction in
        let table = try transaction.createTableIfNeeded("table")
        try transaction.put("key", [UInt8](repeating: byte, count: 100), in: table)
      }
      try writer.checkpoint()
    }
    func page(holding byte: UInt8) throws -> Int? {
      let bytes = try #require(disk.contents(of: Self.path))
      return stride(from: 0, to: bytes.count, by: Self.pageByteCount).first { start in
        bytes[start..<start + Self.pageByteCount].suffix(100).allSatisfy { $0 == byte }
      }
    }
    try put(0xF0)
    let reader = try Store(
      path: Self.path, options: .small, fileSystem: SimulatedSystem(disk, processID: 2))
    // The versions that the reader has verified, by their places.
    var known: [Int: ArraySlice<UInt8>] = [:]
    for byte in UInt8(0xC0)..<0xE0 {
      try put(byte)
      let place = try #require(try page(holding: byte))
      if let old = known[place] {
        let file = try system.open(Self.path, .readWrite)
        try file.write(Array(old), at: place)
        #expect(throws: StoreError.self) { try reader.contents() }
        return
      }
      _ = try reader.contents()
      known[place] = disk.contents(of: Self.path)?[place..<place + Self.pageByteCount]
    }
    Issue.record("no place was used twice")
  }

  /// Expects that each table of the store that is there now gives its rows, or an error.
  private static func expectNothingWrong(
    _ disk: SimulatedDisk, _ model: CareModel, _ what: String
  ) {
    do {
      let store = try Store(path: path, options: .small, fileSystem: SimulatedSystem(disk))
      let snapshot = try store.snapshot()
      for (name, rows) in model.tables {
        do {
          var left = rows
          var cursor = try snapshot.table(name).cursor()
          while try cursor.next() {
            let value = try cursor.value
            let expected = left.removeValue(forKey: cursor.key.careBytes)
            if expected != value.careBytes { Issue.record("\(what): \(name) has a wrong row") }
          }
          #expect(left.isEmpty, "\(what): \(name) lacks rows")
        } catch StoreError.corrupt {
          continue
        }
      }
    } catch StoreError.corrupt {
      return
    } catch {
      Issue.record("\(what): \(error)")
    }
  }
}

/// What a reader can see of a page before it looks at its cells: its level and its table.
private struct PageShape: Equatable {
  let level: Int
  let table: UInt32

  init(_ bytes: [UInt8], at offset: Int) {
    (level, table) = bytes[offset..<offset + 4096].withUnsafeBytes { bytes in
      let page = PageBytes(bytes.baseAddress.unsafelyUnwrapped)
      return (page.level, page.table)
    }
  }
}
