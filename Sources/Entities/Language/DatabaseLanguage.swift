extension Database {
  /// The query that `text` asks in the query language, such as `level>=3 sort:-level`.
  ///
  /// - Parameters:
  ///   - text: One line; empty asks for every record.
  ///   - entity: The entity that is asked where the line does not say `from:`.
  /// - Returns: The query, ready for `find`.
  /// - Throws: `QueryError`, which says where the line is wrong and what to write instead, or
  ///   `DatabaseError`.
  public func query(_ text: String, of entity: String) throws -> Query {
    let catalog = FieldCatalog(
      schemas: try schemas(), derived: derivedFields, defaultEntity: entity)
    return try QueryParser.query(text, in: catalog)
  }
}
