internal import Entities

/// A name that records have, and what a list may say of it.
package struct KnownName: Hashable {
  package var text: String
  /// What the record is called otherwise; empty where there is nothing to say.
  package var help: String

  package init(_ text: String, help: String = "") {
    self.text = text
    self.help = help
  }

  /// True where a name has folded words side by side: at its start, or anywhere, also within a word.
  static func has(_ words: [String], in name: String, atStart: Bool) -> Bool {
    let text = NearestName.foldedWords(of: name).joined(separator: " ")
    let part = words.joined(separator: " ")
    return atStart ? text.hasPrefix(part) : text.contains(part)
  }
}
