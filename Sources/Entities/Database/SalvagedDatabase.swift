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

  /// What was read of the pages.
  public var pages: SalvageReport
  /// What was done to records, by entity.
  public internal(set) var repairs: [Repair] = []
  /// The entities whose schema was lost, and which have that of the program.
  public internal(set) var assumedSchemas: [String] = []
  /// The tables of records whose schema is lost, by the names that they have now.
  public internal(set) var unknownTables: [String] = []

  /// The entities of the new database.
  var entities: Set<String> = []

  /// True where everything was there.
  public var isComplete: Bool { pages.isComplete && repairs.isEmpty }

  /// True where all that is missing could be made anew, since it was of indexes only.
  public var hasAllRecords: Bool {
    if isComplete { return true }
    var rest = pages
    rest.tables.removeAll { table in
      table.name.split(separator: "/").first.map { entities.contains(String($0)) } ?? false
        && table.name.contains("/")
    }
    return rest.isComplete && repairs.isEmpty
  }

  init(pages: SalvageReport) { self.pages = pages }

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
