/// A type of which a database keeps records.
///
/// A plain structure is enough: a schema, and how a value is read from a record and written to one.
/// Fields are called by their numbers in the schema; reading and writing them in ascending order is
/// the fast way.
///
/// ```swift
/// struct Seed: Entity {
///   var name: String
///   var count: Int?
///
///   static let schema = Schema(
///     name: "seeds",
///     fields: [
///       FieldDefinition(1, "name", .text, index: .words, rules: [.required, .notBlank]),
///       FieldDefinition(2, "count", .integer, index: .numbers),
///     ])
///
///   init(from record: inout RecordReader) {
///     name = record.text(1)
///     count = record.integerIfPresent(2)
///   }
///
///   func encode(to record: inout RecordWriter) {
///     record.set(1, text: name)
///     record.set(2, integer: count)
///   }
/// }
/// ```
public protocol Entity: Sendable {
  /// What the entity's records hold.
  static var schema: Schema { get }
  /// Fields that are computed from others when they are asked for.
  static var derivedFields: [DerivedField] { get }
  /// Takes the values of a record.
  ///
  /// Reading does not throw: the database looks afterwards whether everything could be read, and
  /// throws the value away where it could not.
  init(from record: inout RecordReader) throws(DatabaseError)
  /// Gives the values to a record; what is not given, or is nil, is absent.
  func encode(to record: inout RecordWriter)
}

extension Entity {
  /// None.
  public static var derivedFields: [DerivedField] { [] }
}

/// A value and the number of the record that it was read from.
public struct Identified<Value: Sendable>: Sendable {
  /// The record's number.
  public var id: EntityID
  /// What the record holds.
  public var value: Value

  /// The value of record `id`.
  public init(id: EntityID, value: Value) {
    self.id = id
    self.value = value
  }
}

extension Identified: Equatable where Value: Equatable {}
