internal import CDexShim

/// Writes the private pages of a committed state to their places in the main file, children first.
///
/// Beside a writer committed pages are never changed, since it may be copying them: each is copied,
/// and the copy gets the checksums of its children and its own. Without a writer they are finished
/// where they are and written in the order of their places, in pieces that do not cross a multiple of
/// 2 MiB, which lets the page cache keep them in large pieces too. Pages that follow one another are
/// written together. What was written stays private until the caller says that all of it is there.
struct PageOutput {
  private let map: PageMap
  private let view: PageMapView
  private let pageByteCount: Int
  private let target: Target
  /// Only pages with this birth are written, where it is given.
  private let onlyBirth: TransactionNumber?

  /// Finished pages that are not written yet; their numbers and the addresses of their buffers.
  private var finished: [(id: PageID, address: UInt)] = []
  private var batch: [UInt8] = []
  private var batchStart = 0
  /// The pages and runs that were written.
  private(set) var written: [PageID] = []
  private(set) var pageCount = 0

  /// Where the pages go.
  enum Target {
    /// To the file, while a writer may be at work.
    case file
    /// To the file, while none is.
    case fileAlone
    /// To memory over the file's end, for a store that cannot be written.
    case memory
  }

  /// The most bytes that are written by one call.
  private static let batchByteCount = 2 << 20

  init(_ map: PageMap, _ target: Target, onlyBirth: TransactionNumber? = nil) {
    self.map = map
    view = map.view
    pageByteCount = map.pageByteCount
    self.target = target
    self.onlyBirth = onlyBirth
  }

  /// Writes the catalog under `root` and the tables that it names.
  ///
  /// - Returns: The root with its checksum.
  mutating func writeCatalog(_ root: TreeRoot) throws(StoreError) -> TreeRoot {
    let root = try write(root, TableRecord.catalogTable)
    try writeFinished()
    try flush()
    return root
  }

  /// Writes the tree of `table` under `root`.
  mutating func writeTable(_ root: TreeRoot, _ table: UInt32) throws(StoreError) {
    _ = try write(root, table)
    try writeFinished()
    try flush()
  }

  private mutating func write(_ root: TreeRoot, _ table: UInt32) throws(StoreError) -> TreeRoot {
    if root.isEmpty { return root }
    let checksum = try writePage(root.page, root.checksum, level: root.level, table)
    return TreeRoot(page: root.page, checksum: checksum, level: root.level)
  }

  /// Writes page `id` and what lies below it, where it is private.
  ///
  /// - Returns: The checksum of its version.
  private mutating func writePage(
    _ id: PageID, _ checksum: UInt32, level: Int, _ table: UInt32
  ) throws(StoreError) -> UInt32 {
    guard let page = view.privatePage(id) else {
      return checksum != 0 ? checksum : view.verifiedChecksum(of: id)
    }
    if !page.fits(level: level, table: table) { throw map.misfit(page, id, level: level) }
    if let onlyBirth, page.birth != onlyBirth { return 0 }
    var childChecksums: [(offset: Int, checksum: UInt32)] = []
    if page.level > 0 {
      let branch = BranchPage(page)
      for index in 0..<branch.count where branch.checksum(index) == 0 {
        let checksum = try writePage(branch.child(index), 0, level: level - 1, table)
        childChecksums.append((branch.checksumOffset(index), checksum))
      }
    } else {
      let leaf = LeafPage(page)
      for index in 0..<leaf.count {
        if leaf.isOverflow(index) {
          try writeRun(leaf.overflow(index))
        } else if table == TableRecord.catalogTable {
          // A record that does not decode was there before; whoever reads it reports it.
          guard
            let record = TableRecord(
              untrusted: leaf.inlineValue(index), pageLimit: map.pageLimit, isWritten: false),
            !record.root.isEmpty, record.root.checksum == 0
          else { continue }
          let root = try write(record.root, record.id)
          let offset = leaf.cell(index) + 2 + leaf.keyCount(index) + TableRecord.checksumOffset
          childChecksums.append((offset, root.checksum))
        }
      }
    }
    return try emit(page, as: id, childChecksums)
  }

