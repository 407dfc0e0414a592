/// The answer to a query.
public struct QueryResult: Equatable, Sendable {
  /// What the values of each row are.
  public var columns: [ResultColumn]
  /// The records, or the groups of records, in the order that was asked for.
  public var rows: [ResultRow]

  /// An answer of these rows.
  public init(columns: [ResultColumn], rows: [ResultRow]) {
    self.columns = columns
    self.rows = rows
  }

  /// The numbers of the records; empty for groups.
  public var ids: [EntityID] { rows.compactMap(\.id) }
}

/// What the values of one column are.
public struct ResultColumn: Hashable, Sendable {
  /// What was asked for.
  public var column: Column
  /// What the column is called, such as `takes.ice` or `avg.bst`.
  public var title: String
  /// The kind of its values.
  public var kind: FieldKind
  /// The unit of its values.
  public var unit: String?

  /// A column.
  public init(_ column: Column, title: String, kind: FieldKind, unit: String? = nil) {
    self.column = column
    self.title = title
    self.kind = kind
    self.unit = unit
  }
}

/// A record of an answer, or a group of records.
public struct ResultRow: Hashable, Sendable {
  /// The record's number; nil for a group.
  public var id: EntityID?
  /// The values of the columns; nil is absent.
  public var values: [FieldValue?]
  /// The text that was searched and found, where it is not the searched field's own.
  public var match: Translation?

  /// A row of these values.
  public init(id: EntityID?, values: [FieldValue?], match: Translation? = nil) {
    self.id = id
    self.values = values
    self.match = match
  }
}

extension Column {
  /// What the column is called.
  public var title: String {
    switch self {
    case .field(let path): path.title
    case .count: "count"
    case .aggregate(let aggregate, let path): "\(aggregate.rawValue).\(path.title)"
    }
  }
}

extension FieldPath {
  /// The path as a query writes it.
  public var title: String { argument.map { "\(name).\($0)" } ?? name }
}
