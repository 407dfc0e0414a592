/// Pages in use that follow each other: a page of a tree, or the run behind a large value.
struct PageRun: Hashable, Sendable {
  /// The first page of the run.
  var first: PageID
  /// The length of the run: 1 for a page of a tree.
  var pageCount: Int
  /// The transaction that wrote it.
  var birth: TransactionNumber

  init(first: PageID, pageCount: Int = 1, birth: TransactionNumber) {
    self.first = first
    self.pageCount = pageCount
    self.birth = birth
  }

  /// The run that an overflow reference names, in pages of `pageByteCount` bytes.
  init(_ reference: OverflowReference, pageByteCount: Int) {
    first = reference.first
    pageCount = reference.pageCount(pageByteCount: pageByteCount)
    birth = reference.birth
  }

  /// The pages of `pending`.
  init(_ pending: PendingPage) {
    self.init(first: pending.first, pageCount: Int(pending.pageCount), birth: pending.birth)
  }

  /// The pages as indices.
  var indices: Range<Int> { first.index..<first.index + pageCount }
}
