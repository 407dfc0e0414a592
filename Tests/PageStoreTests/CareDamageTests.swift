import PageStore
import ProbeModel
import SimulatedDisk
import Testing

@Suite struct `Checking a damaged file` {
  @Test(arguments: [DatabaseImage.Kind.meta, .map, .branch, .leaf, .overflow])
  func `finds any changed byte`(kind: DatabaseImage.Kind) throws {
    let sample = try DatabaseImage.sample(seed: 3).file
    var random = SplitMix64(seed: 5)
    let pages = sample.livePages.filter { $0.kind == kind }
    #expect(!pages.isEmpty)
    for number in 0..<60 {
      guard let (page, _) = pages.randomElement(using: &random) else { return }
      var range = sample.range(of: page, kind)
      if kind == .overflow { range = overflowRange(of: page, in: sample) ?? range }
      if range.isEmpty { continue }
      // The first bytes of a page are its header, and dense.
      let offset =
        number % 2 == 0 || kind == .overflow
        ? random.number(in: range)
        : random.number(in: range.lowerBound..<min(range.upperBound, range.lowerBound + 64))
      var file = sample
      file.bytes[offset] ^= UInt8(1 << random.number(in: 0..<8))
      let report = try CareDisk(file).check()
      #expect(!report.isClean, "byte \(offset - sample.start(page)) of page \(page)")
      let names = report.problems.contains { problem in
        guard case .corrupt(let damage) = problem else { return false }
        return damage.page?.index == page || kind == .map || kind == .overflow
      }
      #expect(names, "\(report.problems) do not name page \(page)")
    }
  }

  /// The bytes of `page` that belong to a value, where it is part of a run.
  private func overflowRange(of page: Int, in file: DatabaseImage) -> Range<Int>? {
    for (leaf, kind) in file.livePages where kind == .leaf {
      for index in 0..<file.count(leaf) {
        let (offset, count) = file.value(leaf, index)
        if count != nil { continue }
        let start = file.start(file.u32(offset))
        let end = start + file.u32(offset + 4)
        if (start..<end).contains(file.start(page)) {
          return file.start(page)..<min(end, file.start(page + 1))
        }
      }
    }
    return nil
  }

  @Test func `finds a live page that is marked free`() throws {
    var file = try DatabaseImage.sample(seed: 4).file
    let pages = file.livePages.filter { $0.kind == .leaf || $0.kind == .overflow }
    let page = PageID(UInt32(pages[pages.count / 2].page))
    try file.editMap { $0.bitmap.markFree(page) }
    let report = try CareDisk(file).check()
    #expect(report.problems == [.corrupt(Damage(path: "a.db", page: page, .notMapped(page)))])
  }

