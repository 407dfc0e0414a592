import PageStore
import Testing

@Suite struct `A bitmap of pages` {
  /// What the bitmap should be, the slow way.
  private struct Model {
    var used: Set<UInt32> = [0, 1]
    var pageCount = 2

    var free: [UInt32] { (0..<UInt32(pageCount)).filter { !used.contains($0) } }

    func firstRun(_ count: Int) -> UInt32? {
      guard pageCount >= count else { return nil }
      return (0...UInt32(pageCount - count)).first { start in
        (start..<start + UInt32(count)).allSatisfy { !used.contains($0) }
      }
    }
  }

  @Test(arguments: UInt64(0)..<24)
  func `agrees with a set after any run of changes`(seed: UInt64) {
    var random = SpaceRandom(seed: seed)
    var bitmap = PageBitmap()
    var model = Model()
    for step in 0..<400 {
      switch random.below(10) {
      case 0:
        let count = model.pageCount + random.below(60)
        bitmap.extend(to: count)
        model.pageCount = count
      case 1, 2:
        let page = bitmap.allocate()
        #expect(page?.rawValue == model.free.first)
        if let page { model.used.insert(page.rawValue) }
      case 3, 4:
        let count = 1 + random.below(random.below(4) == 0 ? 100 : 9)
        let page = bitmap.allocateRun(count)
        #expect(page?.rawValue == model.firstRun(count), "a run of \(count)")
        if let page { model.used.formUnion(page.rawValue..<page.rawValue + UInt32(count)) }
      case 5, 6, 7:
        guard let page = model.used.sorted().dropFirst(2).randomElement(using: &random) else {
          continue
        }
        for next in page..<page + 1 + UInt32(random.below(12)) where model.used.contains(next) {
          bitmap.markFree(PageID(next))
          model.used.remove(next)
        }
      case 8:
        guard let page = model.free.randomElement(using: &random) else { continue }
        bitmap.markUsed(PageID(page))
        model.used.insert(page)
      default:
        let highest = Int(model.used.max() ?? 1)
        guard random.below(4) == 0 else { continue }
        model.pageCount = highest + 1 + random.below(model.pageCount - highest)
        bitmap.truncate(to: model.pageCount)
      }
      #expect(bitmap.pageCount == model.pageCount)
      #expect(bitmap.usedCount == model.used.count)
      #expect(bitmap.freeCount == model.pageCount - model.used.count)
      #expect(bitmap.highestUsed.rawValue == model.used.max())
      guard step % 16 == 0 else { continue }
      #expect(bitmap.usedRanges.flatMap { Array($0) } == model.used.sorted().map { Int($0) })
      #expect(bitmap.freeRanges.flatMap { Array($0) } == model.free.map { Int($0) })
    }
    for page in 0..<UInt32(model.pageCount + 70) {
      #expect(bitmap.isUsed(PageID(page)) == model.used.contains(page))
    }
  }

  @Test func `allocates a million pages without looking back`() {
    var bitmap = PageBitmap(pageCount: 1_000_000)
    let clock = ContinuousClock()
    let time = clock.measure { while bitmap.allocate() != nil {} }
    #expect(bitmap.freeCount == 0)
    #expect(time < .seconds(5))
  }

  @Test func `grows to a page that is marked past its end`() {
    var bitmap = PageBitmap()
    bitmap.markUsed(PageID(200))
    #expect(bitmap.pageCount == 201)
    let page = bitmap.allocate()
    #expect(page == PageID(2))
  }

  @Test func `refuses to free a free page`() async {
    await #expect(processExitsWith: .failure) {
      var bitmap = PageBitmap(pageCount: 10)
      bitmap.markFree(PageID(5))
    }
  }

  @Test func `refuses to free a meta page`() async {
    await #expect(processExitsWith: .failure) {
      var bitmap = PageBitmap(pageCount: 10)
      bitmap.markFree(PageID(1))
    }
  }

  @Test func `refuses to use a page twice`() async {
    await #expect(processExitsWith: .failure) {
      var bitmap = PageBitmap(pageCount: 10)
      bitmap.markUsed(PageID(5))
      bitmap.markUsed(PageID(5))
    }
  }

  @Test func `refuses to cut off a page in use`() async {
    await #expect(processExitsWith: .failure) {
      var bitmap = PageBitmap(pageCount: 10)
      bitmap.markUsed(PageID(5))
      bitmap.truncate(to: 5)
    }
  }
}

/// Numbers that depend on the seed alone (SplitMix64).
struct SpaceRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number in `0 ..< bound`.
  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
