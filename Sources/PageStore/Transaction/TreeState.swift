/// One committed state of the whole store: the catalog as of a transaction.
struct TreeState: Equatable, Sendable {
  var transaction: TransactionNumber
  var catalog: TreeRoot
  /// One past the last page that the state may refer to.
  var pageCount: Int
  /// The number that the next new table gets.
  var nextTableID: UInt32

  init(
    transaction: TransactionNumber, catalog: TreeRoot, pageCount: Int, nextTableID: UInt32
  ) {
    self.transaction = transaction
    self.catalog = catalog
    self.pageCount = pageCount
    self.nextTableID = nextTableID
  }

  init(_ published: PublishedState) {
    transaction = published.transaction
    catalog = TreeRoot(
      page: published.catalogRoot, checksum: published.catalogChecksum,
      level: Int(published.catalogLevel))
    pageCount = published.pageCount
    nextTableID = UInt32(clamping: published.nextTableID)
  }

  init(_ meta: MetaPage, nextTableID: UInt32) {
    transaction = meta.transaction
    catalog = TreeRoot(
      page: meta.catalogRoot, checksum: meta.catalogChecksum, level: meta.catalogLevel)
    pageCount = meta.pageCount
    self.nextTableID = nextTableID
  }

  /// The state as the lock file publishes it.
  var published: PublishedState {
    PublishedState(
      transaction: transaction, catalogRoot: catalog.page, catalogChecksum: catalog.checksum,
      catalogLevel: UInt8(catalog.level), pageCount: pageCount, nextTableID: UInt64(nextTableID))
  }
}
