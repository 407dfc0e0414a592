/// Adventurers that come from elsewhere, and of whom not everything is known.
extension RecordFiller {
  /// Gives an adventurer to be added the numbers that are missing, drawn as recruiting draws them.
  ///
  /// Who has a greatest number of hit points but no present one has all of them. Without a name or a
  /// profession, nothing is drawn, nor where the database keeps other adventurers than these.
  ///
  /// - Parameters:
  ///   - values: What is known, at the numbers of the fields.
  ///   - id: The number that the record will have; nil for the next one.
  ///   - seed: Decides, with the record's number, what is drawn.
  /// - Returns: The numbers of the fields that were missing.
  /// - Throws: `.store` and others, where the next number cannot be read.
  package func completeAdventurer(
    _ values: inout [FieldValue?], id: EntityID?, seed: UInt64
  ) throws(DatabaseError) -> [Int] {
    guard let layout = layoutIfPresent(of: Adventurer.self),
      let name = Self.text(values, "name", layout),
      let profession = Self.text(values, "profession", layout)
    else { return [] }
    // Nothing but what is required is drawn, and most files have all of it.
    let lacksSome = layout.schema.fields.contains { field in
      field.rules.contains(.required) && values.indices.contains(field.number)
        && values[field.number] == nil
    }
    if !lacksSome { return [] }
    var number = id
    if number == nil { number = try nextID(layout) }
    let adventurer = Adventurer.recruit(
      name: name, profession: profession, seed: seed, id: number ?? EntityID(0))
    let bytes = try RecordCoding.encode(adventurer, number, layout)
    var drawn = try ReadingContext.record(number ?? EntityID(0), bytes.rawSpan, layout).values
    if let total = Self.value(values, "total_hit_points", layout) {
      drawn["current_hit_points"] = total
    }
    var missing: [Int] = []
    for field in layout.schema.fields where values.indices.contains(field.number) {
      guard values[field.number] == nil, let value = drawn[field.name] else { continue }
      values[field.number] = value
      missing.append(field.number)
    }
    return missing
  }

  private static func text(
    _ values: [FieldValue?], _ name: String, _ layout: EntityLayout
  ) -> String? {
    guard case .text(let text)? = value(values, name, layout) else { return nil }
    return text
  }

  private static func value(
    _ values: [FieldValue?], _ name: String, _ layout: EntityLayout
  ) -> FieldValue? {
    guard let field = layout.field(named: name), values.indices.contains(field.number) else {
      return nil
    }
    return values[field.number]
  }
}
