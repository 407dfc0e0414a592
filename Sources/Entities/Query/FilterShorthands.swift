internal import Index

extension Filter {
  /// Records in which words of `field` begin as those of `text` do, however it is written.
  ///
  /// The words of `text` must follow each other, and only the last may be cut short; a text without
  /// any letter or digit finds every record.
  public static func search(_ field: FieldPath, _ text: String) -> Filter {
    let words = NameFolding.words(of: text)
    return words.isEmpty ? .everything : .words(field, words, isPhrase: false)
  }
}

extension FieldPath: ExpressibleByStringLiteral {
  /// The path of the field of that name, without an argument.
  public init(stringLiteral name: String) { self.init(name) }
}

extension Number: ExpressibleByIntegerLiteral {
  /// The whole number.
  public init(integerLiteral value: Int64) { self.init(value) }
}
