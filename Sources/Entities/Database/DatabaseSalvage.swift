public import PageStore

extension Database {
  /// Saves what can be read of the damaged database at `path` to a new file at `newPath`.
  ///
  /// Where something is missing, the indexes of the new file are built anew from the records that
  /// were saved: an index that lost a page would hide records that are all there. What refers to a
  /// record that was lost still does, and `check` names it.
  ///
  /// - Parameters:
  ///   - path: The damaged file, which is only read.
  ///   - newPath: Where the new one goes; nothing may be there.
  ///   - progress: Is told how many rows were saved, and returns false to give up.
  /// - Returns: What was saved of each table, and what was wrong.
  /// - Throws: `.store` where nothing can be saved, and then there is no new file; what
  ///   `rebuildIndexes` throws, and then there is one, whose indexes are not to be trusted.
  public static func salvage(
    from path: String, to newPath: String, progress: ((Int) -> Bool)? = nil
  ) throws(DatabaseError) -> SalvageReport {
    let report: SalvageReport
    do throws(StoreError) {
      report = try Store.salvage(from: path, to: newPath, progress: progress)
    } catch {
      throw .store(error)
    }
    if report.isComplete { return report }
    let database = try Database(path: newPath)
    try database.rebuildIndexes()
    try database.close()
    return report
  }
}
