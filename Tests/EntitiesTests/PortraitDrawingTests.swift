import Entities
import Testing

@Suite struct `The gallery of portraits` {
  @Test func `has many, and no two alike`() throws {
    let portraits = try PortraitGallery.names.map {
      try #require(PortraitGallery.portrait(named: $0))
    }
    #expect(portraits.count >= 24)
    #expect(Set(portraits).count == portraits.count)
    #expect(Set(PortraitGallery.names).count == portraits.count)
    #expect(portraits.allSatisfy { $0.width == 48 && $0.height == 48 })
    #expect(portraits.allSatisfy { Set($0.pixels).count <= 64 })
  }

  @Test(arguments: [
    "Knight", "Wizard", "Ranger", "Rogue", "Cleric", "Monk", "Druid", "Alchemist",
  ])
  func `has some for every profession`(profession: String) {
    let names = PortraitGallery.names(ofProfession: profession.uppercased())
    #expect(names.count >= 3)
    #expect(
      names.allSatisfy { PortraitGallery.profession(ofPortraitNamed: $0) == profession })
  }

  @Test func `has travellers for any other profession`() {
    #expect(PortraitGallery.names(ofProfession: "Baker").contains("lark"))
    #expect(PortraitGallery.portrait(named: "nobody") == nil)
    #expect(PortraitGallery.profession(ofPortraitNamed: "nobody") == nil)
  }
}

@Suite struct `The generated portraits` {
  private static let types = [
    "normal", "fire", "water", "electric", "grass", "ice", "fighting", "poison", "ground", "flying",
    "psychic", "bug", "rock", "ghost", "dragon", "dark", "steel", "fairy",
  ]
  static let shapes = [
    "ball", "squiggle", "fish", "arms", "blob", "upright", "legs", "quadruped", "wings",
    "tentacles", "heads", "humanoid", "bug-wings", "armor",
  ]
  private static let colors = [
    "black", "blue", "brown", "gray", "green", "pink", "purple", "red", "white", "yellow",
  ]

  private static func likeness(_ number: Int) -> PokemonLikeness {
    PokemonLikeness(
      number: number,
      types: number % 2 == 0
        ? [types[number % 18]] : [types[number % 18], types[(number * 5 + 1) % 18]],
      shape: shapes[number % 14], color: colors[number % 10], height: number % 30 + 1,
      stage: number % 3 + 1)
  }

  @Test func `are all different`() {
    let portraits = (1...1025).map { PokemonPortrait.draw(Self.likeness($0)) }
    #expect(Set(portraits).count == 1025)
  }

  @Test(arguments: shapes)
  func `differ though all but the number is the same`(shape: String) {
    let portraits = (1...40).map { number in
      PokemonPortrait.draw(
        PokemonLikeness(number: number, types: ["grass"], shape: shape, color: "green"))
    }
    #expect(Set(portraits).count == portraits.count)
  }

  @Test(arguments: 1...56)
  func `are their own mirror images`(number: Int) {
    let portrait = PokemonPortrait.draw(Self.likeness(number))
    for row in 0..<portrait.height {
      for column in 0..<portrait.width / 2 {
        #expect(portrait[column, row] == portrait[portrait.width - 1 - column, row])
      }
    }
  }

  @Test func `are the same for the same facts`() {
    let likeness = Self.likeness(25)
    #expect(PokemonPortrait.draw(likeness) == PokemonPortrait.draw(likeness))
  }

  @Test func `show every fact`() {
    let plain = PokemonLikeness(
      number: 7, types: ["water"], shape: "upright", color: "blue", height: 5)
    let portrait = PokemonPortrait.draw(plain)
    let changes: [(inout PokemonLikeness) -> Void] = [
      { $0.number = 8 }, { $0.slug = "mega" }, { $0.types = ["fire"] },
      { $0.types = ["water", "ice"] }, { $0.shape = "fish" }, { $0.color = "red" },
      { $0.height = 30 }, { $0.stage = 3 },
    ]
    for (number, change) in changes.enumerated() {
      var other = plain
      change(&other)
      #expect(PokemonPortrait.draw(other) != portrait, "change \(number)")
    }
  }

  @Test func `do with words that nobody knows`() {
    let portrait = PokemonPortrait.draw(
      PokemonLikeness(
        number: -1, types: [], shape: "?", color: "", height: .max, stage: .min))
    #expect(portrait.width == PokemonPortrait.side)
  }

  @Test func `have a disc in the colours of the types`() {
    for type in Self.types {
      let portrait = PokemonPortrait.draw(
        PokemonLikeness(number: 1, types: [type], shape: "ball", color: "gray"))
      let others = Self.types.filter { $0 != type }.map { other in
        PokemonPortrait.draw(
          PokemonLikeness(number: 1, types: [other], shape: "ball", color: "gray"))[24, 0]
      }
      // The ring is at the top of the axis, and the corners are empty.
      #expect(!others.contains(portrait[24, 0]), "\(type)")
      #expect(portrait[0, 0].alpha == 0)
    }
  }
}
