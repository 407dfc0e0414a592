/// The derived fields of Pokémon.
extension Pokemon {
  /// What is computed from a record.
  public static let derivedFields =
    DerivedFields.ofBodies(
      types: Field.types, stats: Field.stats, height: Field.height, weight: Field.weight)
    + [
      DerivedFields.flag("is:baby", of: .flag(FieldPath("is_baby"))) { $0.flag(24) },
      DerivedFields.flag("is:mythical", of: mythical) { $0.flag(Field.isMythical) },
      DerivedFields.flag(
        "is:legendary", of: .all([.flag(FieldPath("is_legendary")), .not(mythical)])
      ) { record in
        record.flag(Field.isLegendary) && !record.flag(Field.isMythical)
      },
      DerivedFields.flag("has:portrait", of: .present(FieldPath("portrait"))) { $0.has(34) },
      EvolutionFields.stage,
      EvolutionFields.family,
      EvolutionFields.flag("has:evolution") { $0 },
      EvolutionFields.flag("is:final") { !$0 },
    ]

  private static let mythical = Filter.flag(FieldPath("is_mythical"))
}
