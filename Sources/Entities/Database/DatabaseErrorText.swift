internal import PageStore

extension DatabaseError: CustomStringConvertible {
  /// What went wrong, in a sentence.
  public var description: String {
    switch self {
    case .store(let error): "\(error)"
    case .noSuchEntity(let name): "the database has no entity '\(name)'"
    case .noSuchField(let entity, let field): "\(entity) has no field '\(field)'"
    case .noSuchRecord(let entity, let id): "\(entity) has no record \(id)"
    case .recordExists(let entity, let id): "\(entity) has a record \(id) already"
    case .noSuchID(let entity, let id):
      "\(id) is no number for a record of \(entity): it is greater than \(EntityID.choiceLimit)"
    case .invalid(let entity, let id, let field, let reason):
      "\(entity)\(id.map { " \($0)" } ?? ""): '\(field)' \(reason)"
    case .restricted(let entity, let id, let other, let otherID, let field):
      "\(entity) \(id) cannot be deleted, since '\(field)' of \(other) \(otherID) refers to it"
    case .cascadeTooLarge(let entity, let limit):
      "deleting from \(entity) would delete more than \(limit.counted("record"))"
    case .invalidQuery(let text): "the query cannot be answered: \(text)"
    case .invalidSchema, .schemaMismatch, .newerFile, .migrationNeeded, .migrationsDiffer,
      .migrationFailed, .schemaChanged:
      schemaText
    case .corruptRecord, .corruptCatalog, .corruptIndex: damageText
    }
  }

  private var schemaText: String {
    switch self {
    case .invalidSchema(let entity, let text): "the schema of \(entity) is wrong: \(text)"
    case .schemaMismatch(let entity, let differences):
      "\(entity) in the file differs from the program's: \(differences.joined(separator: "; "))"
    case .newerFile(let text): "the file is newer than the program: \(text)"
    case .migrationNeeded(let names):
      "the file must be migrated first: \(names.joined(separator: ", "))"
    case .migrationsDiffer(let expected, let found):
      "the file has been through migration '\(found)' where the program has '\(expected)': "
        + "new migrations come last, and old ones keep their names and places"
    case .migrationFailed(let name, let error):
      "migration '\(name)' failed, and nothing has changed: \(error)"
    case .schemaChanged(let entity): "another program changed the schema of \(entity) meanwhile"
    default: ""
    }
  }

  private var damageText: String {
    switch self {
    case .corruptRecord(let entity, let id, let field, let damage):
      "\(entity)\(id.map { " \($0)" } ?? "")\(field.map { ", '\($0)'" } ?? "") is damaged: \(damage)"
    case .corruptCatalog(let text): "what the file says of itself is damaged: \(text)"
    case .corruptIndex(let entity, let field, let text):
      "the index of \(entity).\(field) is damaged: \(text)"
    default: ""
    }
  }
}

extension InvalidReason: CustomStringConvertible {
  /// Why the value is not allowed, as the end of a sentence that begins with the field.
  public var description: String {
    switch self {
    case .missing: "is missing"
    case .blank: "is blank"
    case .outOfRange(let lower, let upper): "must lie between \(lower) and \(upper)"
    case .tooLong(let byteCount): "is longer than \(byteCount.counted("byte"))"
    case .notUnique(let id): "is taken by record \(id)"
    case .wrongKind: "is of the wrong kind"
    case .notInVocabulary(let name): "cannot be '\(name)'"
    case .notFinite: "is not finite"
    case .setTwice: "is set twice"
    case .noSuchTarget(let entity, let id): "refers to \(entity) \(id), which does not exist"
    }
  }
}
