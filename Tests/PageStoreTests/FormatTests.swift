import PageStore
import Testing

/// Compares FORMAT.md with the tables in the code, line by line.
@Suite struct `The description of the format` {
  private let lines = ProjectFiles.lines(of: "FORMAT.md")

  /// The lines of the first table under `heading`, without its own two heading lines.
  private func table(under heading: String) -> [String] {
    guard let start = lines.firstIndex(where: { $0.hasSuffix("# " + heading) }) else { return [] }
    return Array(
      lines[(start + 1)...].drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }.dropFirst(2))
  }

  @Test(arguments: [
    ("Meta page", MetaPage.Layout.table),
    ("Tree page", PageHeader.rows),
    ("Leaf", LeafPage.slotRows),
    ("Overflow reference", OverflowReference.rows),
    ("Catalog", TableRecord.rows),
    ("Map of space", SpaceMap.Layout.rows),
    ("Log header", LogFileHeader.Layout.table),
    ("Frame", LogFrame.Layout.table),
    ("Operation", LogOperation.Layout.rows),
  ])
  func `shows the fields that the code has`(heading: String, rows: [FieldRow]) {
    #expect(table(under: heading) == rows.map(\.line))
  }

  @Test func `shows the fields of a pending run`() {
    let first = SpaceMap.Layout.pendingRows[0].line
    let last = lines.lastIndex(of: first) ?? 0
    let shown = Array(lines[last...].prefix { $0.hasPrefix("|") })
    #expect(shown == SpaceMap.Layout.pendingRows.map(\.line))
  }

  @Test(arguments: [
    (MetaPage.Layout.table, MetaPage.byteCount),
    (PageHeader.rows, PageHeader.byteCount),
    (LeafPage.slotRows, LeafPage.slotByteCount),
    (OverflowReference.rows, OverflowReference.byteCount),
    (TableRecord.rows, TableRecord.byteCount),
    (SpaceMap.Layout.rows, SpaceMap.Layout.headerByteCount),
    (SpaceMap.Layout.pendingRows, SpaceMap.Layout.pendingByteCount),
    (LogFileHeader.Layout.table, LogGeometry.headerByteCount),
    (LogFrame.Layout.table, LogFrame.headerByteCount),
  ])
  func `has fields that do not meet and lie within their structure`(
    rows: [FieldRow], byteCount: Int
  ) {
    var end = 0
    for row in rows.sorted(by: { $0.offset < $1.offset }) {
      #expect(row.offset >= end, "\(row)")
      end = row.offset + row.byteCount
    }
    #expect(end <= byteCount)
  }

  @Test func `names the limits that the code has`() {
    let limits: [(String, Int)] = [
      ("longest key, in bytes", StoreLimits.keyByteCount),
      ("longest value, in bytes", StoreLimits.valueByteCount),
      ("longest name of a table, in bytes of UTF-8", StoreLimits.tableNameByteCount),
      ("most tables", StoreLimits.tableCount),
      ("most pages", PageBitmap.maximumPageCount),
      ("highest transaction number", Int(TransactionNumber.limit.rawValue - 1)),
      ("longest prefix of a page, in bytes", StoreLimits.prefixByteCount),
      ("most levels of a tree", StoreLimits.levelCount),
      ("bytes of a meta page that mean something", MetaPage.byteCount),
      ("header of a tree page, in bytes", PageHeader.byteCount),
      ("slot of a leaf, in bytes", LeafPage.slotByteCount),
      ("overflow reference, in bytes", OverflowReference.byteCount),
      ("table record, in bytes", TableRecord.byteCount),
      ("header of the map of space, in bytes", SpaceMap.Layout.headerByteCount),
      ("pending run, in bytes", SpaceMap.Layout.pendingByteCount),
      ("header of the log, in bytes", LogGeometry.headerByteCount),
      ("most room of a half of the log, in bytes", LogGeometry.standard.halfCapacity),
      ("header of a frame, in bytes", LogFrame.headerByteCount),
      ("longest body of a frame, in bytes", LogFrame.maximumBodyByteCount),
    ]
    var expected = limits.map { "| \($0.0) | \($0.1) |" }
    let sizes = StoreLimits.pageByteCounts.map { "\($0)" }.joined(separator: ", ")
    expected.insert("| page sizes, in bytes | \(sizes) |", at: 4)
    #expect(table(under: "Limits") == expected)
  }

  @Test func `places the halves of the log where the code does`() {
    let geometry = LogGeometry.standard
    let expected = [
      "| header | 0 | \(LogGeometry.headerByteCount) |",
      "| half 0 | \(geometry.start(ofHalf: 0)) | \(geometry.halfCapacity) |",
      "| half 1 | \(geometry.start(ofHalf: 1)) | \(geometry.halfCapacity) |",
    ]
    #expect(table(under: "The log") == expected)
    let least = geometry.initialHalfByteCount
    let text = lines.joined(separator: " ")
    #expect(text.contains("Each half has \(least) bytes at least"))
    #expect(text.contains("less than \(geometry.start(ofHalf: 1) + least) bytes is damaged"))
  }

  @Test func `is that of the versions that the code writes`() {
    let start = "Version \(MetaPage.version) of the main file and of the log."
    #expect(lines.contains { $0.hasPrefix(start) })
    #expect(LogFileHeader.version == MetaPage.version)
    #expect(SpaceMap.Layout.currentVersion == 1)
  }

  @Test(arguments: StoreLimits.pageByteCounts)
  func `says when a value gets pages of its own`(pageByteCount: Int) throws {
    var options = StoreOptions()
    options.pageByteCount = pageByteCount
    let store = try Store.inMemory(options: options)
    let longest = max(pageByteCount / 4, 1050)
    let key = Array("key".utf8)
    for (extra, pageCount) in [(0, 0), (1, 1)] {
      try store.write { transaction in
        let table = try transaction.createTableIfNeeded("t")
        let value = [UInt8](repeating: 1, count: longest - 2 - key.count + extra)
        try transaction.put(key, value, in: table)
      }
      #expect(try store.tableStatistics("t").overflowPageCount == pageCount)
    }
    try store.close()
  }
}

extension FieldRow {
  /// The row as FORMAT.md shows it.
  fileprivate var line: String { "| \(offset) | \(byteCount) | \(name) | \(meaning) |" }
}
