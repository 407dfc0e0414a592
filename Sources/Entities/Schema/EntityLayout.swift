/// A schema made ready for reading and writing records, with what the program adds to it.
final class EntityLayout: Sendable {
  let schema: Schema
  /// Counts the changes of the stored schema.
  let version: UInt64
  /// Fields that were dropped, and how their values are stepped over in older records.
  let retired: [RetiredField]
  /// Fields of the program's type that are computed.
  let derived: [DerivedField]
  /// The names of those that cannot be computed, since the schema is no longer the program's.
  let lostNames: Set<String>
  /// By the number of a field, from 0 on; nil for numbers that no field ever had.
  let wires: [WireKind?]
  /// All fields, in ascending order of their numbers.
  let ascending: [FieldDefinition]
  /// The fields that have rules, in ascending order of their numbers.
  let ruled: [FieldDefinition]
  /// The fields that an index looks at, in ascending order of their numbers.
  let indexed: [FieldDefinition]
  /// The fields that have rules or that an index looks at, in ascending order of their numbers.
  let examined: [FieldDefinition]
  /// The fields of which no two records may have the same value, in that order.
  let unique: [FieldDefinition]
  /// The fields that refer to other records, with the entities, in ascending order of their numbers.
  let references: [(field: FieldDefinition, entity: String)]
  /// Places in `schema.fields`, by the number of a field; -1 for other numbers.
  private let places: [Int]
  private let placesByName: [String: Int]

  init(_ stored: StoredSchema, derived: [DerivedField] = [], lost: [DerivedField] = []) {
    schema = stored.schema
    version = stored.version
    retired = stored.retired
    self.derived = derived
    lostNames = Set(lost.flatMap { [$0.name] + $0.aliases })
    let last = max(
      stored.schema.fields.map(\.number).max() ?? 0, stored.retired.map(\.number).max() ?? 0)
    var wires = [WireKind?](repeating: nil, count: last + 1)
    var places = [Int](repeating: -1, count: last + 1)
    for field in stored.retired { wires[field.number] = field.wire }
    for (place, field) in stored.schema.fields.enumerated() {
      wires[field.number] = field.kind.wire
      places[field.number] = place
    }
    self.wires = wires
    ascending = stored.schema.fields.sorted { $0.number < $1.number }
    indexed = ascending.filter { $0.heldIndex != nil || $0.searchedAs != nil || $0.isUnique }
    references = ascending.compactMap { field in
      if case .reference(let entity, _) = field.kind { return (field, entity) }
      return nil
    }
    ruled = ascending.filter { !$0.rules.isEmpty }
    let indexedNumbers = Set(indexed.map(\.number))
    examined = ascending.filter { !$0.rules.isEmpty || indexedNumbers.contains($0.number) }
    unique = indexed.filter { $0.isUnique }
    self.places = places
    placesByName = Dictionary(
      uniqueKeysWithValues: stored.schema.fields.enumerated().map { ($1.name, $0) })
  }

  /// The entity's name, which is also that of its table.
  var name: String { schema.name }

  func field(_ number: Int) -> FieldDefinition? {
    guard places.indices.contains(number), places[number] >= 0 else { return nil }
    return schema.fields[places[number]]
  }

  /// The field of exactly that name.
  func field(named name: String) -> FieldDefinition? {
    placesByName[name].map { schema.fields[$0] }
  }

  func name(ofField number: Int) -> String { field(number)?.name ?? "field \(number)" }
}

/// A schema as the database keeps it.
struct StoredSchema: Hashable, Sendable {
  var schema: Schema
  /// Counts the changes, from 1 on; records carry the count of their time.
  var version: UInt64 = 1
  var retired: [RetiredField] = []
}

/// A field that was dropped: its number is not given out again.
struct RetiredField: Hashable, Sendable {
  var number: Int
  var wire: WireKind
}
