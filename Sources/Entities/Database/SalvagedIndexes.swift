internal import PageStore

/// Indexes that have lost their names.
extension SalvageRepair {
  /// Drops tables without a name that hold nothing but what an index has, which was built anew, and
  /// notes those that stay.
  ///
  /// Where a record of the index is lost, the old table has a row more, and stays.
  mutating func dropCopies(
    ofIndexesOf schemas: SchemaSet, _ store: inout WriteTransaction
  ) throws(DatabaseError) {
    var indexes: [String] = []
    for name in schemas.names {
      indexes += IndexMaintenance.tableNames(of: try schemas.layout(named: name).schema)
    }
    let tables = Set(try store.storing { (store) throws(StoreError) in try store.tableNames() })
    let known = Set(indexes + schemas.names + [CatalogTable.name])
    for table in nameless where tables.contains(table) && !known.contains(table) {
      if isSetAside(table) { continue }
      if try Self.rows(of: table, from: [], limit: 1, store).isEmpty {
        // Of what was lost in it the report still tells.
        try store.storing { (store) throws(StoreError) in
          try store.drop(try store.table(table))
        }
        continue
      }
      var original: String?
      for index in indexes where original == nil {
        if try Self.isCopy(table, of: index, store) { original = index }
      }
      guard let original else {
        report.unknownTables.append(table)
        continue
      }
      try store.storing { (store) throws(StoreError) in
        try store.drop(try store.table(table))
      }
      report.pages.tables.removeAll { $0.name == table }
      indexes.removeAll { $0 == original }
    }
    report.unknownTables.sort()
  }

  /// True for what belongs to an entity whose schema is lost.
  private func isSetAside(_ table: String) -> Bool {
    report.unknownTables.contains { table == $0 || table.hasPrefix($0 + "/") }
  }

  /// True where each row of `table` is one of `index` too.
  private static func isCopy(
    _ table: String, of index: String, _ store: borrowing WriteTransaction
  ) throws(DatabaseError) -> Bool {
    var key: [UInt8] = []
    while true {
      let rows = try rows(of: table, from: key, limit: key.isEmpty ? 1 : 256, store)
      guard let last = rows.last else { return true }
      let isThere = try RowSource.transaction(store.view).withTable(index) {
        table throws(DatabaseError) in
        for row in rows {
          if try !Self.has(row.value, row.key, table) { return false }
        }
        return true
      }
      if isThere != true { return false }
      key = last.key + [0]
    }
  }

  private static func has(
    _ value: [UInt8], _ key: [UInt8], _ table: borrowing Table
  ) throws(DatabaseError) -> Bool {
    do throws(StoreError) {
      guard let found = try table.get(key) else { return false }
      return ByteReader.copy(found) == value
    } catch {
      throw .store(error)
    }
  }
}
