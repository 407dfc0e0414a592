import Glibc

/// The facts as the tables of the repository hold them, read without any of the project's code.
enum PlainFacts {
  struct Species: Sendable {
    var cells: [String: String]
    /// Words of the names in all languages and of the slug, each name by itself.
    var names: [[String]] = []

    subscript(name: String) -> String { cells[name] ?? "" }

    func int(_ name: String) -> Int { Int(self[name]) ?? -1 }

    func list(_ name: String) -> [String] {
      self[name].split(separator: ",").map { String($0.filter { $0 != "*" }) }
    }

    var number: Int { int("number") }
    var types: [String] { list("types") }
    var total: Int {
      ["hp", "attack", "defense", "special_attack", "special_defense", "speed"]
        .reduce(0) { $0 + int($1) }
    }
  }

  private static let root: String = {
    var parts = #filePath.split(separator: "/")
    while let last = parts.popLast(), last != "Tests" {}
    return parts.map { "/" + $0 }.joined()
  }()

  static func table(_ name: String, folder: String = "Data/facts") -> [[String: String]] {
    let text = String(
      decoding: ProgramFolder.bytes("\(root)/\(folder)/\(name).tsv"), as: UTF8.self)
    let lines = text.split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
    }
    guard let header = lines.first else { return [] }
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(header, $0)) }
  }

  static let species: [Species] = {
    var all = table("species").map { Species(cells: $0) }
    for index in all.indices { all[index].names.append(words(all[index]["slug"])) }
    for row in table("names") {
      guard let number = row["number"].flatMap({ Int($0) }), let name = row["name"] else {
        continue
      }
      all[number - 1].names.append(words(name))
    }
    return all
  }()

  private static let plain: [Character: Character] = {
    var plain: [Character: Character] = [:]
    let letters = ["aáàâäãå", "eéèêë", "iíìîï", "oóòôöõ", "uúùûü", "nñ", "cç"]
    for group in letters {
      guard let first = group.first else { continue }
      for letter in group { plain[letter] = first }
    }
    return plain
  }()

  /// Words without case, and without the accents of Western Europe.
  static func words(_ name: String) -> [String] {
    name.lowercased().filter { $0 != "’" && $0 != "'" }
      .split { !$0.isLetter && !$0.isNumber && $0 != "♀" && $0 != "♂" }
      .map { String($0.map { plain[$0] ?? $0 }) }
  }

  private static let chart: [String: Int] = {
    var chart: [String: Int] = [:]
    for row in table("typechart") {
      chart[(row["attacking"] ?? "") + " " + (row["defending"] ?? "")] =
        row["factor"].flatMap { Int($0) } ?? 0
    }
    return chart
  }()

  /// The multiplier in hundredths of an attack on a Pokémon.
  static func takes(_ attack: String, _ species: Species) -> Int {
    species.types.reduce(100) { $0 * (chart["\(attack) \($1)"] ?? 0) / 100 }
  }

  static let evolving: Set<Int> = Set(species.map { $0.int("evolves_from") })

  static func stage(_ one: Species) -> Int {
    var stage = 1
    var from = one.int("evolves_from")
    while from > 0 {
      stage += 1
      from = species[from - 1].int("evolves_from")
    }
    return stage
  }
}
