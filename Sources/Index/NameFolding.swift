internal import CUTF8Proc

/// How names are made alike before they are compared: without case, accents, apostrophes and width.
///
/// A text is normalised by NFKC with full case folding, which also takes invisible characters away;
/// then U+0300 through U+036F are removed after decomposition, and the rest composed again. Other
/// marks stay, so that ピカ is not ヒカ. `’` and `'` are dropped; all other punctuation, white space and
/// control characters separate words. ♀ and ♂ also match f and m.
///
/// - Source: Unicode Standard Annex 15, and the Unicode Standard, section 3.13.
public enum NameFolding {
  /// The longest word that an index keeps, in bytes of UTF-8; of longer ones it keeps the beginning.
  public static let wordByteCount = 64

  /// The folded words of `text`, in their order.
  ///
  /// - Complexity: O(*n*) in bytes of the text.
  public static func words(of text: String) -> [String] {
    if let words = asciiWords(of: text) { return words }
    var words: [String] = []
    var word = String.UnicodeScalarView()
    for scalar in scalars(of: text) {
      if scalar == "'" || scalar == "\u{2019}" { continue }
      if isSeparator(scalar) {
        if !word.isEmpty { words.append(String(word)) }
        word = String.UnicodeScalarView()
      } else {
        word.append(scalar)
      }
    }
    if !word.isEmpty { words.append(String(word)) }
    return words
  }

  /// The folded words of `text` with single spaces between them.
  public static func fold(_ text: String) -> String { words(of: text).joined(separator: " ") }

  /// The words by which a folded word is found: itself, and where it has ♀ or ♂, with f or m instead.
  public static func alternatives(of word: String) -> [String] {
    guard word.unicodeScalars.contains(where: { $0 == "\u{2640}" || $0 == "\u{2642}" }) else {
      return [word]
    }
    var other = String.UnicodeScalarView()
    for scalar in word.unicodeScalars {
      switch scalar {
      case "\u{2640}": other.append("f")
      case "\u{2642}": other.append("m")
      default: other.append(scalar)
      }
    }
    return [word, String(other)]
  }

  /// True where `words` stand side by side among those of a folded text, the last as a prefix.
  ///
  /// `atStart` is true where they must be the text's first.
  public static func matches(
    _ words: [String], in text: [String], atStart: Bool = false
  ) -> Bool {
    guard let last = words.last else { return true }
    if text.count < words.count { return false }
    for start in 0...(atStart ? 0 : text.count - words.count) {
      let isMatch = words.indices.allSatisfy { place in
        let isLast = place == words.count - 1
        return alternatives(of: text[start + place]).contains { word in
          isLast ? word.utf8.starts(with: last.utf8) : word.utf8.elementsEqual(words[place].utf8)
        }
      }
      if isMatch { return true }
    }
    return false
  }

  /// The words of a text that is ASCII, or nil where it is not.
  private static func asciiWords(of text: String) -> [String]? {
    var words: [String] = []
    var word: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x61...0x7A: word.append(byte)
      case 0x41...0x5A: word.append(byte | 0x20)
      case 0x27: break
      // What is neither punctuation nor white space nor control: $ + < = > ^ ` | ~
      case 0x24, 0x2B, 0x3C...0x3E, 0x5E, 0x60, 0x7C, 0x7E: word.append(byte)
      case 0x80...: return nil
      default:
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        word.removeAll(keepingCapacity: true)
      }
    }
    if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
    return words
  }

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
      .initialPunctuation, .finalPunctuation, .otherPunctuation, .spaceSeparator, .lineSeparator,
      .paragraphSeparator, .control:
      true
    default: false
    }
  }

  /// The characters of `text`, folded, decomposed, without accents and composed again.
  private static func scalars(of text: String) -> [Unicode.Scalar] {
    var text = text
    var codes = decomposed(&text).filter { !(0x300...0x36F).contains($0) }
    let options = utf8proc_option_t(UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue)
    let count = codes.count
    // Safe: composing goes on in place and makes nothing longer.
    let composedCount = unsafe codes.withUnsafeMutableBufferPointer { codes in
      unsafe utf8proc_normalize_utf32(codes.baseAddress, count, options)
    }
    precondition(composedCount >= 0, "composing failed with \(composedCount)")
    return codes.prefix(composedCount).compactMap { Unicode.Scalar(UInt32(bitPattern: $0)) }
  }

  /// The codes of `text` in compatibility decomposition, case folded.
  private static func decomposed(_ text: inout String) -> [Int32] {
    let options = utf8proc_option_t(
      UTF8PROC_STABLE.rawValue | UTF8PROC_COMPAT.rawValue | UTF8PROC_CASEFOLD.rawValue
        | UTF8PROC_IGNORE.rawValue | UTF8PROC_DECOMPOSE.rawValue)
    return text.withUTF8 { bytes in
      // Safe: the first call only counts; the second has room for as many codes.
      let count = unsafe utf8proc_decompose(
        bytes.baseAddress, bytes.count, nil, 0, options)
      precondition(count >= 0, "decomposing failed with \(count)")
      return unsafe [Int32](unsafeUninitializedCapacity: count + 1) { codes, codeCount in
        let written = unsafe utf8proc_decompose(
          bytes.baseAddress, bytes.count, codes.baseAddress, count, options)
        codeCount = min(max(written, 0), count)
      }
    }
  }
}
