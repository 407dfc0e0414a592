/// A write transaction to be read only, by code that cannot borrow it.
///
/// It shows the transaction's own changes, and is good until the transaction ends. Bytes that were
/// read through it are good until the transaction's next change, which is for the caller to keep: the
/// compiler does not see to it.
package struct TransactionView {
  private let core: StoreCore
  private let writer: Writer

  init(_ core: StoreCore, _ writer: Writer) {
    self.core = core
    self.writer = writer
  }

  /// Runs `body` on the table `name` as it stands now; nil where there is none.
  package func withTable<Result, Failure: StoreFailure>(
    _ name: String, _ body: (borrowing Table) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let table: Table
    do throws(StoreError) {
      try core.checkProcess()
      guard let index = try writer.table(named: name) else { return nil }
      let open = try writer.table(at: index, id: writer.id(at: index), name: name)
      table = Table(open.editor.reader, count: Int(clamping: open.rowCount))
    } catch {
      throw Failure(error)
    }
    return try body(table)
  }

  /// The names of all tables, in the order of their UTF-8.
  package func tableNames() throws(StoreError) -> [String] {
    try Catalog(reader: writer.catalog.reader).names()
  }
}

extension Snapshot {
  /// Runs `body` on the table `name`; nil where there is none.
  package func withTable<Result, Failure: StoreFailure>(
    _ name: String, _ body: (borrowing Table) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let table: Table
    do throws(StoreError) {
      table = try self.table(name)
    } catch {
      if case .noSuchTable = error { return nil }
      throw Failure(error)
    }
    return try body(table)
  }
}

extension Store {
  /// Stands for what is published now; it differs whenever something was published since.
  package var publicationSequence: UInt64 { core.shared.publishedSequence }

  /// Sleeps until another process or thread has published something after `sequence`.
  ///
  /// May return early, and always does so after `nanoseconds`.
  package func waitForPublication(after sequence: UInt64, nanoseconds: UInt64) {
    core.shared.waitForPublication(after: sequence, nanoseconds: nanoseconds)
  }

  /// True where the file system lets a store have threads of its own.
  package var allowsBackgroundThreads: Bool { core.fileSystem.allowsBackgroundThreads }
}
