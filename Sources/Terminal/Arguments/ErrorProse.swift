package import Entities
package import PageStore

extension CommandFailure {
  /// What went wrong in the database, in words.
  package init(_ error: DatabaseError) {
    self =
      Self.refusal(error) ?? Self.mismatch(error) ?? Self.damage(error) ?? Self("\(error)")
  }

  /// The program that looks after databases, whichever one found something amiss.
  private static let tool = "dexdb"

  /// What was asked for and cannot be done.
  private static func refusal(_ error: DatabaseError) -> CommandFailure? {
    switch error {
    case .store(let error): Self(error)
    case .noSuchEntity(let name):
      Self("no entity '\(name)'", help: ["\(tool) schema lists them"])
    case .noSuchField(let entity, let field):
      Self(
        "no field '\(field)' in \(entity)", help: ["\(tool) schema \(entity) lists them"])
    case .noSuchRecord(let entity, let id): Self("no record \(id) in \(entity)")
    case .recordExists(let entity, let id):
      Self("\(entity) has a record \(id) already", help: ["change it with set"])
    case .noSuchID(let entity, let id): Self("\(id) is no number for a record of \(entity)")
    case .invalid(let entity, let id, let field, let reason):
      Self(
        "\(entity): '\(field)'" + (id.map { " of \($0)" } ?? "")
          + " \(text(of: reason, field: field, entity: entity))")
    case .restricted(let entity, let id, let by, let byID, _):
      Self(
        "\(entity) \(id) cannot be deleted: \(by) \(byID) refers to it",
        help: ["delete \(by) \(byID) first"])
    case .cascadeTooLarge(let entity, let limit):
      Self("deleting from \(entity) would delete more than \(limit) records with it")
    case .invalidQuery(let text):
      Self("the query cannot be answered: \(text)", exitCode: .usage)
    default: nil
    }
  }

  /// A file that is another than this program expects.
  private static func mismatch(_ error: DatabaseError) -> CommandFailure? {
    switch error {
    case .invalidSchema(let entity, let text): Self("the schema of \(entity) is wrong: \(text)")
    case .schemaMismatch(let entity, let differences):
      Self(
        "\(entity) in the file differs from what this program knows: "
          + differences.joined(separator: "; "), exitCode: .damaged)
    case .newerFile(let text):
      Self(
        "the file is newer than this program: \(text)",
        help: ["use a newer version of this program"],
        exitCode: .damaged)
    case .migrationNeeded(let names):
      Self("the file must be migrated first: " + names.joined(separator: ", "), exitCode: .damaged)
    case .migrationFailed(let name, let text):
      Self("migration '\(name)' failed, and nothing has changed: \(text)")
    case .schemaChanged(let entity):
      Self("another program changed \(entity) meanwhile", help: ["try again"])
    default: nil
    }
  }

  private static func damage(_ error: DatabaseError) -> CommandFailure? {
    switch error {
    case .corruptRecord(let entity, let id, let field, let damage):
      Self(
        entity + (id.map { " \($0)" } ?? "") + (field.map { ", '\($0)'" } ?? "")
          + " is damaged: \(damage)", help: careHelp, exitCode: .damaged)
    case .corruptCatalog(let text):
      Self("the file is damaged: \(text)", help: careHelp, exitCode: .damaged)
    case .corruptIndex(let entity, let field, let text):
      Self(
        "the index of \(entity).\(field) is damaged: \(text)", help: careHelp, exitCode: .damaged)
    default: nil
    }
  }

  private static let careHelp = [
    "\(tool) check says all that is wrong; salvage OUT saves what can be read"
  ]

  /// Why a value is not allowed.
  private static func text(
    of reason: InvalidReason, field: String, entity: String
  ) -> String {
    // The library knows the parts in which a number is kept, and here it is read as it is written.
    guard case .outOfRange(let lower, let upper) = reason else { return "\(reason)" }
    return "must lie between \(bound(lower, field, entity)) and \(bound(upper, field, entity))"
  }

