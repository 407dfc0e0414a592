internal import PageStore

extension Database {
  /// Saves what can be read of the damaged database at `path` to a new file at `newPath`.
  ///
  /// What was saved is made to fit together, so that `check` finds
  /// nothing wrong: all indexes are built anew; references to lost records are cleared, or the
  /// records left out that cannot be without them, as the field's rule for deletions says; and so
  /// are records that cannot be read. The report counts them.
  ///
  /// - Parameters:
  ///   - path: The damaged file, which is only read.
  ///   - newPath: Where the new one goes; nothing may be there.
  ///   - entities: The types whose schemas may stand for lost ones, where the records fit them.
  ///   - migrations: Those of the program, which a file with its schemas has been through.
  ///   - progress: Is told how many rows were saved, and returns false to give up.
  /// - Returns: What was saved of each table, what was wrong, and what was done about it.
  /// - Throws: `.store` where nothing can be saved; `.newerFile`. Then there is no new file.
  public static func salvage(
    from path: String, to newPath: String, entities: [any Entity.Type] = [],
    migrations: [Migration] = [], progress: ((Int) -> Bool)? = nil
  ) throws(DatabaseError) -> SalvagedDatabase {
    var repaired: SalvagedDatabase?
    var failure: DatabaseError?
    var rowCount = 0
    do throws(StoreError) {
      let pages = try Store.salvage(
        from: path, to: newPath,
        progress: progress.map { progress in
          { count in
            rowCount = count
            return progress(count)
          }
        }
      ) {
        transaction, pages throws(StoreError) in
        var repair = SalvageRepair(
          pages, program: entities.map { ProgramEntity($0) }, migrations.map(\.name)
        ) {
          progress?(rowCount) ?? true
        }
        do throws(DatabaseError) {
          try repair.run(&transaction)
        } catch {
          if case .store(let error) = error { throw error }
          failure = error
          throw .cancelled
        }
        repaired = repair.report
      }
      return repaired ?? SalvagedDatabase(pages: pages)
    } catch {
      throw failure ?? .store(error)
    }
  }
}
