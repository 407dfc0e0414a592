/// The Pokédex that comes with the library: its entities, and how a database is filled with it.
public enum Pokedex {
  /// The entities of a Pokédex, of its adventurers, and of the runs of quests that they go on.
  public static let entities: [any Entity.Type] =
    [
      Pokemon.self, Form.self, Move.self, Adventurer.self, StoredPortrait.self,
    ] + QuestRunner.entities

  /// Adds all species, forms and moves that the library carries.
  ///
  /// - Throws: `.recordExists` where there is one of them already; `.store` and others, as inserting
  ///   does.
  public static func fill(_ transaction: inout DatabaseTransaction) throws(DatabaseError) {
    let species: [Pokemon]
    let forms: [Form]
    let moves: [Move]
    do {
      species = try BundledDex.species()
      forms = try BundledDex.forms()
      moves = try BundledDex.moves()
    } catch {
      throw DatabaseError(error)
    }
    try transaction.fill { filler throws(DatabaseError) in
      for pokemon in ancestorsFirst(species) { try filler.insert(pokemon, id: pokemon.id) }
      for form in forms { try filler.insert(form, id: form.id) }
      for move in moves { try filler.insert(move, id: move.id) }
    }
  }

  /// The same species, each after the one that it evolves from and else by number.
  ///
  /// Some evolve from a species of a later generation, which a reference must find already there.
  private static func ancestorsFirst(_ species: [Pokemon]) -> [Pokemon] {
    var sorted: [Pokemon] = []
    var placed: Set<EntityID> = []
    var waiting = species
    while !waiting.isEmpty {
      var later: [Pokemon] = []
      for pokemon in waiting {
        if let ancestor = pokemon.evolvesFrom, !placed.contains(ancestor) {
          later.append(pokemon)
        } else {
          placed.insert(pokemon.id)
          sorted.append(pokemon)
        }
      }
      // What only waits for itself is left as it is, for the database to refuse.
      if later.count == waiting.count { return sorted + later }
      waiting = later
    }
    return sorted
  }
}

extension DatabaseError {
  /// The facts that the library carries cannot be read.
  init(_ error: FactsError) { self = .corruptCatalog("the bundled facts: \(error)") }
}
