/// The folding of texts in queries, the same as that of the index of names.
enum QueryFolding {
  /// The folded words of `text`.
  static func words(_ text: String) -> [String] {
    let text = text.decomposed
    return text.lowercased().unicodeScalars.filter {
      !(0x300...0x36F).contains($0.value) && $0 != "'" && $0 != "\u{2019}"
    }
    .split { !$0.properties.isAlphabetic && !$0.properties.generalCategory.isNumber }
    .map { scalars in String(String.UnicodeScalarView(scalars)) }
  }

  /// `text` as one folded word, for names that are compared without regard to marks and case.
  static func plain(_ text: String) -> String { words(text).joined(separator: "-") }
}

extension String { fileprivate var decomposed: String { self } }
extension Unicode.GeneralCategory {
  fileprivate var isNumber: Bool {
    self == .decimalNumber || self == .letterNumber || self == .otherSymbol
  }
}
