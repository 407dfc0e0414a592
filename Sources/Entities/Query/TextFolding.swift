internal import Index

/// Texts as searches see them.
enum TextFolding {
  /// The folded words with spaces between them: what two texts that say the same have in common.
  static func key(of text: String) -> String { NameFolding.fold(text) }

  /// True where `words` stand side by side among those of a folded text: the first where a word
  /// ends, the last where one begins, and one alone anywhere within a word.
  ///
  /// With `endsWord`, the last is a whole word, or one alone the end of a word. With `atStart`, only
  /// the start of the text counts.
  static func contains(
    _ words: [String], in text: [String], endsWord: Bool, atStart: Bool
  ) -> Bool {
    if words.isEmpty { return true }
    if text.count < words.count { return false }
    return (0...(atStart ? 0 : text.count - words.count)).contains { start in
      words.indices.allSatisfy { place in
        NameFolding.alternatives(of: text[start + place]).contains { word in
          matches(
            words[place].utf8, word.utf8, beginsWord: place > 0 || atStart,
            endsWord: endsWord || place < words.count - 1)
        }
      }
    }
  }

  private static func matches(
    _ part: String.UTF8View, _ word: String.UTF8View, beginsWord: Bool, endsWord: Bool
  ) -> Bool {
    if word.count < part.count { return false }
    if beginsWord { return endsWord ? word.elementsEqual(part) : word.starts(with: part) }
    if endsWord { return word.suffix(part.count).elementsEqual(part) }
    var rest = word[...]
    while rest.count >= part.count {
      if rest.starts(with: part) { return true }
      rest.removeFirst()
    }
    return false
  }
}
