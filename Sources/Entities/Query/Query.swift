/// A question to one entity: which records, in which order, and what of them.
public struct Query: Hashable, Sendable {
  /// The entity's name.
  public var entity: String
  /// Which records.
  public var filter: Filter
  /// Empty: records whose text begins with what was searched come first; then by ID.
  public var order: [SortKey] = []
  /// The most records, or groups, of the answer.
  public var limit: Int?
  /// How many are left out before the first.
  public var offset = 0
  /// The columns to show; empty: those that the asker shows by itself.
  public var columns: [Column] = []
  /// Fields by whose values the records are counted together.
  public var groups: [FieldPath] = []
  /// The one language in which translations are searched; nil: all.
  public var language: String?

  /// The records of `entity` that satisfy `filter`.
  public init(entity: String, filter: Filter = .everything) {
    self.entity = entity
    self.filter = filter
  }
}

/// What records are sorted by; missing values come last in both directions.
public struct SortKey: Hashable, Sendable {
  /// What is compared.
  public var source: Source
  /// True for the greatest first.
  public var isDescending: Bool

  /// What records, or groups of them, are sorted by.
  public enum Source: Hashable, Sendable {
    /// A field, or the sum of several.
    case fields([FieldPath])
    /// What is counted or made of a group; a column of a field is the same as the field.
    case column(Column)
  }

  /// Sorted by the sum of `fields`.
  public init(_ fields: [FieldPath], isDescending: Bool = false) {
    source = .fields(fields)
    self.isDescending = isDescending
  }

  /// Sorted by a column.
  public init(_ column: Column, isDescending: Bool = false) {
    if case .field(let path) = column {
      source = .fields([path])
    } else {
      source = .column(column)
    }
    self.isDescending = isDescending
  }

  /// The fields that are added up; none where it is a column of groups.
  public var fields: [FieldPath] {
    if case .fields(let fields) = source { return fields }
    return []
  }
}

/// What is shown of a record, or of a group of records.
public enum Column: Hashable, Sendable {
  /// The value of a field.
  case field(FieldPath)
  /// The number of records in the group.
  case count
  /// What is made of a numeric field in the group.
  case aggregate(Aggregate, FieldPath)
}

/// What is made of the values of a numeric field in a group.
public enum Aggregate: String, Hashable, Sendable, CaseIterable {
  /// The mean of the values that are there.
  case average = "avg"
  /// The least value.
  case minimum = "min"
  /// The greatest value.
  case maximum = "max"
  /// All values added up.
  case sum
}

extension Query {
  /// True where records are counted together, in groups or all in one.
  var isGrouped: Bool { !groups.isEmpty || columns.contains { !$0.isField } }
}

extension Column {
  /// True for the value of a field, which single records have.
  public var isField: Bool {
    if case .field = self { return true }
    return false
  }
}