  /// The end of a range as values are written, where the field is known.
  private static func bound(_ parts: Int64, _ field: String, _ entity: String) -> String {
    let schema = Pokedex.entities.first { $0.schema.name == entity }?.schema
    guard case .decimal(let denominator)? = schema?.field(named: field)?.kind else {
      return String(parts)
    }
    return ExactDecimal.text(of: parts, over: Int64(denominator))
  }

  /// What went wrong in the store, in words.
  package init(_ error: StoreError) {
    switch error {
    case .corrupt(let damage):
      let place =
        (damage.page.map { ", page \($0.rawValue)" } ?? "")
        + (damage.table.map { ", table \($0)" } ?? "")
      self.init(
        "\(damage.path) is damaged\(place): \(damage.problem)", help: Self.careHelp,
        exitCode: .damaged)
    case .system(let call, let path, let code):
      self.init("\(path): \(SystemCalls.text(ofError: code)) (\(call.rawValue))")
    case .diskFull(let path, let byteCount, _):
      self.init(
        "no room for \(byteCount.counted("more byte")) in \(path)", help: ["nothing was changed"])
    case .fileTooLarge(let path, let maximum): self.init("\(path) would outgrow \(maximum) bytes")
    case .poisoned(let path):
      self.init(
        "a write to \(path) failed", help: ["run the command again: it starts from what is safe"])
    case .notADatabase(let path, let kind):
      self.init("\(path) is no database: it is \(kind)", exitCode: .damaged)
    case .unsupportedVersion(let path, let found, let supported):
      self.init(
        "\(path) has format \(found), and this program knows \(supported)",
        help: ["use a newer version of this program"], exitCode: .damaged)
    case .logMissing(let path):
      self.init("the log of \(path) is missing", help: Self.careHelp, exitCode: .damaged)
    case .foreignLog(let path):
      self.init(
        "the log at \(path) belongs to another database", help: Self.careHelp, exitCode: .damaged)
    case .lostTransactions(let path, let first, let last):
      self.init(
        "transactions \(first.rawValue) to \(last.rawValue) of \(path) are lost",
        help: Self.careHelp, exitCode: .damaged)
    case .lockFileMissing(let path):
      self.init("the lock file of \(path) is missing while others use it", exitCode: .damaged)
    case .alreadyExists(let path):
      self.init("\(path) exists already", help: ["nothing is ever replaced: choose another name"])
    case .busy(let path, let holder, _):
      self.init(
        "\(path) is in use" + (holder.map { " by \($0)" } ?? ""), help: ["try again later"],
        exitCode: .locked)
    case .tooManyReaders(let path, let maximum):
      self.init("\(path) has \(maximum) readers already", exitCode: .locked)
    case .readOnly(let path): self.init("\(path) can only be read")
    case .cancelled: self.init("interrupted")
    case .noSuchTable(let name): self.init("the file has no table '\(name)'", exitCode: .damaged)
    default: self.init("\(error)")
    }
  }
}

/// What is wrong with a picture, in words.
package enum PortraitProse {
  package static func text(of error: PortraitError) -> String {
    switch error {
    case .size(let width, let height):
      "a picture of \(width) × \(height) pixels: the limit is \(Portrait.maximumSide) a side"
    case .pixelCount(let count, let expected):
      "\(count.counted("pixel")) where \(expected) should be"
    case .tooLong(let byteCount):
      "a picture of \(byteCount.counted("byte")): the limit is \(Portrait.maximumByteCount)"
    case .cut(let offset): "the picture is cut off at byte \(offset)"
    case .unknownVersion(let version): "a picture of version \(version), from a newer program"
    case .corrupt(let defect): "the stored picture is damaged: \(defect)"
    case .notPNG: "it is no PNG file"
    case .corruptPNG(let defect, let offset): "the PNG file is damaged at byte \(offset): \(defect)"
    case .png(let text): "the PNG file cannot be read: \(text)"
    }
  }
}

extension DatabaseError {
  /// The same about a record that is only to be: without its number.
  package var withoutRecord: DatabaseError {
    if case .invalid(let entity, _, let field, let reason) = self {
      return .invalid(entity: entity, id: nil, field: field, reason)
    }
    return self
  }
}
