/// The facts that the library carries in itself: all species, forms, names, types and moves.
///
/// Everything is decoded when it is asked for, and nothing is kept.
public enum BundledDex {
  /// All species, by number.
  ///
  /// - Throws: What is wrong with the file of facts.
  public static func species() throws(FactsError) -> [Pokemon] {
    let file = try file()
    return try PokemonFacts(try file.table(.species), names: try names(file)).pokemon()
  }

  /// All forms that differ from their species, by their numbers.
  ///
  /// - Throws: What is wrong with the file of facts.
  public static func forms() throws(FactsError) -> [Form] {
    let file = try file()
    return try FormFacts(try file.table(.forms), names: try names(file)).forms()
  }

  /// All moves, by number.
  ///
  /// - Throws: What is wrong with the file of facts.
  public static func moves() throws(FactsError) -> [Move] {
    try MoveFacts(try file().table(.moves)).moves()
  }

  /// The names of every species in every language, by the species' numbers.
  ///
  /// - Throws: What is wrong with the file of facts.
  public static func names() throws(FactsError) -> [Int: [Translation]] { try names(try file()) }

  static func file() throws(FactsError) -> FactFile {
    try FactFile(untrusted: EmbeddedFacts.bytes())
  }

  private static func names(_ file: FactFile) throws(FactsError) -> [Int: [Translation]] {
    let table = try file.table(.names)
    let languages = table.columnNames.dropFirst()
    let texts = try table.texts(throughPlace: languages.count)
    var names: [Int: [Translation]] = [:]
    for (row, number) in try table.integers("number").enumerated() {
      guard let number else { throw table.failure(column: "number", .value("none")) }
      names[number] = zip(languages, texts.dropFirst()).map { language, texts in
        Translation(language: language, text: texts[row])
      }
    }
    return names
  }
}