  /// Appends a finished copy of `page` to the batch.
  private mutating func emit(
    _ page: PageBytes, as id: PageID, _ childChecksums: [(offset: Int, checksum: UInt32)]
  ) throws(StoreError) -> UInt32 {
    if target == .fileAlone { return finish(page, as: id, childChecksums) }
    let offset = id.index << map.pageShift
    if batchStart + batch.count != offset || batch.count >= Self.batchByteCount {
      try flush()
      batchStart = offset
    }
    let start = batch.count
    batch.append(contentsOf: repeatElement(0, count: pageByteCount))
    // Safe: the batch has just grown by a page; the copy lies in it.
    let checksum = unsafe batch.withUnsafeMutableBytes { bytes in
      let copy = unsafe MutablePageBytes(bytes.baseAddress.unsafelyUnwrapped + start)
      copy.copyUsedPart(of: page, pageByteCount: pageByteCount)
      for child in childChecksums { copy.setU32(child.offset, child.checksum) }
      let checksum = Checksum.ofPage(copy.reading, pageByteCount: pageByteCount)
      copy.setU32(PageHeader.checksum, checksum)
      return checksum
    }
    view.setVerified(id, checksum)
    written.append(id)
    pageCount += 1
    return checksum
  }

  /// Finishes `page` in its private buffer, and notes that it is to be written.
  private mutating func finish(
    _ page: PageBytes, as id: PageID, _ childChecksums: [(offset: Int, checksum: UInt32)]
  ) -> UInt32 {
    // Safe: no writer is at work, so the buffer is nobody else's.
    let own = unsafe MutablePageBytes(UnsafeMutableRawPointer(mutating: page.start))
    for child in childChecksums { own.setU32(child.offset, child.checksum) }
    own.clearGap()
    let checksum = Checksum.ofPage(page, pageByteCount: pageByteCount)
    own.setU32(PageHeader.checksum, checksum)
    view.setVerified(id, checksum)
    unsafe finished.append((id, UInt(bitPattern: page.start)))
    written.append(id)
    pageCount += 1
    return checksum
  }

  /// Writes the finished pages in the order of their places.
  private mutating func writeFinished() throws(StoreError) {
    if finished.isEmpty { return }
    finished.sort { $0.id < $1.id }
    var start = 0
    while start < finished.count {
      let end = endOfRun(from: start)
      let first = finished[start]
      let offset = first.id.index << map.pageShift
      // Safe: the pages' private buffers are alive until the caller retires them, and those of a run
      // lie side by side.
      let run = unsafe UnsafeRawBufferPointer(
        start: UnsafeRawPointer(bitPattern: first.address),
        count: (end - start) << map.pageShift)
      if end - start >= Self.directPageCount {
        try flush()
        try unsafe output(ByteView(run), at: offset)
      } else {
        if batchStart + batch.count != offset || offset % Self.batchByteCount == 0 {
          try flush()
          batchStart = offset
        }
        unsafe batch.append(contentsOf: run)
      }
      start = end
    }
    finished.removeAll(keepingCapacity: true)
  }

  /// So many pages that lie side by side in memory are written from there.
  private static let directPageCount = 8

  /// Where the finished pages end that follow the one at `start` side by side, in the file and in
  /// memory, up to the next multiple of `batchByteCount` in the file.
  private func endOfRun(from start: Int) -> Int {
    var end = start + 1
    while end < finished.count {
      let (last, next) = (finished[end - 1], finished[end])
      if next.id.index != last.id.index + 1 { break }
      if next.address != last.address + UInt(pageByteCount) { break }
      if (next.id.index << map.pageShift) % Self.batchByteCount == 0 { break }
      end += 1
    }
    return end
  }

  private mutating func writeRun(_ reference: OverflowReference) throws(StoreError) {
    guard let run = view.privateRun(reference.first) else { return }
    if let onlyBirth, reference.birth != onlyBirth { return }
    let count = reference.pageCount(pageByteCount: pageByteCount)
    if run.pageCount != count { throw map.damage(.usedTwice(reference.first), reference.first) }
    try output(
      run.bytes.bytes(0, count * pageByteCount), at: reference.first.index << map.pageShift)
    view.setVerifiedRun(reference)
    written.append(reference.first)
    pageCount += count
  }

  private mutating func flush() throws(StoreError) {
    if batch.isEmpty { return }
    try batch.withBytes { bytes throws(StoreError) in try output(bytes, at: batchStart) }
    batch.removeAll(keepingCapacity: true)
  }

  private func output(_ bytes: ByteView, at offset: Int) throws(StoreError) {
    if target == .memory {
      map.overlaidPage(PageID(UInt32(offset >> map.pageShift))).copy(bytes, to: 0)
    } else {
      // Safe: the bytes are lent for the call.
      try unsafe map.file.write(bytes.buffer, at: offset)
    }
  }
}
