/// The rules of quests, version 1: all of their numbers, in one place.
///
/// A quest is integer arithmetic in virtual time, so that the same inputs give the same result on
/// every machine. A tick is a millisecond; division truncates at each step as it is written.
public enum QuestRules {
  /// The version, which grows with every change that could change a result.
  public static let version = 1

  /// The last tick at which something may happen, unless a run says otherwise: a day.
  public static let usualLimit: Int64 = 86_400_000
  /// How many enemies there may be at once.
  public static let foeCounts = 1...4
  /// The levels that a fighter may have.
  public static let levels = 1...200
  /// What stats may be, but for speed.
  public static let stats = 1...65_535
  /// What speed may be.
  public static let speeds = 0...10_000
  /// What evasion may be, in parts of 1/256.
  public static let evasions = 0...128
  /// What the hit points of an adventurer may be.
  public static let hitPoints = 1...Int(Int32.max)
  /// The multiplier of an enemy whose table names none, in parts of 1/256.
  public static let enemyMultiplier = 80

  /// What the attack of an adventurer is made from.
  static let adventurerAttack: Int64 = 75
  /// The power of every attack.
  static let power: UInt64 = 40
  /// An enemy waits where 16 bits of the draw are below this.
  static let waiting: UInt64 = 16_384
  /// How many steps the last factor of a damage has, from `leastFactor` on, in parts of 1/256.
  static let factorCount: UInt64 = 52
  static let leastFactor: Int64 = 205
  /// What stands for no effect at all in the type chart, in hundredths.
  static let leastEffect = 25

  /// The stat that a fighter of `level` has from `base`.
  public static func stat(_ base: Int64, level: Int64) -> Int64 {
    Int64(unsigned(2 &* base &* level) / 100) &+ 5
  }

  /// The hit points that an enemy of `level` has from `base`.
  public static func hitPoints(_ base: Int64, level: Int64) -> Int64 {
    Int64(unsigned(2 &* base &* level) / 100) &+ level &+ 10
  }

  /// The ticks between two actions of a fighter of that speed; from 19 to 4,000.
  public static func interval(speed: Int64) -> Int64 { max(1, 200_000 / (speed + 50)) }

  /// How many defeats since the last level-up bring the next one.
  public static func defeats(atLevel level: Int64) -> Int64 { 2 &+ level >> 2 }

  /// How many hit points a level-up adds.
  public static func gain(totalHitPoints: Int64) -> Int64 { max(1, totalHitPoints / 20) }

  /// The experience that a defeated enemy gives.
  public static func experience(base: Int64, level: Int64) -> Int64 {
    Int64(unsigned(base &* level) / 7)
  }

  /// The damage of an attack before the last factor.
  ///
  /// The numbers must be such as the rules allow; of others, anything may come.
  ///
  /// - Parameters:
  ///   - level: The attacker's.
  ///   - attack: The attacker's.
  ///   - multiplier: The attacker's, in parts of 1/256.
  ///   - defense: The defender's.
  ///   - effects: How the attack works on each type of the defender, in hundredths; four at most.
  /// - Returns: At least 1.
  public static func damageBase(
    level: Int64, attack: Int64, multiplier: Int64, defense: Int64, effects: [Int64]
  ) -> Int64 {
    precondition(effects.count <= EnemySpecies.typeLimit, "nobody has so many types")
    return typed(
      untyped(level: level, attack: attack, multiplier: multiplier, defense: defense),
      InlineArray { $0 < effects.count ? UInt16(clamping: effects[$0]) : 100 })
  }

  /// The damage of an attack by what it was before types count, and by its effects on four types.
  @inline(__always) static func typed(
    _ untyped: UInt64, _ effects: InlineArray<4, UInt16>
  ) -> Int64 {
    var base = untyped &* UInt64(effects[0]) / 100
    base = base &* UInt64(effects[1]) / 100
    if effects[2] != 100 || effects[3] != 100 {
      base = base &* UInt64(effects[2]) / 100 &* UInt64(effects[3]) / 100
    }
    return Int64(bitPattern: max(1, base))
  }

  /// The damage of an attack before types count.
  ///
  /// What is divided by the defense is below 2^32 for all stats that there are: 82 · 40 · 262,145 at
  /// most.
  @inline(__always) static func untyped(
    level: Int64, attack: Int64, multiplier: Int64, defense: Int64
  ) -> UInt64 {
    let force = UInt32(
      truncatingIfNeeded: (unsigned(2 &* level) / 5 &+ 2) &* power &* unsigned(attack))
    let base = UInt64(force / UInt32(truncatingIfNeeded: defense)) / 50 &+ 2
    return base &* unsigned(multiplier) / 256
  }

  /// The same number, which is not negative; its quotients are found faster.
  @inline(__always) private static func unsigned(_ number: Int64) -> UInt64 {
    UInt64(bitPattern: number)
  }

  /// The damage of an attack by the step of the last factor that was drawn, from 0 to 51.
  @inline(__always) public static func damage(base: Int64, step: Int64) -> Int64 {
    max(1, (base &* (leastFactor &+ step)) >> 8)
  }

  /// How an attack of a type works on a defender of another, in hundredths; never nothing at all.
  public static func effect(
    of attack: PokemonType?, on type: PokemonType, in chart: TypeChart
  ) -> Int64 {
    guard let attack else { return 100 }
    let factor = chart.factor(of: attack, against: type)
    return Int64(factor == 0 ? leastEffect : factor)
  }
}
