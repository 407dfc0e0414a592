/// All enemies that a quest may meet, sorted by their numbers.
///
/// Invariants: there is one at least, no number stands twice, and the rules allow every value.
public struct EnemyTable: Hashable, Sendable {
  /// The enemies, by ascending number.
  public let species: [EnemySpecies]

  /// How many there may be.
  public static let limit = 65_535

  /// Takes enemies in any order.
  ///
  /// - Throws: `.noEnemies`, `.tooManyEnemies`, `.enemy`.
  public init(_ species: [EnemySpecies]) throws(QuestError) {
    if species.isEmpty { throw .noEnemies }
    if species.count > Self.limit { throw .tooManyEnemies(limit: Self.limit) }
    for enemy in species {
      if let (column, reason) = enemy.problem {
        throw .enemy(name: enemy.name, column: column, reason: reason)
      }
    }
    self.species = species.sorted { $0.number < $1.number }
    for (one, next) in zip(self.species, self.species.dropFirst()) where one.number == next.number {
      throw .enemy(name: next.name, column: "number", reason: "\(one.name) has it too")
    }
  }

  /// The species that satisfy a filter.
  ///
  /// - Throws: `.noEnemies`; `.database`.
  public init(
    _ source: borrowing some DatabaseReading & ~Copyable, where filter: Filter = .everything
  ) throws(QuestError) {
    let found: [Identified<Pokemon>]
    do throws(DatabaseError) {
      found = try source.find(Pokemon.self, where: filter)
    } catch {
      throw .database(error)
    }
    try self.init(found.map { EnemySpecies($0.value) })
  }

  /// A number that stands for the whole table.
  public var digest: UInt64 { QuestDigest.of(encoded) }
}

/// A number that stands for bytes, to tell different ones apart.
enum QuestDigest {
  static func of(_ bytes: [UInt8]) -> UInt64 {
    var digest = SplitMix.mix(UInt64(bytes.count) &+ SplitMix.step)
    var word: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      word = (word << 8) | UInt64(byte)
      if index & 7 == 7 {
        digest = SplitMix.mix((digest ^ word) &+ SplitMix.step)
        word = 0
      }
    }
    return SplitMix.mix((digest ^ word) &+ SplitMix.step)
  }

  /// Sixteen hexadecimal digits.
  static func text(_ digest: UInt64) -> String {
    let digits = String(digest, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
