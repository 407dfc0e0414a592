import Entities
import Testing

@Suite struct `Recruiting` {
  /// The professions whose rows had level and hit points set after they were drawn.
  ///
  /// Each level gave three more hit points. One of the levels is 1, so that the level alone does not
  /// tell these rows from the others.
  private static let raised: Set = ["Wizard", "Cleric", "Alchemist"]

  @Test func `draws what the worked examples have`() throws {
    let rows = PokedexTable.quests.records
    #expect(rows.count == 120)
    for row in rows {
      let seed = try #require(UInt64(row.cell("seed")))
      let profession = row.cell("profession")
      let recruit = Adventurer.recruit(
        name: "Ana", profession: profession, seed: seed,
        id: EntityID(UInt64(row.number("adventurer"))))
      let raise = Self.raised.contains(profession) ? 3 * row.number("level") : 0
      #expect(recruit.totalHitPoints + raise == row.number("hp"))
      #expect(recruit.currentHitPoints == recruit.totalHitPoints)
      #expect(recruit.multiplier == row.number("multiplier"))
      #expect(recruit.defense == row.number("defense"))
      #expect(recruit.evasion == row.number("evasion"))
      #expect(recruit.speed == row.number("speed"))
      #expect(recruit.level == 1)
    }
    let professions = Set(rows.map { $0.cell("profession") })
    #expect(professions.isSuperset(of: Profession.allCases.map(\.rawValue)))
    #expect(professions.contains { Profession(named: $0) == nil })
  }

  @Test func `knows a profession in any case`() {
    let id = EntityID(7)
    let plain = Adventurer.recruit(name: "Bo", profession: "Wizard", seed: 42, id: id)
    var shouted = Adventurer.recruit(name: "Bo", profession: "WIZARD", seed: 42, id: id)
    #expect(shouted.profession == "WIZARD")
    shouted.profession = "Wizard"
    #expect(shouted == plain)
  }

  @Test(arguments: Profession.allCases)
  func `stays within the ranges, and reaches both ends`(profession: Profession) {
    let ranges = profession.ranges
    var hitPoints: Set<Int> = []
    var evasions: Set<Int> = []
    for seed in UInt64(0)..<1_000 {
      let recruit = Adventurer.recruit(
        name: "Cy", profession: profession.rawValue, seed: seed, id: EntityID(1))
      hitPoints.insert(recruit.totalHitPoints)
      evasions.insert(recruit.evasion)
    }
    #expect(hitPoints == Set(ranges.hitPoints))
    #expect(evasions == Set(ranges.evasion))
  }

  // The numbers are those that the authors' own programs print for these states.
  @Test func `mixes and draws as published`() {
    var state: UInt64 = 1_234_567
    let mixed = (0..<5).map { _ in
      state &+= SplitMix.step
      return SplitMix.mix(state)
    }
    #expect(
      mixed == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
    var random = QuestRandom(state: 1, 2, 3, 4)
    #expect(
      (0..<10).map { _ in random.next() } == [
        41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386,
        9_228_616_714_210_784_205, 9_973_669_472_204_895_162, 14_011_001_112_246_962_877,
        12_406_186_145_184_390_807, 15_849_039_046_786_891_736, 10_450_023_813_501_588_000,
      ])
  }
}
