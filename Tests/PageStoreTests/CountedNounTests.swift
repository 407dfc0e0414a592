import PageStore
import Testing

@Suite struct `A number and what it counts` {
  @Test(arguments: [(0, "0 pages"), (1, "1 page"), (2, "2 pages"), (-1, "-1 pages")])
  func `is one thing or several`(count: Int, text: String) {
    #expect(count.counted("page") == text)
    #expect(Int8(count).counted("page") == text)
  }

  @Test func `may have a plural of its own`() {
    #expect(UInt64(1).counted("loss", "losses") == "1 loss")
    #expect(UInt64(12).counted("loss", "losses") == "12 losses")
  }

  @Test func `is one page of which another is none`() {
    #expect("\(Damage.Problem.outOfBounds(PageID(9), pageCount: 1))".hasSuffix("the 1 page"))
  }
}
