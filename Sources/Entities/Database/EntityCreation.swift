internal import PageStore

extension Database {
  /// Creates an entity that the program has no type for; does nothing where there is one of that name.
  ///
  /// Its records are at hand by the names of their fields.
  ///
  /// - Throws: `.invalidSchema`.
  public func createEntity(_ schema: Schema) throws(DatabaseError) {
    try store.write { [program] (transaction) throws(DatabaseError) in
      let catalog = try StoredCatalog.read(.transaction(transaction.view))
      if catalog.schemas[schema.name] != nil { return }
      var editor = SchemaEditor(transaction, catalog, program)
      do throws(DatabaseError) {
        try editor.createEntity(schema)
        try editor.save()
        transaction = editor.finish()
      } catch {
        transaction = editor.finish()
        throw error
      }
    }
    changes.noteCommit()
  }
}
