import CDexShim
import PageStore

/// A database whose fields can be set to anything, with checksums that fit all the same.
///
/// Where the fields, the pages and the pointers stand is found in the database while it is whole;
/// after a change every checksum is computed anew in those places, children before parents. So a
/// reader gets to see the change, and not just a checksum that is wrong.
package struct HostileImage: Sendable {
  /// A number in a file that somebody may have set.
  package struct Field: Sendable {
    package let name: String
    /// Where it stands.
    package let offset: Int
    package let byteCount: Int
    /// True where it stands in the log.
    package let isInLog: Bool
  }

  /// What one page points to.
  private struct Pointer {
    let number: Int
    let checksum: Int
    /// Where the length of a run stands; nil for a page of a tree.
    let length: Int?
  }

  package private(set) var image: DatabaseImage
  package private(set) var log: HostileLog?
  package private(set) var fields: [Field] = []
  private let pageByteCount: Int
  /// The pages of all trees, children before parents, and their pointers.
  private var pages: [(page: Int, pointers: [Pointer])] = []

  /// - Parameters:
  ///   - bytes: A database that is whole.
  ///   - log: Its log, where it has one.
  package init(_ bytes: [UInt8], log: HostileLog? = nil) {
    image = DatabaseImage(bytes)
    self.log = log
    pageByteCount = image.pageByteCount
    findPages()
    findFields()
  }

  /// The numbers of the pages of trees and runs.
  package var livePages: [(page: Int, kind: DatabaseImage.Kind)] { image.livePages }

  // MARK: Finding

  private mutating func findPages() {
    let records = image.records
    let roots = records.map { image.u32($0 + 4) } + [image.catalogRoot]
    for root in roots where root != 0 {
      let isCatalog = root == image.catalogRoot
      for (page, kind) in image.tree(root).reversed() where kind != .overflow {
        pages.append((page, kind == .branch ? children(of: page) : cells(of: page, isCatalog)))
      }
    }
  }

  private func children(of page: Int) -> [Pointer] {
    (0..<image.count(page)).map { index in
      let child = image.child(page, index)
      return Pointer(number: child.number, checksum: child.checksum, length: nil)
    }
  }

  private func cells(of page: Int, _ isCatalog: Bool) -> [Pointer] {
    (0..<image.count(page)).compactMap { index in
      let (offset, count) = image.value(page, index)
      if count == nil {
        return Pointer(number: offset, checksum: offset + 8, length: offset + 4)
      }
      if !isCatalog { return nil }
      return Pointer(number: offset + 4, checksum: offset + 8, length: nil)
    }
  }

  private mutating func findFields() {
    add(MetaPage.Layout.table, at: 0, "meta")
    let map = image.start(image.u32(60))
    add(SpaceMap.Layout.rows, at: map, "map")
    for offset in stride(from: 48, to: image.u32(64), by: 8) {
      add([FieldRow("bitmap or pending", at: offset, 8, "")], at: map, "map")
    }
    for (page, kind) in image.livePages where kind == .branch || kind == .leaf {
      addPage(page, kind)
    }
    for record in image.records { add(TableRecord.rows, at: record, "record") }
    for (row, offset) in log?.fieldRows ?? [] {
      fields.append(
        Field(name: "log \(row.name)", offset: offset, byteCount: row.byteCount, isInLog: true))
    }
  }

  private mutating func addPage(_ page: Int, _ kind: DatabaseImage.Kind) {
    add(PageHeader.rows, at: image.start(page), "\(kind) \(page)")
    let count = image.count(page)
    for index in Set([0, 1, count / 2, count - 1]).sorted() where index < count {
      if kind == .branch {
        let (number, checksum) = image.child(page, index)
        let capacity = checksum - number
        let rows = [
          FieldRow("head", at: number - capacity, 4, ""), FieldRow("child", at: number, 4, ""),
          FieldRow("suffix", at: checksum + capacity, 2, ""),
          FieldRow("suffix length", at: checksum + capacity + 2, 2, ""),
        ]
        add(rows, at: 0, "branch \(page) \(index)")
      } else {
        add(LeafPage.slotRows, at: image.slots(page) + 8 * index, "leaf \(page) \(index)")
        let (offset, length) = image.value(page, index)
        let cell = image.start(page) + image.u16(image.slots(page) + 8 * index + 4)
        add([FieldRow("value length", at: cell, 2, "")], at: 0, "leaf \(page) \(index)")
        if length == nil { add(OverflowReference.rows, at: offset, "reference \(page) \(index)") }
      }
    }
  }

  private mutating func add(_ rows: [FieldRow], at start: Int, _ name: String) {
    for row in rows {
      fields.append(
        Field(
          name: "\(name) \(row.name)", offset: start + row.offset, byteCount: row.byteCount,
          isInLog: false))
    }
  }

  // MARK: Changing

  /// What `field` holds.
  package func value(of field: Field) -> UInt64 {
    let bytes = field.isInLog ? log?.bytes ?? [] : image.bytes
    var value: UInt64 = 0
    for index in 0..<field.byteCount {
      value |= UInt64(bytes[field.offset + index]) << UInt64(8 * index)
    }
    return value
  }

  /// Values that `field` might be set to: the least, the largest, others near and far.
  package func values(for field: Field) -> [UInt64] {
    let maximum = field.byteCount == 8 ? UInt64.max : 1 << UInt64(8 * field.byteCount) - 1
    let own = value(of: field)
    let pageCount = UInt64(image.bytes.count / pageByteCount)
    var values: [UInt64] = [
      0, 1, 2, maximum, maximum - 1, maximum / 2, maximum / 2 + 1, own &+ 1, own &- 1, own ^ 0x80,
      pageCount, pageCount - 1, UInt64(image.u32(60)), UInt64(image.catalogRoot),
    ]
    // Pages of other trees, and places in the page.
    values += pages.prefix(3).map { UInt64($0.page) } + pages.suffix(3).map { UInt64($0.page) }
    values += [32, 40, UInt64(pageByteCount), UInt64(pageByteCount) - 1]
    var seen: Set<UInt64> = [own]
    return values.map { $0 & maximum }.filter { seen.insert($0).inserted }
  }

  /// Sets `field`; `seal` must follow.
  package mutating func set(_ field: Field, to value: UInt64) {
    for index in 0..<field.byteCount {
      let byte = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
      if field.isInLog {
        log?.bytes[field.offset + index] = byte
      } else {
        image.bytes[field.offset + index] = byte
      }
    }
  }

  /// Changes the map of space.
  package mutating func editMap(_ body: (inout SpaceMap) -> Void) throws(StoreError) {
    try image.editMap(body)
  }

  /// Makes every checksum fit, but those that `kept` stand for.
  package mutating func seal(keeping kept: [Field] = []) {
    let keptOffsets = Set(kept.filter { !$0.isInLog }.map(\.offset))
    for (page, pointers) in pages {
      for pointer in pointers where !keptOffsets.contains(pointer.checksum) {
        seal(pointer)
      }
      if !keptOffsets.contains(image.start(page)) {
        image.setU32(
          page * pageByteCount,
          image.checksum(page * pageByteCount + 4..<(page + 1) * pageByteCount))
      }
    }
    sealMetas(keptOffsets)
    log?.seal()
  }

  private mutating func seal(_ pointer: Pointer) {
    let first = image.u32(pointer.number) * pageByteCount
    if let length = pointer.length {
      let end = first + image.u32(length)
      if end <= image.bytes.count { image.setU32(pointer.checksum, image.checksum(first..<end)) }
    } else if first + 4 <= image.bytes.count, image.u32(pointer.number) != 0 {
      image.setU32(pointer.checksum, image.u32(first))
    }
  }

  private mutating func sealMetas(_ kept: Set<Int>) {
    let root = image.catalogRoot * pageByteCount
    if !kept.contains(52), root > 0, root + 4 <= image.bytes.count {
      image.setU32(52, image.u32(root))
    }
    let map = image.u32(60) * pageByteCount
    let end = map + image.u32(64)
    if !kept.contains(68), end <= image.bytes.count { image.setU32(68, image.checksum(map..<end)) }
    if !kept.contains(0) { image.setU32(0, image.checksum(4..<512)) }
    for index in 0..<512 { image.bytes[pageByteCount + index] = image.bytes[index] }
  }
}
