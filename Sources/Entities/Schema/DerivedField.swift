/// A field that is computed when it is asked for, and stored nowhere.
///
/// Queries name it like any other. A flag is called `is:…` or `has:…`, kind `.flag`.
public struct DerivedField: Sendable {
  /// What queries call it, such as `bst` or `is:legendary`.
  public var name: String
  /// Other names by which queries may call it.
  public var aliases: [String]
  /// What kind of values it has.
  public var kind: FieldKind
  /// The unit in which values are shown.
  public var unit: String?
  /// The names that may follow a point, as in `takes.ice`; nil where it takes none.
  public var arguments: [String]?
  /// The value of a record, and of the argument where the field takes one; nil is absent.
  public var compute: @Sendable (inout DerivedRow, String?) throws(DatabaseError) -> FieldValue?
  /// A filter on stored fields that says the same, so that an index can answer; nil where there is
  /// none.
  public var rewrite:
    (@Sendable (DerivedTest, borrowing DatabaseReader) throws(DatabaseError) -> Filter?)?

  /// A derived field.
  ///
  /// - Parameters:
  ///   - name: What queries call it.
  ///   - kind: What kind of values it has.
  ///   - aliases: Other names by which queries may call it.
  ///   - unit: The unit in which values are shown.
  ///   - arguments: The names that may follow a point.
  ///   - rewrite: A filter on stored fields that says exactly the same as the test.
  ///   - compute: The value of a record.
  public init(
    _ name: String, _ kind: FieldKind, aliases: [String] = [], unit: String? = nil,
    arguments: [String]? = nil,
    rewrite: (
      @Sendable (DerivedTest, borrowing DatabaseReader) throws(DatabaseError) -> Filter?
    )? = nil,
    compute:
      @escaping @Sendable (inout DerivedRow, String?) throws(DatabaseError) -> FieldValue?
  ) {
    self.name = name
    self.aliases = aliases
    self.kind = kind
    self.unit = unit
    self.arguments = arguments
    self.rewrite = rewrite
    self.compute = compute
  }
}

/// What a query wants of a derived field; the field's path is that of the filter.
public enum DerivedTest: Hashable, Sendable {
  /// The flag is set.
  case flag
  /// There is a value.
  case present
  /// The text or name, folded, is this one.
  case text(String)
  /// The words, the last as a prefix.
  case words([String], isPhrase: Bool)
  /// The names are among the field's.
  case has([String])
  /// The names are the field's, and no others are.
  case exactly([String])
  /// The number beside this one.
  case number(Comparison, Number)
  /// The number within both ends.
  case range(from: Number?, through: Number?)
}
