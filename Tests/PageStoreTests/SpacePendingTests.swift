import PageStore
import Testing

@Suite struct `Pending pages` {
  private func number(_ value: Int) -> TransactionNumber { TransactionNumber(UInt64(value)) }

  @Test(arguments: UInt64(0)..<32)
  func `are released as soon as no living state sees them, and never before`(seed: UInt64) {
    var random = SpaceRandom(seed: seed)
    var pending = PendingPages()
    var model: Set<PendingPage> = []
    var living: Set<Int> = [0]
    var nextPage: UInt32 = 2
    for tip in 1...150 {
      living = living.filter { _ in random.below(8) > 0 }
      if random.below(3) > 0 { living.insert(tip - 1) }
      let states = LivingStates(living.map(number))
      let isSeen = { (page: PendingPage) in
        living.contains { page.birth <= number($0) && number($0) < page.end }
      }
      for _ in 0..<random.below(6) {
        let page = PendingPage(
          first: PageID(nextPage), pageCount: UInt32(1 + random.below(5)),
          birth: number(random.below(tip)), end: number(tip))
        nextPage += page.pageCount
        let isFree = pending.add(page, living: states)
        #expect(isFree == !isSeen(page))
        if isSeen(page) { model.insert(page) }
      }
      var released: Set<PendingPage> = []
      pending.release(living: states) { released.insert($0) }
      #expect(released == model.filter { !isSeen($0) })
      model.subtract(released)
      #expect(pending.all == model.sorted { $0.first < $1.first })
      #expect(pending.pageCount == model.reduce(0) { $0 + Int($1.pageCount) })
      let highest = model.map { $0.first.rawValue + $0.pageCount - 1 }.max()
      #expect(pending.highestPage?.rawValue == highest)
      #expect(pending.count == model.count)
      let pinned = living.reduce(0) { $0 + pending.pageCount(pinnedBy: number($1)) }
      #expect(pinned == pending.pageCount)
      if random.below(20) == 0 { pending = PendingPages(pending.all, living: states) }
    }
  }

  @Test func `are not looked at again beside a long reader`() {
    var pending = PendingPages()
    for tip in 1...2000 {
      let living = LivingStates([number(1), number(tip)])
      _ = pending.add(
        PendingPage(first: PageID(UInt32(tip + 1)), birth: number(1), end: number(tip + 1)),
        living: living)
      pending.release(living: LivingStates([number(1), number(tip + 1)])) { _ in
        Issue.record("released beneath the reader")
      }
    }
    #expect(pending.pageCount == 2000)
    #expect(pending.pageCount(pinnedBy: number(1)) == 2000)
    #expect(pending.lookCount <= 4000)
  }

  @Test func `born and ended after an old reader began are free at once`() {
    var pending = PendingPages()
    let page = PendingPage(first: PageID(9), birth: number(20), end: number(30))
    let isFree = pending.add(page, living: LivingStates([number(10), number(30)]))
    #expect(isFree)
    #expect(pending.isEmpty)
  }

  @Test func `born before a hold are kept while it lasts, and later ones are not`() {
    let page = PendingPage(first: PageID(9), birth: number(2), end: number(3))
    let other = PendingPage(first: PageID(10), birth: number(5), end: number(7))
    let later = PendingPage(first: PageID(11), birth: number(6), end: number(7))
    let pinned = PendingPage(first: PageID(12), birth: number(6), end: number(9))
    let living = LivingStates([number(8)])
    var pending = PendingPages([page], living: living, held: number(5))
    #expect(pending.isHeld)
    let areFree = [other, later, pinned].map { pending.add($0, living: living) }
    #expect(areFree == [false, true, false])
    var released: [PendingPage] = []
    pending.release(living: LivingStates([number(10)])) { released.append($0) }
    #expect(released == [pinned])
    #expect(pending.all == [page, other])
    pending.endHold()
    pending.release(living: LivingStates([number(10)])) { released.append($0) }
    #expect(released == [pinned, page, other])
    #expect(pending.isEmpty)
  }

  @Test func `cannot end before they were born`() async {
    await #expect(processExitsWith: .failure) {
      _ = PendingPage(first: PageID(9), birth: TransactionNumber(3), end: TransactionNumber(3))
    }
  }

  @Test func `see the newest living state before their end`() {
    let living = LivingStates([9, 3, 5, 3].map(number))
    #expect(living.states == [3, 5, 9].map(number))
    #expect(living.newest(before: number(3)) == nil)
    #expect(living.newest(before: number(5)) == number(3))
    #expect(living.newest(before: number(100)) == number(9))
    #expect(living.contains(number(5)))
    #expect(!living.contains(number(4)))
  }
}
