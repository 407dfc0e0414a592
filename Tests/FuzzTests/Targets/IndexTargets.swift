import PageStore

@testable import Index

extension FuzzTarget {
  /// Cells of the indexes, and rows of containers.
  static let indexes = [
    FuzzTarget(
      name: "container", longestInput: 2100, limits: (4, 512), seeds: { FuzzedContainer.seeds },
      run: { bytes throws(FuzzFinding) in try FuzzedContainer.read(bytes) }),
    FuzzTarget(
      name: "index", longestInput: 1024, limits: (8, 768), seeds: { FuzzedIndex.seeds },
      run: { bytes throws(FuzzFinding) in try FuzzedIndex.use(bytes) }),
  ]
}

/// Containers, two to an input, and what sets make of them.
enum FuzzedContainer {
  static let seeds: [[UInt8]] = [
    [3, 0, 1, 5, 0, 1, 7, 0], [5, 0, 3, 5, 0, 2, 0, 3, 9, 0, 1, 0],
    [1, 4] + [2] + [UInt8](repeating: 0x11, count: 1024) + [1, 1, 0], [1, 0, 0, 3],
  ]

  static func read(_ bytes: [UInt8]) throws(FuzzFinding) {
    var feed = ByteFeed(bytes)
    let first = feed.take(feed.u16() % 1100)
    let second = feed.rest()
    let left = Container(untrusted: first.span.memory)
    let right = Container(untrusted: second.span.memory)
    if let left { try check(left) }
    if let right { try check(right) }
    guard let left, let right else { return }
    let (ours, theirs) = (Set(left.numbers), Set(right.numbers))
    let leftSet = postings(left)
    let rightSet = postings(right)
    try compare(leftSet.intersection(rightSet), ours.intersection(theirs), "intersection")
    try compare(leftSet.union(rightSet), ours.union(theirs), "union")
    try compare(leftSet.subtracting(rightSet), ours.subtracting(theirs), "subtraction")
  }

  private static func postings(_ container: borrowing Container) -> PostingSet {
    var builder = PostingSetBuilder()
    builder.append(0, container)
    return builder.finish()
  }

  private static func compare(
    _ set: PostingSet, _ numbers: Set<UInt16>, _ what: String
  ) throws(FuzzFinding) {
    let found = set.map { Int($0.rawValue) }
    try FuzzFinding.unless(
      found == numbers.map { Int($0) }.sorted() && set.count == numbers.count,
      "\(what) gives \(found.count) rows where \(numbers.count) should be")
  }

  private static func check(_ container: borrowing Container) throws(FuzzFinding) {
    let numbers = container.numbers
    let isAscending = zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
    try FuzzFinding.unless(
      isAscending && numbers.allSatisfy { $0 < 8192 } && numbers.count == container.rowCount,
      "a container that is taken has \(numbers.count) numbers and says \(container.rowCount)")
    for number in [0, 1, 4095, 8191] + numbers.prefix(4) {
      let isThere = container.contains(number)
      try FuzzFinding.unless(
        isThere == numbers.contains(number), "\(number) is there, or is not")
    }
    let coding = container.coding
    guard !numbers.isEmpty else { return }
    guard let again = Container(untrusted: coding.span.memory), again.numbers == numbers else {
      throw FuzzFinding("a container is written as what is not read as the same")
    }
  }
}

/// Indexes some of whose cells were replaced.
enum FuzzedIndex {
  static let seeds: [[UInt8]] = [
    [0, 1, 3, 1, 0, 5], [1, 2, 4, 0, 1, 0, 0, 0], [2, 9, 2, 1, 9], [0, 0, 255, 0],
    [1, 7, 6, 3, 5, 0, 2, 0, 4, 200, 2, 9],
  ]

  private struct Cell: Sendable {
    let key: [UInt8]
    let value: [UInt8]
  }

  private static let names = ["terms", "numbers", "names"]

  private static let cells = Result { () throws -> [[Cell]] in
    let store = try Store.inMemory()
    defer { do { try store.close() } catch {} }
    try store.write { (transaction) throws(IndexError) in
      let terms = try TermIndex("terms").create(in: &transaction)
      let numbers = try NumericIndex("numbers").create(in: &transaction)
      let names = try NameIndex("names").create(in: &transaction)
      for row in 0..<160 as Range<UInt64> {
        let id = RowID(rawValue: row * 90)
        try TermIndex("terms").insert(id, [UInt8(row % 2)], in: terms, of: &transaction)
        try NumericIndex("numbers").insert(
          id, NumericKey(Int64(row % 20) - 10), in: numbers, of: &transaction)
        try NameIndex("names").insert(
          id, ["pi\(row % 3) ra\(row % 11)"], in: names, of: &transaction)
      }
    }
    let snapshot = try store.snapshot()
    return try names.map { name in
      var cells: [Cell] = []
      let table = try snapshot.table(name)
      var cursor = table.cursor()
      while try cursor.next() {
        let value = try cursor.value
        cells.append(
          Cell(
            key: cursor.key.withUnsafeBytes { Array($0) },
            value: value.withUnsafeBytes { Array($0) }))
      }
      return cells
    }
  }

