/// Pages that follow one another and belong together: a value's, or the map's.
package struct PageRun: Hashable, Sendable {
  /// The first page.
  package var first: PageID
  /// How many there are.
  package var pageCount: Int

  package init(first: PageID, pageCount: Int) {
    self.first = first
    self.pageCount = pageCount
  }

  /// The pages of `pending`.
  package init(_ pending: PendingPage) {
    self.init(first: pending.first, pageCount: Int(pending.pageCount))
  }

  /// The numbers of the pages.
  package var indices: Range<Int> { first.index..<first.index + pageCount }
}
