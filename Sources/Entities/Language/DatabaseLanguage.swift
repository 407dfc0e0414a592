extension Database {
  /// The query that `text` asks in the query language, such as `level>=3 sort:-level`.
  ///
  /// - Parameters:
  ///   - text: One line; empty asks for every record.
  ///   - entity: The entity that is asked where the line does not say `from:`.
  /// - Returns: The query, to be asked of a snapshot or a transaction.
  /// - Throws: `QueryError`, which says where the line is wrong and what to write instead, or
  ///   `DatabaseError`: `.noSuchEntity` where the database does not have the entity.
  public func query(_ text: String, of entity: String) throws -> Query {
    let schemas = try schemas()
    guard schemas.contains(where: { $0.name == entity }) else {
      throw DatabaseError.noSuchEntity(entity)
    }
    let catalog = FieldCatalog(
      schemas: schemas, derived: derivedFields, defaultEntity: entity)
    return try QueryParser.query(text, in: catalog)
  }
}
