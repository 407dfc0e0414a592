/// Pages that follow one another and belong together: a value's, the map's, or one of a tree.
package struct PageRun: Hashable, Sendable {
  /// The first page.
  package var first: PageID
  /// How many there are.
  package var pageCount: Int
  /// The transaction that wrote them; 0 where nobody asks.
  package var birth: TransactionNumber

  package init(first: PageID, pageCount: Int = 1, birth: TransactionNumber = .zero) {
    self.first = first
    self.pageCount = pageCount
    self.birth = birth
  }

  /// The pages of `pending`.
  package init(_ pending: PendingPage) {
    self.init(first: pending.first, pageCount: Int(pending.pageCount), birth: pending.birth)
  }

  /// The run that an overflow reference names, in pages of `pageByteCount` bytes.
  init(_ reference: OverflowReference, pageByteCount: Int) {
    self.init(
      first: reference.first, pageCount: reference.pageCount(pageByteCount: pageByteCount),
      birth: reference.birth)
  }

  /// The numbers of the pages.
  package var indices: Range<Int> { first.index..<first.index + pageCount }
}
