import Entities
import Glibc
import PageStore
import Terminal

@testable import dexdb

/// The screens without a terminal: keys go to the state, and what is drawn is text.
struct BrowseTester {
  var state: BrowseState
  let source: BrowseSource

  init(
    _ database: Database, columns: Int = 80, rows: Int = 24,
    abilities: ScreenAbilities = ScreenAbilities(depth: .none), query: String = ""
  ) throws {
    source = try BrowseSource(database)
    state = BrowseState(columns: columns, rows: rows, abilities: abilities, query: query)
    try state.refresh(source)
  }

  /// Presses keys, and returns what the last of them asked for.
  @discardableResult
  mutating func press(_ keys: ScreenKey...) throws -> BrowseState.Effect? {
    var effect: BrowseState.Effect?
    for key in keys { effect = try state.handle(key, source) }
    try state.refresh(source)
    return effect
  }

  mutating func type(_ text: String) throws {
    for character in text { try press(.character(character)) }
  }

  func canvas() throws -> ScreenCanvas { try BrowseFrame.canvas(state, source) }

  func lines() throws -> [String] { try canvas().lines }

  func text() throws -> String { try lines().joined(separator: "\n") }

  /// The names in view, as the list holds them.
  var names: [String] {
    (0..<state.layout.visible).compactMap { state.list.row(at: state.list.top + $0)?.name }
  }

  var chosenName: String? { state.list.chosenRow?.name }

  /// A Pokédex in memory, filled once for all tests that only read it.
  static let pokedex = Result<Database, any Error> {
    let database = try Database.inMemory(entities: Pokedex.entities)
    try database.write { transaction throws(DatabaseError) in
      try Pokedex.fill(&transaction)
    }
    return database
  }

  static func withPokedex(columns: Int = 80, rows: Int = 24, query: String = "") throws
    -> BrowseTester
  {
    try BrowseTester(try pokedex.get(), columns: columns, rows: rows, query: query)
  }

  /// A database with adventurers of these names, of the professions in turn.
  static func withAdventurers(_ names: [String]) throws -> (Database, BrowseTester) {
    let database = try Database.inMemory(entities: Pokedex.entities)
    try database.write { transaction throws(DatabaseError) in
      for (index, name) in names.enumerated() {
        let profession = Profession.allCases[index % Profession.allCases.count].rawValue
        try transaction.insert(
          Adventurer.recruit(
            name: name, profession: profession, seed: 1, id: EntityID(UInt64(index + 1))))
      }
    }
    var tester = try BrowseTester(database)
    try tester.press(.tab)
    return (database, tester)
  }
}
