/// The derived fields that say how attacks of each type work, by the bundled chart.
enum MatchUpFields {
  /// All of them, for an entity whose field number `types` holds its types.
  static func all(types: Int) -> [DerivedField] {
    [
      attacks("weak", types: types, filter: weak) { $0.weaknesses(of: $1) },
      attacks("resists", types: types, filter: resists) { $0.resistances(of: $1) },
      attacks("immune", types: types, filter: immune) { $0.immunities(of: $1) },
      takes(types: types),
    ]
  }

  /// The types of attack that `choose` picks for the types of a record.
  private static func attacks(
    _ name: String, types number: Int,
    filter: @escaping @Sendable (TypeChart, PokemonType) -> Filter,
    _ choose: @escaping @Sendable (TypeChart, [PokemonType]) -> [PokemonType]
  ) -> DerivedField {
    DerivedField(
      name, .names(PokemonType.names),
      rewrite: { test, reader throws(DatabaseError) in
        guard case .has(let names) = test else { return nil }
        let chart = try chart()
        var filters: [Filter] = []
        for name in names {
          guard let type = PokemonType(name: name) else { return nil }
          filters.append(filter(chart, type))
        }
        return .all(filters)
      },
      compute: { row, _ throws(DatabaseError) in
        .names(choose(try chart(), row.record.members(number)).map(\.name))
      })
  }

  /// The factor by which an attack of the type in the argument is multiplied.
  private static func takes(types number: Int) -> DerivedField {
    DerivedField("takes", .decimal(denominator: 100), arguments: PokemonType.names) {
      row, argument throws(DatabaseError) in
      guard let attack = argument.flatMap({ PokemonType(name: $0) }) else { return nil }
      let types: [PokemonType] = row.record.members(number)
      return .integer(Int64(try chart().factor(of: attack, against: types)))
    }
  }

  private static func chart() throws(DatabaseError) -> TypeChart {
    do {
      return try TypeChart.bundled()
    } catch {
      throw DatabaseError(error)
    }
  }

  // With one or two types, a product of 0, 1/2, 1 and 2 is above 1 when there is a 2 among the
  // factors and nothing below 1; it is below 1 when there is a 0, or a 1/2 and no 2.

  private static func weak(_ chart: TypeChart, _ attack: PokemonType) -> Filter {
    .all([
      anyType(chart, attack) { $0 > 100 }, .not(anyType(chart, attack) { $0 < 100 }),
    ])
  }

  private static func resists(_ chart: TypeChart, _ attack: PokemonType) -> Filter {
    .any([
      immune(chart, attack),
      .all([
        anyType(chart, attack) { 0 < $0 && $0 < 100 }, .not(anyType(chart, attack) { $0 > 100 }),
      ]),
    ])
  }

  private static func immune(_ chart: TypeChart, _ attack: PokemonType) -> Filter {
    anyType(chart, attack) { $0 == 0 }
  }

  /// Records with a type against which the attack has such a factor.
  private static func anyType(
    _ chart: TypeChart, _ attack: PokemonType, _ isWanted: (Int) -> Bool
  ) -> Filter {
    let types = PokemonType.allCases.filter { isWanted(chart.factor(of: attack, against: $0)) }
    return .any(types.map { .has(FieldPath("types"), [$0.name]) })
  }
}
