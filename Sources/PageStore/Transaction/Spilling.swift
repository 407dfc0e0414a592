/// How a transaction that has changed more than fits in memory goes on: its pages move into the file,
/// and it can commit by a checkpoint only.
extension StoreCore {
  /// Moves the transaction's pages into the file, where they take more memory than they may.
  func spill(_ writer: Writer) throws(StoreError) {
    if writer.pages.buffers.lentByteCount <= options.writeBufferByteCount { return }
    try publishBeforeSpill(writer)
    try reserveFile(writer, pageCount: writer.pages.pageEnd, spare: 1)
    var output = PageOutput(map, .fileAlone, onlyBirth: writer.pages.transaction)
    do throws(StoreError) {
      for table in writer.openTables where !table.isDropped {
        try output.writeTable(table.editor.root, table.id)
      }
    } catch {
      throw fullDisk(error, byteCount: 0)
    }
    for page in output.written { writer.pages.dropPrivate(page) }
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
