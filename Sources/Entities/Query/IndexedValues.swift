internal import Index

extension DatabaseReading where Self: ~Copyable {
  /// The different names or texts that a field of the records has, in the order of their folded
  /// forms; nil where it has no index of terms, or more than `limit` of them.
  ///
  /// Those that fold alike count as one, and are written as the record with the smallest number does.
  ///
  /// - Complexity: O(*n*) in the different values, whatever the number of records.
  public func values(
    of field: String, in entity: String, limit: Int
  ) throws(DatabaseError) -> [String]? {
    try withReader { reader throws(DatabaseError) in
      let context = reader.context
      let layout = try context.schemas.layout(named: entity)
      guard case .stored(let field) = try FieldAccess.resolve(FieldPath(field), in: layout),
        field.heldIndex == .terms
      else { return nil }
      var firsts: [([UInt8], RowID)] = []
      let index = IndexMaintenance.tableName(entity: entity, field: field.name)
      do throws(IndexError) {
        try IndexSource(source: context.source).withTable(index) { table throws(IndexError) in
          let terms = TermIndex(index)
          try terms.forEachTerm(in: table) { term, count throws(IndexError) in
            if count > 0,
              let row = try terms.rows(
                with: term, from: RowID(rawValue: 0), limit: 1, in: table
              ).first
            {
              firsts.append((term, row))
            }
            return firsts.count <= limit
          }
        }
      } catch {
        throw DatabaseError(error)
      }
      if firsts.count > limit { return nil }
      var values: [String] = []
      for (term, row) in firsts {
        let id = EntityID(row.rawValue)
        let value = try context.withRecord(layout, id) { bytes throws(DatabaseError) in
          var row = RecordRow(id: id, untrusted: bytes, layout: layout, context: context)
          return try row.value(.stored(field))
        }
        let texts = IndexTerms.texts(of: value ?? nil)
        if let text = texts.first(where: { IndexTerms.term(of: $0) == term }) {
          values.append(text)
        }
      }
      return values
    }
  }
}
