import PageStore
import Testing

@Suite struct `A map of space` {
  private static func sample(seed: UInt64) -> SpaceMap {
    var random = SpaceRandom(seed: seed)
    var bitmap = PageBitmap(pageCount: 2 + random.below(1500))
    var pending: [PendingPage] = []
    let isCrowded = random.below(2) == 0
    for _ in 0..<random.below(isCrowded ? 300 : 20) {
      let count = isCrowded ? 1 : 1 + random.below(40)
      guard let page = bitmap.allocateRun(count) else { break }
      switch random.below(3) {
      case 0:
        let birth = UInt64(random.below(100))
        pending.append(
          PendingPage(
            first: page, pageCount: UInt32(count), birth: TransactionNumber(birth),
            end: TransactionNumber(birth + 1 + UInt64(random.below(9)))))
      case 1: if isCrowded { bitmap.markFree(page) } else { fallthrough }
      default: break
      }
      if isCrowded, random.below(2) == 0 { _ = bitmap.allocateRun(2) }
    }
    return SpaceMap(
      bitmap: bitmap, pending: pending, nextTableID: random.next(),
      highestTransaction: TransactionNumber(random.next() >> 2),
      highestPageCount: bitmap.pageCount + random.below(5))
  }

  private func decode(_ bytes: [UInt8], maximum: Int = 5000) throws(StoreError) -> SpaceMap {
    try SpaceMap(untrusted: bytes, path: "map", page: PageID(7), maximumPageCount: maximum)
  }

  @Test(arguments: UInt64(0)..<64)
  func `comes back as it was written`(seed: UInt64) throws {
    let map = Self.sample(seed: seed)
    let bytes = map.encoded()
    #expect(bytes.count <= map.encodedByteCount)
    #expect(try decode(bytes) == map)
    #expect(try decode(bytes + [1, 2, 3]) == map)
    #expect(throws: StoreError.self) { try decode(bytes, maximum: map.bitmap.pageCount - 1) }
  }

  @Test func `takes little room while pages in use follow each other`() {
    let map = SpaceMap(
      bitmap: PageBitmap(pageCount: 1_000_000), pending: [], nextTableID: 1,
      highestTransaction: .zero, highestPageCount: 1_000_000)
    #expect(map.encoded().count < 64)
  }

  @Test(arguments: UInt64(0)..<32)
  func `fits the run that was counted before the run was in it`(seed: UInt64) {
    var map = Self.sample(seed: seed)
    let bytesPerPage = 40 + Int(seed)
    let count = map.runPageCount(bytesPerPage: bytesPerPage)
    if map.bitmap.allocateRun(count) == nil {
      map.bitmap.extend(to: map.bitmap.pageCount + count)
      let run = map.bitmap.allocateRun(count)
      #expect(run != nil)
    }
    map.highestPageCount = max(map.highestPageCount, map.bitmap.pageCount)
    #expect(map.encoded().count <= count * bytesPerPage)
  }

  @Test(arguments: UInt64(0)..<16)
  func `is refused when it was cut anywhere`(seed: UInt64) {
    let bytes = Self.sample(seed: seed).encoded()
    for count in 0..<bytes.count {
      #expect(throws: StoreError.self) { try decode(Array(bytes[..<count])) }
    }
  }

  @Test func `is refused where it calls a meta page free`() {
    var bitmap = PageBitmap(pageCount: 200)
    while bitmap.allocate() != nil {}
    for index in stride(from: 3, to: 200, by: 2) { bitmap.markFree(PageID(UInt32(index))) }
    let bytes = SpaceMap(
      bitmap: bitmap, pending: [], nextTableID: 1, highestTransaction: .zero, highestPageCount: 200
    ).encoded()
    var refusals: [Damage.Problem] = []
    for index in bytes.indices {
      var bad = bytes
      bad[index] &= 0xFC
      if case .corrupt(let damage)? = storeError({ () throws(StoreError) in _ = try decode(bad) }) {
        refusals.append(damage.problem)
      }
    }
    #expect(refusals.contains { if case .field("bitmap", _) = $0 { true } else { false } })
  }

  @Test(arguments: UInt64(0)..<20)
  func `of any bytes is sound or refused`(seed: UInt64) {
    var random = SpaceRandom(seed: seed &+ 1000)
    let original = Self.sample(seed: seed).encoded()
    for _ in 0..<1000 {
      var bytes = original
      for _ in 0...random.below(3) {
        let index = random.below(random.below(2) == 0 ? min(48, bytes.count) : bytes.count)
        switch random.below(3) {
        case 0: bytes[index] ^= 1 << UInt8(random.below(8))
        case 1: bytes[index] = UInt8(random.below(256))
        default: bytes[index] = random.below(2) == 0 ? 0 : 255
        }
      }
      do throws(StoreError) {
        let map = try decode(bytes)
        let again = try decode(map.encoded())
        #expect(again == map)
      } catch {
        switch error {
        case .corrupt, .unsupportedVersion: break
        default: Issue.record("\(error)")
        }
      }
    }
  }

  @Test func `is refused where two pending runs meet`() {
    var bitmap = PageBitmap(pageCount: 20)
    _ = bitmap.allocateRun(4)
    let pages = [PageID(2), PageID(4)].map {
      PendingPage(
        first: $0, pageCount: 2, birth: TransactionNumber(1), end: TransactionNumber(2))
    }
    var bytes = SpaceMap(
      bitmap: bitmap, pending: pages, nextTableID: 1, highestTransaction: .zero,
      highestPageCount: 20
    ).encoded()
    bytes[bytes.count - 24] = 3
    let damage = Damage(path: "map", page: PageID(7), .usedTwice(PageID(3)))
    #expect(throws: StoreError.corrupt(damage)) { try decode(bytes) }
  }

  @Test func `is not written with a pending page that is free`() async {
    await #expect(processExitsWith: .failure) {
      let page = PendingPage(
        first: PageID(5), birth: TransactionNumber(1), end: TransactionNumber(2))
      _ = SpaceMap(
        bitmap: PageBitmap(pageCount: 20), pending: [page], nextTableID: 1,
        highestTransaction: .zero, highestPageCount: 20
      ).encoded()
    }
  }
}
