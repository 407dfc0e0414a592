/// Texts as searches see them.
enum TextFolding {
  /// The folded words of a text.
  static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = ""
    for scalar in text.lowercased().unicodeScalars {
      if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        word.unicodeScalars.append(scalar)
      } else if scalar != "'" && scalar != "’" && !word.isEmpty {
        words.append(word)
        word = ""
      }
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  /// The folded words with spaces between them: what two texts that say the same have in common.
  static func key(of text: String) -> String { words(of: text).joined(separator: " ") }
}
