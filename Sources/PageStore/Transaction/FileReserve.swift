/// Disk blocks for the main file: had before a commit is decided, so that a full disk fails the
/// commit and nothing later.
///
/// A few pages are kept free for the day when the disk is full: two maps of space and the pages that
/// one batch of deletes copies. Only checkpoints may use them, and transactions that delete and leave
/// the trees no larger.
extension StoreCore {
  /// The free pages that are kept for a full disk.
  func reservePageCount(_ writer: Writer) -> Int {
    // A row may stand in the index of each table, and the path to its leaf there is copied.
    let usedCount = writer.pages.bitmap.usedCount
    let copies = 12 + min(2 * writer.tableNumberCount, usedCount / 4, 116)
    return writer.mapRun.pageCount + nextMapPageCount(writer) + copies
  }

  /// No map of a checkpoint after the transaction in `writer` takes more pages.
  ///
  /// It tells of each run that waits, so what has been deleted since the last checkpoint makes it
  /// longer, and that checkpoint must have room all the same.
  private func nextMapPageCount(_ writer: Writer) -> Int {
    let pages = writer.pages
    return SpaceMap.runPageCount(
      bytesPerPage: map.pageByteCount, bitmapPageCount: pages.bitmap.pageCount,
      pendingCount: writer.pending.pageCount + pages.ended.count + 4)
  }

  /// How long the file must be, in pages, to have a run for a map of `pageCount` pages.
  private func pageEnd(forMap pageCount: Int, _ writer: Writer) -> Int {
    let pages = writer.pages
    let isThere =
      writer.filePageCount - pages.pageEnd >= pageCount || pageCount == 1
      || pages.bitmap.hasFreeRun(pageCount, below: writer.filePageCount)
    return isThere ? pages.pageEnd : pages.pageEnd + pageCount
  }

  /// Makes sure that the file has blocks for the transaction in `writer` and the checkpoint to come.
  ///
  /// - Returns: True where the transaction uses the reserve, and so must commit by a checkpoint: only
  ///   that frees the pages that it has deleted, and with them the reserve.
  /// - Throws: `.diskFull` or `.fileTooLarge`.
  func reserveFile(for writer: Writer) throws(StoreError) -> Bool {
    let pages = writer.pages
    let usedCount = pages.bitmap.usedCount
    let nextMapPageCount = nextMapPageCount(writer)
    do throws(StoreError) {
      try reserveFile(
        writer,
        pageCount: max(
          pageEnd(forMap: nextMapPageCount, writer), usedCount + reservePageCount(writer)),
        spare: 1)
      return false
    } catch {
      guard writer.mayUseReserve else { throw error }
    }
    try reserveFile(
      writer, pageCount: max(pages.pageEnd, usedCount + nextMapPageCount + 1), spare: 0)
    return true
  }

  /// Makes the file at least `pageCount` pages long; with `spare`, longer where that is to be had.
  func reserveFile(
    _ writer: Writer, pageCount: Int, spare: Int
  ) throws(StoreError) {
    if pageCount <= writer.filePageCount { return }
    let wished = pageCount + spare * max(16, min(pageCount / 8, 8192))
    let limit = min(
      map.pageLimit, (options.maximumByteCount ?? Int.max) / map.pageByteCount)
    if pageCount > limit {
      throw .fileTooLarge(path: path, maximum: min(limit * map.pageByteCount, Int.max))
    }
    var lastError: StoreError?
    for attempt in 0..<3 {
      // What the log holds and does not need is room too, but not below a limit of files' sizes.
      if attempt == 2 {
        guard case .system(_, _, let errno)? = lastError, errno != 27, shrinkLog() else {  // EFBIG
          break
        }
      }
      let target = attempt == 0 ? min(wished, limit) : pageCount
      do throws(StoreError) {
        try file.allocate(to: target * map.pageByteCount)
        writer.filePageCount = target
        return
      } catch {
        lastError = error
        guard case .system(_, _, let errno) = error, isDiskFull(errno) else { break }
      }
    }
    guard let lastError else { return }
    throw fullDisk(
      lastError, byteCount: (pageCount - writer.filePageCount) * map.pageByteCount, writer)
  }

  /// Gives blocks of the log back to the system: those of the half that is free, but its first ones.
  ///
  /// The caller is inside the gate, so nobody moves on into that half meanwhile.
  ///
  /// - Returns: True where that may have made room.
  private func shrinkLog() -> Bool {
    let shrinking = commits.withLock { commits -> (LogFile, Int)? in
      guard !commits.isGrowingLog, let log = commits.log,
        let half = commits.tail?.shortenFreeHalf()
      else { return nil }
      commits.isGrowingLog = true
      return (log, half)
    }
    guard let (log, half) = shrinking else { return false }
    defer { commits.withLock { $0.isGrowingLog = false } }
    do throws(StoreError) {
      try log.shrinkHalf(half, to: log.geometry.initialHalfByteCount)
      return true
    } catch {
      return false
    }
  }

  /// `error`, told as a full disk where it is one.
  func fullDisk(_ error: StoreError, byteCount: Int, _ writer: Writer) -> StoreError {
    guard case .system(_, let path, let errno) = error, isDiskFull(errno) else { return error }
    let reader = oldestReader { writer.pending.pageCount(pinnedBy: $0) }
    return .diskFull(path: path, byteCount: byteCount, oldestReader: reader)
  }

  /// The oldest reader of any process, or nil where nobody reads or it cannot be told.
  func oldestReader(pinned: (TransactionNumber) -> Int) -> ReaderDescription? {
    let reader: ReaderScan.Reader?
    do throws(StoreError) {
      reader = try shared.oldestReader()
    } catch {
      return nil
    }
    guard let reader else { return nil }
    let now = fileSystem.nanoseconds()
    return ReaderDescription(
      processID: reader.processID, transaction: reader.transaction,
      ageMilliseconds: Int(now > reader.since ? (now - reader.since) / 1_000_000 : 0),
      pinnedByteCount: pinned(reader.transaction) * map.pageByteCount)
  }
}

extension StoreError {
  /// True where it says that there is no room, or not as much as the store may have.
  var isWantOfRoom: Bool {
    switch self {
    case .diskFull, .fileTooLarge: true
    case .system(_, _, let errno): isDiskFull(errno)
    default: false
    }
  }
}

/// True where `errno` says that there is no room: on the disk, in the quota, or in a limit.
func isDiskFull(_ errno: Int32) -> Bool {
  errno == 28 || errno == 122 || errno == 27  // ENOSPC, EDQUOT, EFBIG
}
