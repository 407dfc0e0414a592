import Entities
import Glibc
import Terminal
import Testing

@testable import dexdb

/// How long a key takes on very many names, which is printed and not asserted; and what it finds,
/// which is.
@Suite struct `A key among very many names` {
  private static let syllables = [
    "ka", "ri", "mo", "ta", "le", "no", "shi", "pa", "ru", "zen", "dor", "mil", "bra", "che", "quo",
    "wyn", "fa", "gor", "hu", "jel", "lis", "na", "os", "pi", "ra", "sol", "tur", "ul", "ven", "xi",
  ]

  /// Two words, which the number decides.
  private static func name(_ number: Int) -> String {
    var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
    let next = { () -> String in
      state = (state ^ state >> 31) &* 0xBF58_476D_1CE4_E5B9
      return syllables[Int(state >> 40) % syllables.count]
    }
    return next() + next() + next() + " " + next() + next()
  }

  private static let count = isLongQueryTest ? 1_000_000 : 3000

  private static func filled() throws -> Database {
    let database = try Database.inMemory(entities: Pokedex.entities)
    try database.write { transaction throws(DatabaseError) in
      try transaction.fill { filler throws(DatabaseError) in
        for number in 1...count {
          var adventurer = Adventurer(
            name: name(number), profession: "Wizard", hitPoints: 80, multiplier: 300, defense: 50,
            evasion: 10, speed: 60)
          adventurer.level = number % 200 + 1
          try filler.insert(adventurer, id: EntityID(UInt64(number)))
        }
      }
    }
    return database
  }

  @Test func `finds what a plain scan finds`() throws {
    var tester = try BrowseTester(
      try Self.filled(), columns: 120, rows: 40, abilities: ScreenAbilities(depth: .common))
    try tester.press(.tab)
    let words = (1...Self.count).map { Self.name($0).split(separator: " ").map(String.init) }
    var report = ""
    func press(_ key: ScreenKey, _ what: String) throws {
      let start = ContinuousClock.now
      try tester.press(key)
      tester.source.pictures.beginFrame(.milliseconds(8))
      _ = try tester.canvas()
      let time = (ContinuousClock.now - start).components
      report += "\(what): \(time.seconds * 1_000_000 + time.attoseconds / 1_000_000_000_000) µs\n"
    }
    try press(.character("/"), "/")
    var typed = ""
    for letter in "kari" {
      typed.append(letter)
      try press(.character(letter), typed)
      let found = words.filter { $0.contains { $0.hasPrefix(typed) } }.count
      #expect(tester.state.list.total == found, "\(typed)")
      let first = words.firstIndex { $0[0].hasPrefix(typed) }
      #expect(tester.state.list.chosen.map { Int($0.rawValue) - 1 } == first, "\(typed)")
    }
    try press(.backspace, "kar again")
    try press(.enter, "enter")
    try press(.escape, "everything")
    #expect(tester.state.list.total == Self.count)
    for what in ["down", "down"] { try press(.down, what) }
    try press(.pageDown, "page")
    try press(.end, "end")
    #expect(tester.state.list.chosen == EntityID(UInt64(Self.count)))
    try press(.up, "up")
    try press(.pageUp, "page up")
    for _ in 0..<6 { try press(.pageUp, "page up") }
    try press(.home, "home")
    try press(.character("s"), "sort")
    for _ in 0..<3 { _ = try tester.state.handle(.down, tester.source) }
    try press(.enter, "by level")
    let best = (1...Self.count).first { $0 % 200 == 199 }
    #expect(tester.state.list.chosen.map { Int($0.rawValue) } == best)
    try press(.character("g"), "grid")
    try press(.end, "end of the grid")
    if isLongQueryTest { print(report) }
  }
}
