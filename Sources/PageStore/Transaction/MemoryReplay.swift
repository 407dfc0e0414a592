/// What a store does with a log that it must not or cannot write over: it lays memory behind the
/// pages of the file, and replays the log into that.
extension StoreCore {
  /// Replays the log into memory laid behind the file's pages; nothing is written.
  func replayInMemory(_ meta: MetaPage) throws(StoreError) {
    guard let log = try openOldLog(of: meta, mode: .readOnly) else {
      try makeVisible(nil)
      return
    }
    let map = try PageMap(
      reserving: options.reservedByteCount, for: file, pageByteCount: self.map.pageByteCount)
    try makeVisible(log)
    try map.checkRoom(forPages: meta.pageCount)
    let filePageCount = try map.filePageCount()
    var bitmap = PageBitmap()
    bitmap.markUsed(2..<max(2, filePageCount))
    let pages = PageWriter(
      map: map, bitmap: bitmap, buffers: PageBuffers(pageByteCount: map.pageByteCount))
    pages.setPageEnd(filePageCount)
    let base = TreeState(meta, nextTableID: 1)
    let writer = Writer(
      pages: pages, pending: PendingPages(), base: base,
      mapRun: PageRun(
        first: meta.mapPage, pageCount: meta.mapPageCount, birth: meta.transaction),
      filePageCount: filePageCount)
    writer.begin(base.transaction.next, living: LivingStates([base.transaction]))
    let count = try replay(log, of: meta, into: writer) { _ in }
    var state = try writer.close()
    state.transaction = TransactionNumber(base.transaction.rawValue + UInt64(max(count, 1)))
    try map.overlayMemory(filePageCount..<max(pages.pageEnd, filePageCount))
    var output = PageOutput(map, .memory)
    state.catalog = try output.writeCatalog(state.catalog)
    state.pageCount = max(pages.pageEnd, filePageCount)
    for page in output.written {
      let entry = map.view.privateEntry(page)
      if entry.rawValue == 0 { continue }
      map.view.setPrivateEntry(page, .none)
      pages.takeBack(entry)
    }
    log.close()
    let replayed = Replayed(map: map, state: state, durable: meta.transaction)
    self.replayed.withLock { $0 = replayed }
  }

  /// Syncs what is about to be shown: what somebody has seen must survive a loss of power, and whoever
  /// wrote it died, perhaps before its own sync.
  ///
  /// Where the system syncs nothing for those who only read, nobody could have written either.
  func makeVisible(_ log: LogFile?) throws(StoreError) {
    do throws(StoreError) {
      try file.sync()
      try log?.sync()
    } catch {
      guard case .system(.sync, _, let errno) = error, isRefusal(errno) || errno == 22  // EINVAL
      else { throw error }
    }
  }
}
