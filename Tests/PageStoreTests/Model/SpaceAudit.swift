import SimulatedDisk

@testable import PageStore

/// Adds up the pages of a store's durable state: each is a meta page, of the map of space, live,
/// pending or free, and none is two of these.
enum SpaceAudit {
  /// What does not add up in the store at `path`, by what is visible on `disk`; nil where it does.
  static func problem(on disk: SimulatedDisk, path: String) throws -> String? {
    let file = try SimulatedSystem(disk, processID: 99).open(path, .readOnly)
    defer { file.close() }
    var meta: MetaPage?
    for offset in [0] + StoreLimits.pageByteCounts {
      if let found = try MetaPair.read(file, at: offset) {
        meta = try MetaPair(file: file, pageByteCount: found.pageByteCount).newest
        break
      }
    }
    guard let meta else { return "no meta page" }
    let map = try PageMap(
      file: file, pageByteCount: meta.pageByteCount, reservedByteCount: 16 << 20)
    map.noteState(meta.transaction)
    let fileByteCount = try file.byteCount()
    let space = try SpaceMap(
      untrusted: try file.bytes(
        at: meta.mapPage.index * meta.pageByteCount, count: meta.mapByteCount),
      path: path, page: meta.mapPage, maximumPageCount: fileByteCount / meta.pageByteCount)
    var used: [Int: String] = [0: "meta", 1: "meta"]
    var twice: [String] = []
    func use(_ range: Range<Int>, _ name: String) {
      for index in range {
        if let other = used[index] { twice.append("page \(index) is \(other) and \(name)") }
        used[index] = name
      }
    }
    use(meta.mapPage.index..<meta.mapPage.index + meta.mapPageCount, "map")
    for page in space.pending { use(page.indices, "pending") }
    func walk(_ root: TreeRoot, _ table: UInt32, _ name: String) throws -> TreeChecker.Report {
      let reader = TreeReader(
        map: map, root: root, table: table, seesPrivatePages: false, pageCount: meta.pageCount)
      var checker = TreeChecker(reader, table: table, name: name, newest: meta.transaction)
      return try checker.check { run in
        use(run.indices, "live in \(name)")
        return true
      }
    }
    let root = TreeRoot(
      page: meta.catalogRoot, checksum: meta.catalogChecksum, level: meta.catalogLevel)
    var reports = [try walk(root, TableRecord.catalogTable, "the catalog")]
    let catalog = TreeReader(
      map: map, root: root, table: TableRecord.catalogTable, seesPrivatePages: false,
      pageCount: meta.pageCount)
    var records: [(String, TableRecord)] = []
    try Catalog(reader: catalog).visit { name, record throws(StoreError) in
      records.append((name, record))
    }
    for (name, record) in records {
      let report = try walk(record.root, record.id, name)
      if report.rowCount != record.rowCount {
        return "\(report.rowCount) rows in \(name), not \(record.rowCount)"
      }
      if record.id >= space.nextTableID { return "table \(record.id) of \(space.nextTableID)" }
      reports.append(report)
    }
    if let damage = reports.lazy.flatMap(\.damages).first { return "\(damage)" }
    if let first = twice.first { return first }
    for (index, name) in used where !space.bitmap.isUsed(PageID(UInt32(index))) {
      return "page \(index) is \(name) and free"
    }
    if space.bitmap.usedCount != used.count {
      let leaked = (0..<space.bitmap.pageCount).first {
        space.bitmap.isUsed(PageID(UInt32($0))) && used[$0] == nil
      }
      return
        "page \(leaked ?? -1) is in use and nobody's; \(space.bitmap.usedCount - used.count) in all"
    }
    return nil
  }
}
