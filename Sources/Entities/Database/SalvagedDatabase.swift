public import PageStore

/// What `Database.salvage` brought out of a damaged database, and what it did to make that sound.
public struct SalvagedDatabase: Equatable, Sendable {
  /// Something that was done to records so that what is left fits together.
  public struct Repair: Hashable, Sendable {
    /// What was done.
    public enum Kind: Int, Hashable, Sendable {
      /// Records that cannot be read were left out.
      case unreadable
      /// Values that break a rule of their field were cleared.
      case clearedValue
      /// References to records that are lost were cleared.
      case clearedReference
      /// Records were left out that cannot be without a value that breaks a rule of its field.
      case brokenRule
      /// Records were left out that cannot be without a record that is lost.
      case lostTarget
    }

    /// The entity of the records.
    public var entity: String
    /// The field that was at fault; nil where it was the record.
    public var field: String?
    /// What was done.
    public var kind: Kind
    /// To how many records.
    public var count: Int
  }

  /// What became of the records of one entity.
  public struct Records: Hashable, Sendable {
    /// The entity's name.
    public var entity: String
    /// How many the new database has.
    public var count: Int
    /// How many are lost or were left out; nil where the file does not tell how many there were.
    public var lostCount: Int?
  }

  /// What was read of the pages; a table that has got its lost name again has it here too.
  public internal(set) var pages: SalvageReport
  /// The entities of the new database, by their names.
  public internal(set) var records: [Records] = []
  /// What was done to records, by entity.
  public internal(set) var repairs: [Repair] = []
  /// The entities whose schema was lost, and which have that of the program.
  public internal(set) var assumedSchemas: [String] = []
  /// True where a migration that was applied can no longer be read.
  public internal(set) var hasLostMigrations = false
  /// Tables with rows whose name or schema is lost, by the names that they have now, in their order.
  public internal(set) var unknownTables: [String] = []

  /// True where everything was there.
  public var isComplete: Bool { pages.isComplete && isUnchanged }

  /// True where nothing of the records or of what the database said of itself had to be mended.
  private var isUnchanged: Bool {
    repairs.isEmpty && unknownTables.isEmpty && assumedSchemas.isEmpty && !hasLostMigrations
  }

  /// True where all that is missing could be made anew, since it was of indexes only.
  public var hasAllRecords: Bool {
    let prefixes = records.map { $0.entity + "/" }
    var rest = pages
    rest.tables.removeAll { table in prefixes.contains { table.name.hasPrefix($0) } }
    return rest.isComplete && isUnchanged
  }

  init(pages: SalvageReport) { self.pages = pages }

  /// Notes how many records there are now of an entity.
  mutating func note(count: Int, of entity: String) {
    let leftOut = repairs.reduce(0) { sum, repair in
      sum + (repair.entity == entity && repair.leavesOut ? repair.count : 0)
    }
    var missing: Int?
    if let table = pages.tables.first(where: { $0.name == entity }) {
      missing = table.expectedRowCount.map { max(0, $0 - table.rowCount) }
    } else if pages.problems.isEmpty {
      // The log made the table.
      missing = 0
    }
    let lost = missing.map { $0 + leftOut }
    records.append(Records(entity: entity, count: count, lostCount: lost))
  }

  mutating func note(_ kind: Repair.Kind, _ entity: String, _ field: String?) {
    if let place = repairs.firstIndex(where: {
      $0.kind == kind && $0.entity == entity && $0.field == field
    }) {
      repairs[place].count += 1
    } else {
      repairs.append(Repair(entity: entity, field: field, kind: kind, count: 1))
    }
  }
}

extension SalvagedDatabase.Repair {
  /// True where whole records were left out.
  var leavesOut: Bool {
    switch kind {
    case .unreadable, .brokenRule, .lostTarget: true
    case .clearedValue, .clearedReference: false
    }
  }
}
