/// The columns of the table of moves, decoded, and the moves that they make.
struct MoveFacts {
  private let numbers: [Int]
  private let slugs: [String]
  private let names: [String]
  private let types: [PokemonType]
  private let categories: [MoveCategory]
  private let powers: [Int?]
  private let accuracies: [Int?]
  private let powerPoints: [Int]
  private let priorities: [Int]

  init(_ table: FactColumns) throws(FactsError) {
    numbers = try table.numbers("id")
    slugs = try table.texts("slug")
    names = try table.texts("name")
    types = try table.members(PokemonType.self, of: "type")
    categories = try table.members(MoveCategory.self, of: "category")
    powers = try table.integers("power")
    accuracies = try table.integers("accuracy")
    powerPoints = try table.numbers("pp")
    priorities = try table.numbers("priority")
  }

  /// All moves, in the order of the rows.
  func moves() -> [Move] {
    numbers.indices.map { row in
      Move(
        number: numbers[row], slug: slugs[row], name: names[row], type: types[row],
        category: categories[row], power: powers[row], accuracy: accuracies[row],
        powerPoints: powerPoints[row], priority: priorities[row])
    }
  }
}
