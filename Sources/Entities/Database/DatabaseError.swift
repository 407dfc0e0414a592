public import PageStore

/// What can go wrong in a database of entities.
public enum DatabaseError: Error, Equatable, Sendable {
  /// The store underneath failed.
  case store(StoreError)

  // What was asked for
  /// The database has no entity of that name.
  case noSuchEntity(String)
  /// The entity has no field of that name.
  case noSuchField(entity: String, field: String)
  /// The entity has no record of that number.
  case noSuchRecord(entity: String, id: EntityID)
  /// The entity has a record of that number already.
  case recordExists(entity: String, id: EntityID)
  /// The number is greater than `EntityID.choiceLimit` and would leave others out.
  case noSuchID(entity: String, id: EntityID)
  /// A value that the schema does not allow; the field is named.
  case invalid(entity: String, id: EntityID?, field: String, InvalidReason)
  /// The record cannot be deleted, since another one refers to it.
  case restricted(entity: String, id: EntityID, by: String, byID: EntityID, field: String)
  /// A delete rule would delete more records at once than the limit.
  case cascadeTooLarge(entity: String, limit: Int)
  /// A query that means nothing, in words.
  case invalidQuery(String)

  // Schemas
  /// The program's schema contradicts itself, in words.
  case invalidSchema(entity: String, String)
  /// The program's schema is not the one of the database, in words, one difference each.
  case schemaMismatch(entity: String, differences: [String])
  /// The database was made by a newer program: a format, or migrations, that this one does not know.
  case newerFile(String)
  /// The database must be migrated first, which needs the right to write.
  case migrationNeeded([String])
  /// The program's migrations are not those of the file with new ones behind: where it has the first
  /// one, the file has been through the other.
  case migrationsDiffer(expected: String, found: String)
  /// A migration failed, and nothing has changed.
  indirect case migrationFailed(name: String, DatabaseError)
  /// Another program changed the schema while this one had the database open.
  case schemaChanged(entity: String)

  // Damage
  /// The bytes of a record are none that this schema writes.
  case corruptRecord(entity: String, id: EntityID?, field: String?, RecordDamage)
  /// What the database says of itself cannot be read, in words.
  case corruptCatalog(String)
  /// An index contradicts the records, or cannot be read, in words.
  case corruptIndex(entity: String, field: String, String)
}

extension DatabaseError: StoreFailure {
  /// A failure of the store.
  public init(_ error: StoreError) { self = .store(error) }
}

/// Why a value is not allowed.
public enum InvalidReason: Equatable, Sendable {
  /// A value must be there.
  case missing
  /// A text must hold something that can be seen.
  case blank
  /// A number must lie between these, in the parts in which it is kept.
  case outOfRange(Int64, Int64)
  /// A text or bytes may be no longer than this, in bytes.
  case tooLong(Int)
  /// Another record has the same value.
  case notUnique(EntityID)
  /// The value is of another kind than the field.
  case wrongKind
  /// The name is not one of the closed list.
  case notInVocabulary(String)
  /// The number is not finite.
  case notFinite
  /// The field was set twice.
  case setTwice
  /// No record of the entity has that number.
  case noSuchTarget(entity: String, EntityID)
}
