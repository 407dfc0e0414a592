/// Cutting the file behind the last page that anybody needs.
extension StoreCore {
  /// Gives the system back what lies behind the pages in use and the reserve.
  ///
  /// The caller is inside the gate, after a checkpoint that nothing has followed: both meta pages and
  /// the published state name no page behind the new end, and what any reader sees is in use or
  /// pending, and so is kept. Failing to cut is no failure: the file stays as long as it was.
  ///
  /// - Parameters:
  ///   - writer: The writer.
  ///   - limit: The most pages that the file is to have, reserve or not.
  func trimFile(_ writer: Writer, limit: Int = .max) {
    let pages = writer.pages
    let (durable, published) = commits.withLock { ($0.checkpointed, $0.published) }
    let needed = max(
      pages.bitmap.highestUsed.index + 1, durable.pageCount, published.pageCount)
    let target = max(needed, min(limit, pages.bitmap.usedCount + reservePageCount(writer)))
    if target >= writer.filePageCount { return }
    map.forget(pagesFrom: target)
    do throws(StoreError) {
      try file.truncate(to: target * map.pageByteCount)
    } catch {
      return
    }
    writer.filePageCount = target
    pages.setPageEnd(needed)
  }
}
