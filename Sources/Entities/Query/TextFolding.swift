internal import Index

/// Texts as searches see them.
enum TextFolding {
  /// The folded words with spaces between them: what two texts that say the same have in common.
  static func key(of text: String) -> String { NameFolding.fold(text) }
}