  /// Which index, and then for each cell that is replaced: which, how, and with what.
  static func use(_ bytes: [UInt8]) throws(FuzzFinding) {
    guard case .success(let all) = cells else { throw FuzzFinding("no index can be made") }
    var feed = ByteFeed(bytes)
    let place = Int(feed.byte() % 3)
    var changed = all[place]
    while !feed.isEmpty {
      let index = feed.number(below: changed.count)
      let kind = feed.byte()
      let cell = changed[index]
      if kind & 1 == 0 {
        var value = cell.value
        let start = value.isEmpty ? 0 : feed.u16() % value.count
        let new = feed.take(Int(kind >> 1) % 24)
        value.replaceSubrange(start..<min(value.count, start + new.count), with: new)
        if kind >= 128 { value = Array(value.prefix(start + new.count)) }
        changed[index] = Cell(key: cell.key, value: value)
      } else {
        let new = feed.take(1 + Int(kind >> 1) % 12)
        changed[index] = Cell(key: new.isEmpty ? [0] : new, value: cell.value)
      }
    }
    do {
      try ask(names[place], changed)
    } catch let error as IndexError {
      try expect(error)
    } catch let finding as FuzzFinding {
      throw finding
    } catch {
      throw FuzzFinding("\(error)")
    }
  }

  private static func ask(_ name: String, _ cells: [Cell]) throws {
    var options = FuzzedPages.options
    options.logHalfByteCount = 1 << 16
    options.logHalfCapacity = 1 << 16
    let store = try Store(path: "memory", options: options, fileSystem: FuzzFiles())
    defer { do { try store.close() } catch {} }
    try store.write { (transaction) throws(StoreError) in
      let table = try transaction.createTable(name)
      for cell in cells { try transaction.put(cell.key, cell.value, in: table) }
    }
    let snapshot = try store.snapshot()
    for query in queries(name) {
      // Each on its own: that one finds damage keeps no other from running.
      do throws(IndexError) {
        let rows = try query.rows(in: snapshot, universe: .nothing)
        let count = try query.count(in: snapshot, universe: .nothing)
        _ = try query.first(5, in: snapshot, universe: .nothing)
        _ = try query.explained(in: snapshot, universe: .nothing)
        FuzzSink.read([UInt64(rows.count), UInt64(count)].span.bytes)
      } catch {
        try expect(error)
      }
    }
    try check(name, snapshot)
    try change(name, store)
  }

  private static func queries(_ name: String) -> [IndexQuery] {
    switch name {
    case "terms":
      [
        .term(index: name, [0]), .term(index: name, [1]),
        .any([.term(index: name, [0]), .term(index: name, [1])]),
        .all([.term(index: name, [0]), .not(.term(index: name, [1]))]),
      ]
    case "numbers":
      [
        .range(index: name, from: nil, through: nil),
        .range(index: name, from: NumericKey(-3), through: NumericKey(4)),
        .range(index: name, from: NumericKey(5), through: nil),
      ]
    default:
      [
        .prefix(index: name, "p", at: .anywhere), .prefix(index: name, "ra1", at: .anywhere),
        .word(index: name, "pi1", at: .start),
        .all([.word(index: name, "pi1", at: .start), .prefix(index: name, "r", at: .anywhere)]),
      ]
    }
  }

  private static func check(_ name: String, _ snapshot: Snapshot) throws {
    let table = try snapshot.table(name)
    var checker =
      switch name {
      case "terms": IndexChecker(TermIndex(name), limit: 5)
      case "numbers": IndexChecker(NumericIndex(name), limit: 5)
      default: IndexChecker(NameIndex(name), limit: 5)
      }
    func value(_ row: UInt64) -> IndexedValue {
      let row = row / 90
      return switch name {
      case "terms": .terms([[UInt8(row % 2)]])
      case "numbers": .number(NumericKey(Int64(row % 20) - 10))
      default: .names(["pi\(row % 3) ra\(row % 11)"])
      }
    }
    do throws(IndexError) {
      for row in 0..<160 as Range<UInt64> {
        try checker.visit(RowID(rawValue: row * 90), value(row * 90), in: table)
      }
      _ = try checker.finish(in: table) { (row) throws(IndexError) in value(row.rawValue) }
    } catch {
      try expect(error)
    }
  }

  /// That the store fails, whose pages are whole, is no answer.
  private static func expect(_ error: IndexError) throws(FuzzFinding) {
    if case .store = error { throw FuzzFinding("\(error)") }
  }

  /// Adds rows and takes some away.
  private static func change(_ name: String, _ store: Store) throws {
    try store.write { (transaction) throws(IndexError) in
      let table = try transaction.indexTable(name)
      for row in [0, 90, 95, 900, 8191, 8192, 100_000] as [UInt64] {
        let id = RowID(rawValue: row)
        switch name {
        case "terms":
          try TermIndex(name).insert(id, [1], in: table, of: &transaction)
          try TermIndex(name).remove(id, [0], in: table, of: &transaction)
        case "numbers":
          try NumericIndex(name).insert(id, NumericKey(3), in: table, of: &transaction)
          try NumericIndex(name).remove(id, NumericKey(4), in: table, of: &transaction)
        default:
          try NameIndex(name).insert(id, ["pi9 ra1"], in: table, of: &transaction)
          try NameIndex(name).remove(id, ["pi1 ra2"], in: table, of: &transaction)
        }
      }
    }
  }
}
