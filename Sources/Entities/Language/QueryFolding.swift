internal import Index

/// The folding of texts in queries, the same as that of the index of names.
enum QueryFolding {
  /// The folded words of `text`.
  static func words(_ text: String) -> [String] { NameFolding.words(of: text) }

  /// `text` as one folded word, for names that are compared without regard to marks and case.
  static func plain(_ text: String) -> String { words(text).joined(separator: "-") }
}
