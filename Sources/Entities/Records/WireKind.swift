/// How the bytes of a value say where they end: all that is needed to step over it.
///
/// Raw values are part of the format.
enum WireKind: UInt8, Sendable {
  /// One byte, 0 or 1.
  case flag = 1
  /// A variable-length integer: signed numbers zigzag, places in a closed list as they are.
  case integer = 2
  /// Eight bytes, an IEEE 754 double, little-endian.
  case real = 3
  /// A length, and as many bytes.
  case bytes = 4
  /// A count, and as many places in a closed list.
  case ordinals = 5
  /// A count, and as many lengths with their bytes.
  case texts = 6
  /// A count, and as many pairs of a language and a text, each with its length.
  case translations = 7
}

extension FieldKind {
  /// How values of the kind are written.
  var wire: WireKind {
    switch self {
    case .flag: .flag
    case .integer, .decimal, .vocabulary, .date, .reference: .integer
    case .real: .real
    case .text, .bytes: .bytes
    case .names(let list): list == nil ? .texts : .ordinals
    case .translations: .translations
    }
  }

  /// The closed list of the kind's names, where it has one.
  var vocabulary: [String]? {
    switch self {
    case .vocabulary(let names): names
    case .names(let names): names
    default: nil
    }
  }

  /// In how many parts one is kept, for kinds that are numbers; nil for all others.
  ///
  /// Reals have 1: they are not kept in parts.
  public var denominator: Int64? {
    switch self {
    case .integer, .date, .real, .reference: 1
    case .decimal(let denominator): Int64(denominator)
    default: nil
    }
  }
}
