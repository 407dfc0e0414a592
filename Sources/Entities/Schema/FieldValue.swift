/// What a field of a record holds; an absent value is a nil of this type, never a zero.
public enum FieldValue: Hashable, Sendable {
  case flag(Bool)
  /// An integer; of a `.decimal` field, the number of its parts.
  case integer(Int64)
  case real(Double)
  case text(String)
  /// Several names, in their order, such as the types of a Pokémon.
  case names([String])
  /// The same name in several languages.
  case translations([Translation])
  case bytes([UInt8])
}

/// A name in one language.
public struct Translation: Hashable, Sendable {
  /// A BCP 47 language tag, such as `ja-Hrkt`.
  public var language: String
  public var text: String

  public init(language: String, text: String) {
    self.language = language
    self.text = text
  }
}
