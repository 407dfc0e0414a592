internal import PageStore

/// Reads enemies of one's own from a text: a header line and a line for each, cells apart by tabs.
///
/// The columns, in any order: `name`, `hp`, `attack`, `defense`, `speed` and `types` (apart by commas)
/// must be there; `number` (else the row's), `multiplier` (in parts of 1/256, else 80), `evasion` (in
/// parts of 1/256, else an eighth of the speed) and `base_experience` (else 0) may be. Empty lines and
/// lines that begin with `#` count for nothing.
public enum QuestBestiary {
  private static let required = ["name", "hp", "attack", "defense", "speed", "types"]
  private static let optional = ["number", "multiplier", "evasion", "base_experience"]

  /// How many bytes a bestiary may have.
  public static let byteLimit = 1 << 24

  /// The enemies that `bytes` say.
  ///
  /// - Throws: `.bestiary`, with the line and the column; `.noEnemies`, `.tooManyEnemies`.
  public static func table(_ bytes: [UInt8]) throws(QuestError) -> EnemyTable {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .bestiary(line: 1, column: nil, reason: "it is no UTF-8")
    }
    var columns: [String]?
    var species: [EnemySpecies] = []
    var lines: [Int: Int] = [:]
    for (index, part) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      var line = part
      if line.last == "\r" { line.removeLast() }
      if line.isEmpty || line.first == "#" { continue }
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard let columns else {
        try checkHeader(cells, line: index + 1)
        columns = cells
        continue
      }
      guard cells.count == columns.count else {
        throw .bestiary(
          line: index + 1, column: nil,
          reason: "\(cells.count.counted("cell")) where the header has \(columns.count)")
      }
      if species.count == EnemyTable.limit { throw .tooManyEnemies(limit: EnemyTable.limit) }
      let row = Dictionary(uniqueKeysWithValues: zip(columns, cells))
      let enemy = try enemy(row, line: index + 1, number: species.count + 1)
      if let (column, reason) = enemy.problem {
        throw .bestiary(line: index + 1, column: column, reason: reason)
      }
      if let other = lines.updateValue(index + 1, forKey: enemy.number) {
        throw .bestiary(
          line: index + 1, column: "number", reason: "line \(other) has \(enemy.number) too")
      }
      species.append(enemy)
    }
    return try EnemyTable(species)
  }

  private static func checkHeader(_ cells: [String], line: Int) throws(QuestError) {
    let known = required + optional
    for (index, cell) in cells.enumerated() {
      if !known.contains(cell) {
        throw .bestiary(
          line: line, column: cell, reason: "there are " + known.joined(separator: ", "))
      }
      if cells[..<index].contains(cell) {
        throw .bestiary(line: line, column: cell, reason: "it is there twice")
      }
    }
    if let missing = required.first(where: { !cells.contains($0) }) {
      throw .bestiary(line: line, column: missing, reason: "it is missing")
    }
  }

  private static func enemy(
    _ row: [String: String], line: Int, number: Int
  ) throws(QuestError) -> EnemySpecies {
    func value(_ column: String) throws(QuestError) -> Int? {
      guard let cell = row[column], !cell.isEmpty else { return nil }
      guard let value = Int(cell) else {
        throw .bestiary(line: line, column: column, reason: "'\(cell)' is no whole number")
      }
      return value
    }
    func needed(_ column: String) throws(QuestError) -> Int {
      guard let value = try value(column) else {
        throw .bestiary(line: line, column: column, reason: "it is empty")
      }
      return value
    }
    var types: [PokemonType] = []
    for name in (row["types"] ?? "").split(separator: ",").map(String.init) {
      guard let place = PokemonType.names.firstIndex(of: name.lowercased()) else {
        let near = NearestName.of(name, among: PokemonType.names)
        throw .bestiary(
          line: line, column: "types",
          reason: "no type '\(name)'" + (near.map { ": did you mean '\($0)'?" } ?? ""))
      }
      types.append(PokemonType.allCases[place])
    }
    let speed = try needed("speed")
    return EnemySpecies(
      number: try value("number") ?? number, name: row["name"] ?? "", hp: try needed("hp"),
      attack: try needed("attack"), defense: try needed("defense"), speed: speed, types: types,
      baseExperience: try value("base_experience") ?? 0,
      multiplier: try value("multiplier") ?? QuestRules.enemyMultiplier,
      evasion: try value("evasion"))
  }
}
