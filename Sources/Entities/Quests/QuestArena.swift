/// The enemies of a quest as the loop wants them: all that does not change computed in advance.
struct QuestArena: Sendable {
  /// By their places in the table.
  let kinds: [Kind]

  /// An enemy of any level, small enough that all of them stay near the processor.
  struct Kind: Sendable {
    let hp: Int32
    let attack: Int32
    let defense: Int32
    let multiplier: Int32
    let baseExperience: Int32
    let interval: Int32
    /// An attack misses where 16 bits of the draw are below this.
    let evasion: UInt16
    /// How the adventurer's attacks work on its types, in order, in hundredths; 100 beyond the last.
    let effects: InlineArray<4, UInt16>
  }

  init(_ table: EnemyTable, attackType: PokemonType?) throws(QuestError) {
    let chart: TypeChart
    do {
      chart = try TypeChart.bundled()
    } catch {
      throw .database(DatabaseError(error))
    }
    kinds = table.species.map { enemy in
      Kind(
        hp: Int32(enemy.hp), attack: Int32(enemy.attack), defense: Int32(enemy.defense),
        multiplier: Int32(enemy.multiplier), baseExperience: Int32(enemy.baseExperience),
        interval: Int32(QuestRules.interval(speed: Int64(enemy.speed))),
        evasion: UInt16(enemy.evasion * 256),
        effects: InlineArray { place in
          place < enemy.types.count
            ? UInt16(QuestRules.effect(of: attackType, on: enemy.types[place], in: chart)) : 100
        })
    }
  }
}

/// An enemy on its feet.
struct QuestFoe: Sendable {
  /// The distance of its turns.
  var pause: Int64 = 0
  var hitPoints: Int64 = 0
  /// Its place in the table.
  var place: Int64 = 0
  var level: Int64 = 0
  /// What the adventurer's damage to it is made from.
  var dealt: Int64 = 0
  /// What its damage to the adventurer is made from.
  var taken: Int64 = 0
  var evasion: UInt64 = 0
}
