/// A folded word of a name, or the beginning of one, among all words or those that begin a name.
struct NameWord: Hashable {
  /// The first byte of a word's key; that of a prefix with a list is greater by two.
  ///
  /// A name's first word is there in both kinds, so that either is answered by one list.
  enum Kind: UInt8 {
    case start = 1
    case anywhere = 2

    /// What begins the key of a prefix with a list.
    var prefixRawValue: UInt8 { rawValue + NameWord.prefixOffset }
  }

  var kind: Kind
  var text: String

  fileprivate static let prefixOffset: UInt8 = 2

  init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  /// The word that has `key`; nil where that is the key of none.
  init?(key: [UInt8]) {
    guard let first = key.first, let kind = Kind(rawValue: first),
      let bytes = TermKey.term(of: Array(key.dropFirst())),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    self.init(kind, text)
  }

  /// All words of a row with these names, each cut to the length that is kept.
  static func words(of names: [String]) -> Set<NameWord> {
    var words: Set<NameWord> = []
    for name in names {
      for (place, word) in NameFolding.words(of: name).enumerated() {
        for word in NameFolding.alternatives(of: word) {
          words.insert(NameWord(.anywhere, word.nameWord))
          if place == 0 { words.insert(NameWord(.start, word.nameWord)) }
        }
      }
    }
    return words
  }

  /// What the list under `key` is of, for a reader.
  static func description(ofKey key: [UInt8]) -> String {
    guard let first = key.first, let bytes = TermKey.term(of: Array(key.dropFirst())) else {
      return key.printable
    }
    let isPrefix = first > prefixOffset
    let place = (isPrefix ? first - prefixOffset : first) == Kind.start.rawValue
    return (isPrefix ? "prefix " : "word ") + bytes.printable + (place ? " at the start" : "")
  }

  /// What the keys of all words that begin with this text begin with.
  var keyPrefix: [UInt8] { [kind.rawValue] + TermKey.escaped(Array(text.utf8)) }

  /// The list of the rows with this word.
  func list(of index: String) -> PostingList {
    PostingList(index: index, key: [kind.rawValue] + TermKey.key(of: Array(text.utf8)))
  }

  /// The list of the rows with a word that begins with this text.
  func prefixList(of index: String) -> PostingList {
    PostingList(
      index: index,
      key: [kind.prefixRawValue] + TermKey.key(of: Array(text.utf8)))
  }

  /// The key of the mark that prefixes one character longer have lists.
  var splitKey: [UInt8] { [NameWord.splitFamily, kind.rawValue] + Array(text.utf8) }

  static let splitFamily: UInt8 = 4

  /// The text without its last character.
  var shortened: NameWord {
    NameWord(kind, String(text.unicodeScalars.dropLast()))
  }

  /// The first `length` characters; nil where there are not so many.
  func prefix(_ length: Int) -> NameWord? {
    let scalars = text.unicodeScalars
    guard
      let end = scalars.index(
        scalars.startIndex, offsetBy: length, limitedBy: scalars.endIndex)
    else { return nil }
    return NameWord(kind, String(scalars[..<end]))
  }
}

extension NameWord {
  static func == (left: NameWord, right: NameWord) -> Bool {
    left.kind == right.kind && left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

extension String {
  /// As much of the word as an index keeps.
  var nameWord: String {
    if utf8.count <= NameFolding.wordByteCount { return self }
    var word = String.UnicodeScalarView()
    var byteCount = 0
    for scalar in unicodeScalars {
      byteCount += UTF8.width(scalar)
      if byteCount > NameFolding.wordByteCount { break }
      word.append(scalar)
    }
    return String(word)
  }
}
