/// Many adventurers as a file of tab-separated values, as `dexdb export` writes them.
enum Roster {
  static let columns = [
    "id", "name", "profession", "level", "experience", "current_hit_points", "total_hit_points",
    "multiplier", "defense", "evasion", "speed", "wins", "losses",
  ]

  /// The file with `count` adventurers, numbered from 1.
  static func text(count: Int) -> [UInt8] {
    var random = SplitMix64(seed: 60)
    let syllables = ["an", "bel", "cor", "da", "el", "fin", "gar", "hi", "lor", "mi", "os", "ry"]
    let professions = ["Knight", "Wizard", "Ranger", "Astronomer"]
    var text = Array((columns.joined(separator: "\t") + "\n").utf8)
    text.reserveCapacity(count * 72)
    for number in 1...count {
      let name = (0..<Int.random(in: 2...4, using: &random)).map { _ in
        syllables[.random(in: 0..<syllables.count, using: &random)]
      }.joined()
      let total = Int.random(in: 60...900, using: &random)
      let cells: [Int] = [
        .random(in: 1...200, using: &random), .random(in: 0...5_000_000, using: &random),
        .random(in: 0...total, using: &random), total, .random(in: 1...4, using: &random),
        .random(in: 40...110, using: &random), .random(in: 0...50, using: &random),
        .random(in: 40...110, using: &random), .random(in: 0...3000, using: &random),
        .random(in: 0...500, using: &random),
      ]
      let profession = professions[number % professions.count]
      let line = "\(number)\t\(name.prefix(1).uppercased())\(name.dropFirst())\t\(profession)"
      text += line.utf8
      for cell in cells {
        text.append(9)
        text += "\(cell)".utf8
      }
      text.append(10)
    }
    return text
  }

  /// The first columns of the text, which are those that were imported: what is exported has columns
  /// for all fields.
  static func importedColumns(_ text: [UInt8]) -> [UInt8] {
    let width = columns.count
    var kept: [UInt8] = []
    kept.reserveCapacity(text.count)
    var column = 0
    for byte in text {
      if byte == 10 {
        column = 0
        kept.append(byte)
      } else {
        if byte == 9 { column += 1 }
        if column < width { kept.append(byte) }
      }
    }
    return kept
  }
}
