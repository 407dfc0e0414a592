/// The derived fields of Pokémon that follow from what evolves from what.
enum EvolutionFields {
  private static let evolvesFrom = FieldPath("evolves_from")
  private static let chain = FieldPath("evolution_chain")

  /// More steps than any line has; where there are more, the records go round in a circle.
  private static let stepLimit = 64

  /// One more than the number of steps back to what evolves from nothing.
  static let stage = DerivedField("stage", .integer) { row, _ throws(DatabaseError) in
    let first = row.record.referenceIfPresent(Pokemon.Field.evolvesFrom)
    guard let first else { return .integer(1) }
    return try row.withReader { reader throws(DatabaseError) in
      let steps = try ancestors(from: first, reader).count
      return .integer(Int64(steps + 1))
    }
  }

  /// The name of the first of the family; asked for with the whole name, slug or number of any.
  static let family = DerivedField(
    "family", .text,
    rewrite: { test, reader throws(DatabaseError) in
      switch test {
      case .present: return .everything
      case .text(let name): return try family(of: name, reader)
      case .words(let words, _): return try family(of: words.joined(separator: " "), reader)
      default: return nil
      }
    },
    compute: { row, _ throws(DatabaseError) in
      let id = row.id
      let first = row.record.referenceIfPresent(Pokemon.Field.evolvesFrom)
      return try row.withReader { reader throws(DatabaseError) in
        var root = id
        if let first { root = try ancestors(from: first, reader).last ?? id }
        return try reader.value(FieldPath("name"), of: "pokemon", root)
      }
    })

  /// A flag that depends on whether something evolves from the Pokémon.
  static func flag(
    _ name: String, _ depend: @escaping @Sendable (Bool) -> Bool
  ) -> DerivedField {
    DerivedField(name, .flag) { row, _ throws(DatabaseError) in
      let id = Number(Int64(row.id.rawValue))
      return try row.withReader { reader throws(DatabaseError) in
        let count = try reader.count("pokemon", where: .number([evolvesFrom], .equal, id))
        return .flag(depend(count > 0))
      }
    }
  }

  /// The record `first`, what that evolves from, and so on.
  private static func ancestors(
    from first: EntityID, _ reader: borrowing DatabaseReader
  ) throws(DatabaseError) -> [EntityID] {
    var found = [first]
    while found.count < stepLimit, let last = found.last,
      case .integer(let next)? = try reader.value(evolvesFrom, of: "pokemon", last)
    {
      found.append(EntityID(UInt64(bitPattern: next)))
    }
    return found
  }

  /// A filter for the families of the Pokémon that have that name, slug or number.
  private static func family(
    of name: String, _ reader: borrowing DatabaseReader
  ) throws(DatabaseError) -> Filter {
    var wanted = Query(entity: "pokemon", filter: .text(FieldPath("name"), name))
    if let number = UInt64(name) { wanted.filter = .id(number) }
    var families: [Filter] = []
    for id in try reader.findIDs(wanted) {
      guard case .integer(let number)? = try reader.value(chain, of: "pokemon", id) else {
        continue
      }
      families.append(.number([chain], .equal, Number(number)))
    }
    if families.isEmpty { throw try unknown(name, reader) }
    return .any(families)
  }

  /// What to say of a name that no Pokémon has.
  private static func unknown(
    _ name: String, _ reader: borrowing DatabaseReader
  ) throws(DatabaseError) -> DatabaseError {
    var query = Query(entity: "pokemon")
    query.columns = [.field(FieldPath("slug"))]
    let slugs = try reader.find(query).rows.compactMap { row -> String? in
      guard case .text(let slug)? = row.values[0] else { return nil }
      return slug
    }
    let words = name.split(separator: " ").joined(separator: "-")
    let near = NearestName.of(words, among: slugs).map { "; did you mean '\($0)'?" }
    return .invalidQuery("no Pokémon is called '\(name)'" + (near ?? ""))
  }
}
