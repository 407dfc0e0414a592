/// Nobody has more hit points than the greatest number of them, which a schema cannot say.
///
/// It is asked where values are given field by field, and so of all that users write; a program that
/// writes whole adventurers, as quests do, keeps to it by itself, and a dump is restored as it is.
enum HitPointRule {
  private static let current = "current_hit_points"
  private static let total = "total_hit_points"

  /// The numbers of the two fields, which no migration changes.
  private static let numbers = (
    current: Adventurer.schema.field(named: current)?.number ?? 0,
    total: Adventurer.schema.field(named: total)?.number ?? 0
  )

  /// Checks a record of an entity to which fields of these names were given.
  ///
  /// - Throws: `.invalid`, which names the present hit points and what they may be.
  static func check(
    _ record: Record, _ id: EntityID?, of entity: String, given: (String) -> Bool
  ) throws(DatabaseError) {
    guard entity == Adventurer.schema.name, given(current) || given(total) else { return }
    try check(record.values[current] ?? nil, record.values[total] ?? nil, id, of: entity)
  }

  /// Checks a new record whose values stand at the numbers of their fields.
  ///
  /// - Throws: `.invalid`, which names the present hit points and what they may be.
  static func check(
    _ values: [FieldValue?], _ id: EntityID?, of entity: String
  ) throws(DatabaseError) {
    guard entity == Adventurer.schema.name, values.indices.contains(numbers.current),
      values.indices.contains(numbers.total)
    else { return }
    try check(values[numbers.current], values[numbers.total], id, of: entity)
  }

  private static func check(
    _ current: FieldValue?, _ total: FieldValue?, _ id: EntityID?, of entity: String
  ) throws(DatabaseError) {
    guard case .integer(let points)? = current, case .integer(let most)? = total, points > most,
      most > 0
    else { return }
    throw .invalid(entity: entity, id: id, field: self.current, .outOfRange(0, most))
  }
}
