import Entities
import PageStore

/// A database as programs made it before there were runs.
enum OldDatabase {
  static func make(_ path: String) throws {
    var options = StoreOptions()
    options.createsFile = true
    let entities: [any Entity.Type] = [
      Pokemon.self, Form.self, Move.self, Adventurer.self, StoredPortrait.self,
    ]
    let species = try BundledSpecies.few()
    let database = try Database(path: path, entities: entities, options: options)
    try database.write { (transaction: inout DatabaseTransaction) throws in
      for pokemon in species { try transaction.insert(pokemon, id: pokemon.id) }
      try transaction.insert(
        Adventurer.recruit(name: "Ana", profession: "Monk", seed: 1, id: EntityID(1)),
        id: EntityID(1))
    }
    try database.close()
  }
}