  @Test func `finds a free page that is marked as in use`() throws {
    var file = try DatabaseImage.sample(seed: 4).file
    var leaked: [PageID] = []
    // Not every file has free pages within its length.
    for seed in 4..<40 where leaked.count < 2 {
      file = try DatabaseImage.sample(seed: UInt64(seed)).file
      leaked = []
      try file.editMap { map in
        for _ in 0..<2 { if let page = map.bitmap.allocate() { leaked.append(page) } }
      }
    }
    let report = try CareDisk(file).check()
    #expect(
      report.problems == leaked.map { .corrupt(Damage(path: "a.db", page: $0, .leaked($0))) })
    #expect(leaked.count == 2)
  }

  @Test func `finds a page that is reached twice`() throws {
    var file = try DatabaseImage.sample(seed: 4).file
    let branch = try #require(file.livePages.last { $0.kind == .branch }?.page)
    let first = file.child(branch, 0)
    let second = file.child(branch, 1)
    let page = PageID(UInt32(file.u32(first.number)))
    file.setU32(second.number, page.index)
    file.setU32(second.checksum, file.u32(first.checksum))
    file.seal()
    let report = try CareDisk(file).check()
    let isFound = report.problems.contains { problem in
      guard case .corrupt(let damage) = problem else { return false }
      return damage.problem == .usedTwice(page) && damage.table != nil
    }
    #expect(isFound, "\(report.problems)")
  }

  @Test func `finds a wrong number of rows`() throws {
    var file = try DatabaseImage.sample(seed: 4).file
    let record = try #require(file.records.first)
    let count = file.u32(record + 16)
    file.setU32(record + 16, count + 1)
    file.seal()
    let report = try CareDisk(file).check()
    #expect(report.problemCount == 1)
    guard case .corrupt(let damage) = report.problems.first else {
      Issue.record("\(report.problems)")
      return
    }
    #expect(damage.problem == .count("rows", stored: UInt64(count) + 1, found: UInt64(count)))
  }

  @Test func `finds two tables of one number`() throws {
    var file = try DatabaseImage.sample(seed: 4).file
    let records = file.records
    file.setU32(records[1], file.u32(records[0]))
    file.seal()
    let report = try CareDisk(file).check()
    let isFound = report.problems.contains { problem in
      guard case .corrupt(let damage) = problem else { return false }
      return damage.problem == .field("table number", UInt64(file.u32(records[0])))
    }
    #expect(isFound)
  }

  @Test func `tells of a file that is no database`() throws {
    for bytes in [[], [UInt8](repeating: 7, count: 100), [UInt8](repeating: 0, count: 40_000)] {
      let report = try CareDisk(DatabaseImage(bytes)).check()
      #expect(report.problems == [.notADatabase(path: "a.db", .file)])
    }
    var file = try DatabaseImage.sample(seed: 4).file
    file.bytes[100] ^= 1
    file.bytes[file.pageByteCount + 100] ^= 1
    let report = try CareDisk(file).check()
    #expect(report.problems == [.corrupt(Damage(path: "a.db", .noMetaPage))])
  }

  @Test(arguments: 0..<10)
  func `survives whatever the file holds, and changes nothing`(batch: Int) throws {
    var random = SplitMix64(seed: UInt64(batch) &* 77 &+ 1)
    let sample = try DatabaseImage.sample(seed: UInt64(batch % 3), rowCount: 400).file
    for _ in 0..<100 {
      var file = sample
      let live = sample.livePages
      for _ in 0..<random.number(in: 1..<6) { damage(&file, live, &random) }
      do {
        _ = try CareDisk(file).check()
      } catch StoreError.unsupportedVersion {
        continue
      }
    }
  }

  /// Does some harm, half the time with checksums that fit.
  private func damage(
    _ file: inout DatabaseImage, _ live: [(page: Int, kind: DatabaseImage.Kind)],
    _ random: inout SplitMix64
  ) {
    guard let (page, kind) = live.randomElement(using: &random) else { return }
    if file.bytes.count < 2 * 4096 || file.pageByteCount != 4096
      || file.bytes.count < file.start(page + 1)
    {
      return
    }
    let range = file.range(of: page, kind)
    if range.isEmpty { return }
    switch random.number(in: 0..<8) {
    case 0:
      file.bytes.removeLast(random.number(in: 0..<file.bytes.count / 4))
      return
    case 1:
      guard let (other, _) = live.randomElement(using: &random),
        file.start(other + 1) <= file.bytes.count
      else { return }
      let (target, source) = (file.start(page), file.start(other))
      for index in 0..<4096 { file.bytes[target + index] = file.bytes[source + index] }
    case 2:
      for index in range { file.bytes[index] = 0 }
    case 3:
      for index in range { file.bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
    default:
      for _ in 0..<random.number(in: 1..<4) {
        let end = min(range.upperBound, range.lowerBound + (random.chance(50) ? 64 : 1 << 20))
        file.bytes[random.number(in: range.lowerBound..<end)] =
          [0, 1, 0x7F, 0xFF, UInt8(truncatingIfNeeded: random.next())].randomElement(using: &random)
          ?? 0
      }
    }
    guard random.chance(60), file.pageByteCount == 4096 else { return }
    switch kind {
    case .branch, .leaf: sealPath(&file, live, page)
    case .map, .meta:
      if file.start(file.u32(60)) + file.u32(64) <= file.bytes.count { file.sealMetas() }
    default: return
    }
  }

  /// Makes the checksum of a page fit, and those that point to it, as far as they are known.
  private func sealPath(
    _ file: inout DatabaseImage, _ live: [(page: Int, kind: DatabaseImage.Kind)], _ page: Int
  ) {
    let old = file.u32(file.start(page))
    let new = file.sealPage(page)
    if file.u32(48) == page {
      file.setU32(52, new)
      if file.start(file.u32(60)) + file.u32(64) <= file.bytes.count { file.sealMetas() }
      return
    }
    for (parent, kind) in live where kind == .branch || kind == .leaf {
      if file.start(parent + 1) > file.bytes.count || parent == page { continue }
      var hasChanged = false
      for offset in stride(from: file.start(parent) + 32, to: file.start(parent + 1) - 3, by: 1)
      where file.u32(offset) == old && offset >= file.start(parent) + 32 {
        file.setU32(offset, new)
        hasChanged = true
      }
      if hasChanged {
        sealPath(&file, live.filter { $0.page != page }, parent)
        return
      }
    }
  }
}
