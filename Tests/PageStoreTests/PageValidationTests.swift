import Testing

@testable import PageStore

/// Pages from disk: anything may be in them, and nothing of it may trap.
@Suite struct `Pages from disk` {
  static let pageLimit = 100_000

  /// A page in memory that is followed by nothing.
  private final class Page {
    let byteCount: Int
    let memory: UnsafeMutableRawPointer
    var bytes: MutablePageBytes { MutablePageBytes(memory) }

    init(_ page: PageBytes, _ byteCount: Int) {
      self.byteCount = byteCount
      memory = .allocate(byteCount: byteCount, alignment: 64)
      memory.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
      bytes.copyUsedPart(of: page, pageByteCount: byteCount)
      repair()
    }

    deinit { memory.deallocate() }

    var number: PageID { bytes.reading.number }

    func repair() {
      bytes.setU32(
        PageHeader.checksum, Checksum.ofPage(bytes.reading, pageByteCount: byteCount))
    }

    func flip(_ bit: Int) { bytes.setU8(bit >> 3, bytes.reading.u8(bit >> 3) ^ 1 << (bit & 7)) }

    func problem(_ id: PageID) -> Damage.Problem? {
      bytes.reading.problem(
        asPage: id, checksum: nil, pageByteCount: byteCount, pageLimit: pageLimit)
    }
  }

  /// Leaves and branches of many kinds, as their writer made them.
  private func samples(pageByteCount: Int) throws -> [Page] {
    var pages: [Page] = []
    for shapes in [[TreeTestKeys.Shape.number], [.longPrefix], [.short, .extended, .empty]] {
      let store = try TreeTestStore(pageByteCount: pageByteCount)
      var keys = TreeTestKeys(seed: 1, shapes: shapes)
      store.begin()
      for _ in 0..<600 { try store.put(keys.key(), keys.value()) }
      for _ in 0..<100 { try store.delete(keys.key()) }
      store.commit()
      try store.publish()
      let root = BranchPage(store.map.view.mapped(store.editor.root.page))
      var branch = root
      while branch.page.level > 1 {
        branch = BranchPage(store.map.view.mapped(branch.child(branch.count / 2)))
      }
      pages.append(Page(branch.page, pageByteCount))
      pages.append(Page(store.map.view.mapped(branch.child(0)), pageByteCount))
    }
    return pages
  }

  /// Reads everything that a page holds, as one would who trusts it.
  private func readAll(_ page: PageBytes, _ byteCount: Int) -> Int {
    var sum = 0
    if page.level == 0 {
      let leaf = LeafPage(page)
      for index in 0..<leaf.count {
        let key = leaf.key(index)
        let cell = leaf.content(index)
        sum &+= cell.key.array.count &+ cell.payload.array.reduce(0) { $0 &+ Int($1) }
        let (found, isFound) = leaf.find(key)
        #expect(isFound && found == index)
        if leaf.isOverflow(index) { sum &+= leaf.overflow(index).valueByteCount }
      }
      #expect(LeafEditor.byteCount(of: leaf.cells()[...]) == leaf.usedByteCount)
      #expect(leaf.usedByteCount <= LeafEditor.capacity(pageByteCount: byteCount))
    } else {
      let branch = BranchPage(page)
      for index in 0..<branch.separatorCount {
        let child = branch.separator(index).withBytes { branch.childIndex(for: $0) }
        #expect(child == index + 1)
        sum &+= branch.child(index).index &+ Int(branch.checksum(index))
      }
      let entries = (0..<branch.count).map { branch.content($0) }
      let needed = BranchEditor.byteCount(of: entries[...])
      #expect(needed <= BranchEditor.capacity(pageByteCount: byteCount))
    }
    return sum
  }

