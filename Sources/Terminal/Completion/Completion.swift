/// What can be written in the place of a part of a line.
package struct Completion: Equatable {
  package struct Candidate: Hashable {
    /// What takes the part's place.
    package var text: String
    /// What a list shows of it.
    package var shown: String
    /// What follows once it is the only one.
    package var ending: String
    /// What a list may say of it; empty where nothing is known.
    package var help: String

    package init(
      _ text: String, shown: String? = nil, ending: String = " ", help: String = ""
    ) {
      self.text = text
      self.help = help
      self.shown = shown ?? text
      self.ending = ending
    }
  }

  /// The part of the line that is replaced, which ends at the cursor.
  package var part: String
  package var candidates: [Candidate]

  package init(_ part: some StringProtocol, _ candidates: [Candidate] = []) {
    self.part = String(part)
    self.candidates = candidates
  }

  package static let none = Completion("")

  /// How many characters before the cursor are replaced: scalars, as the line editor counts.
  package var replacedCount: Int { part.unicodeScalars.count }

  /// What to write instead: the only candidate, or what all have in common where that is more than
  /// is there; nil where the choice is the user's.
  package var inserted: String? {
    guard let first = candidates.first else { return nil }
    if candidates.count == 1 {
      let text = first.text + first.ending
      return text == part ? nil : text
    }
    var common = Array(first.text)
    for candidate in candidates.dropFirst() {
      let pairs = zip(common, candidate.text)
      common = Array(common.prefix(pairs.prefix { Self.isSame($0, $1) }.count))
    }
    return common.count > part.count ? String(common) : nil
  }

  private static func isSame(_ one: Character, _ other: Character) -> Bool {
    one == other || one.lowercased() == other.lowercased()
  }

  /// The most candidates that a list shows.
  static let listLimit = 200

  /// The candidates in columns, read downwards.
  package func list(width: Int) -> String {
    let names = candidates.prefix(Self.listLimit).map {
      TerminalText.excerpt($0.shown, columns: max(8, width - 1))
    }
    let column = (names.map { DisplayWidth.of($0) }.max() ?? 0) + 2
    let columnCount = max(1, (width - 1) / column)
    let rowCount = (names.count + columnCount - 1) / columnCount
    var text = ""
    for row in 0..<rowCount {
      for place in stride(from: row, to: names.count, by: rowCount) {
        text += names[place]
        if place + rowCount < names.count {
          text += String(repeating: " ", count: column - DisplayWidth.of(names[place]))
        }
      }
      text += "\n"
    }
    if candidates.count > Self.listLimit {
      text += "and \(candidates.count - Self.listLimit) more\n"
    }
    return text
  }
}
