import PageStore
import Testing

@Suite struct `A page's number` {
  @Test func `orders pages by place`() {
    #expect(PageID(2) < PageID(10))
  }
}