  @Test(arguments: StoreLimits.pageByteCounts)
  func `are found out, whichever bit flips`(pageByteCount: Int) throws {
    for page in try samples(pageByteCount: pageByteCount) {
      let id = page.number
      #expect(page.problem(id) == nil)
      _ = readAll(page.bytes.reading, pageByteCount)
      // All bits of the small pages; of the large ones each seventh, which visits every place.
      for bit in stride(from: 0, to: pageByteCount * 8, by: pageByteCount == 4096 ? 1 : 7) {
        page.flip(bit)
        if page.problem(id) == nil { Issue.record("bit \(bit) of \(id)") }
        let isRepairable = bit >= 32
        if isRepairable {
          let checksum = page.bytes.reading.checksum
          page.repair()
          if page.problem(id) == nil { _ = readAll(page.bytes.reading, pageByteCount) }
          page.bytes.setU32(PageHeader.checksum, checksum)
        }
        page.flip(bit)
      }
      #expect(page.problem(id) == nil)
    }
  }

  @Test(arguments: StoreLimits.pageByteCounts, [UInt8(0), 0xFF])
  func `are found out, wherever they are cut`(pageByteCount: Int, filler: UInt8) throws {
    for page in try samples(pageByteCount: pageByteCount) {
      let id = page.number
      let checksum = page.bytes.reading.checksum
      var isChanged = false
      for length in (4..<pageByteCount).reversed() {
        isChanged = isChanged || page.bytes.reading.u8(length) != Int(filler)
        page.bytes.setU8(length, Int(filler))
        if pageByteCount > 4096 && length % 7 > 0 { continue }
        if isChanged && page.problem(id) == nil { Issue.record("cut at \(length) of \(id)") }
        page.repair()
        if page.problem(id) == nil { _ = readAll(page.bytes.reading, pageByteCount) }
        page.bytes.setU32(PageHeader.checksum, checksum)
      }
    }
  }

  /// Its length and the sum of all lengths both lie, by bytes that deleted cells have left.
  @Test func `are found out where a cell reaches beyond them`() throws {
    let store = try TreeTestStore(pageByteCount: 4096)
    store.begin()
    for number in 0..<10 { try store.put([1, UInt8(number)], [UInt8](repeating: 7, count: 50)) }
    for number in 3..<6 { try store.delete([1, UInt8(number)]) }
    store.commit()
    try store.publish()
    let page = Page(store.map.view.mapped(store.editor.root.page), 4096)
    let id = page.number
    let leaf = LeafPage(page.bytes.reading)
    let last = try #require((0..<leaf.count).max { leaf.cell($0) < leaf.cell($1) })
    let end = leaf.cell(last) + leaf.cellByteCount(last)
    let dead = 4096 - page.bytes.reading.cellStart - page.bytes.reading.liveByteCount
    let excess = 4096 - end + 1
    #expect(page.problem(id) == nil)
    #expect(dead >= excess, "\(dead) bytes are of deleted cells")
    page.bytes.setU16(leaf.cell(last), page.bytes.reading.u16(leaf.cell(last)) + excess)
    page.bytes.setU16(
      PageHeader.liveByteCount, page.bytes.reading.liveByteCount + excess)
    page.repair()
    #expect(page.problem(id) == .field("cell \(last)", UInt64(leaf.cell(last))))
  }

  @Test(arguments: StoreLimits.pageByteCounts)
  func `can be read when they pass, whatever was changed in them`(pageByteCount: Int) throws {
    var random = SpaceRandom(seed: UInt64(pageByteCount))
    var passed = 0
    let samples = try samples(pageByteCount: pageByteCount)
    for round in 0..<20_000 {
      let sample = samples[round % samples.count]
      let page = Page(sample.bytes.reading, pageByteCount)
      let reading = page.bytes.reading
      for _ in 0...random.below(3) {
        let slots = reading.slotStart
        let limit = [32, slots + 64, slots + reading.count * 16, pageByteCount][random.below(4)]
        let offset = min(max(4, random.below(limit)), pageByteCount - 2)
        switch random.below(4) {
        case 0: page.bytes.setU8(offset, random.below(256))
        case 1: page.bytes.setU16(offset, random.below(pageByteCount + 100))
        case 2: page.bytes.setU16(offset & ~1, [0, 1, 0xFFFF, pageByteCount][random.below(4)])
        default: page.flip(offset * 8 + random.below(8))
        }
      }
      page.repair()
      if page.problem(sample.number) == nil {
        passed += 1
        _ = readAll(reading, pageByteCount)
      }
    }
    #expect(passed > 500 && passed < 19_500, "\(passed)")
  }
}
