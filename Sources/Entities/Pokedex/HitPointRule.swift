/// Nobody has more hit points than the greatest number of them, which a schema cannot say.
///
/// It is asked where values are given by the names of their fields, and so of all that users write;
/// a dump is restored as it is.
enum HitPointRule {
  private static let current = "current_hit_points"
  private static let total = "total_hit_points"

  /// Checks a record of an entity to which fields of these names were given.
  ///
  /// - Throws: `.invalid`, which names the present hit points and what they may be.
  static func check(
    _ record: Record, _ id: EntityID?, of entity: String, given: (String) -> Bool
  ) throws(DatabaseError) {
    guard entity == Adventurer.schema.name, given(current) || given(total),
      case .integer(let points)? = record.values[current] ?? nil,
      case .integer(let most)? = record.values[total] ?? nil, points > most, most > 0
    else { return }
    throw .invalid(entity: entity, id: id, field: current, .outOfRange(0, most))
  }
}
