/// How a transaction that has changed more than fits in memory goes on: its pages move into the file,
/// and it can commit by a checkpoint only.
extension StoreCore {
  /// Moves the transaction's pages into the file, where they take more memory than they may.
  func spill(_ writer: Writer) throws(StoreError) {
    if writer.pages.buffers.lentByteCount <= options.writeBufferByteCount { return }
    try moveToFile(writer)
  }

  /// Moves the transaction's pages into the file, where keys are being appended to `table`: the
  /// pages are full and not needed any more, and their memory, still in the caches, can be used for
  /// the next ones.
  @inline(__always) func stream(_ table: OpenTable, of writer: Writer) throws(StoreError) {
    if table.editor.appendedCount < 1024 || !writer.needsCheckpoint { return }
    try moveToFile(writer)
  }

  private func moveToFile(_ writer: Writer) throws(StoreError) {
    try publishBeforeSpill(writer)
    try reserveFile(writer, pageCount: writer.pages.pageEnd, spare: 1)
    var output = PageOutput(map, .fileAlone, onlyBirth: writer.pages.transaction)
    do throws(StoreError) {
      for table in writer.openTables where !table.isDropped {
        try output.writeTable(table.editor.root, table.id)
      }
    } catch {
      // Pages may say that they are in the file, and are not: nothing of the transaction can stay.
      let error = fullDisk(error, byteCount: 0, writer)
      writer.lose(error)
      throw error
    }
    // Backwards, so that the memory is used again in the order of its addresses.
    for page in output.written.reversed() { writer.pages.dropPrivate(page) }
    writer.requireCheckpoint()
  }

  /// Brings the pages of earlier commits into the file, so that only the transaction's are private.
  private func publishBeforeSpill(_ writer: Writer) throws(StoreError) {
    let isBehind = commits.withLock { $0.tip.transaction > $0.published.transaction }
    if !isBehind { return }
    if options.durability == .immediate { try syncTip() } else { try publishTip() }
    collect(writer)
  }
}
