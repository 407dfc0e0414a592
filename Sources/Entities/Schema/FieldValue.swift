/// What a field of a record holds; an absent value is a nil of this type, never a zero.
public enum FieldValue: Hashable, Sendable {
  /// True or false.
  case flag(Bool)
  /// An integer; of a `.decimal` field, the number of its parts.
  case integer(Int64)
  /// A finite floating-point number.
  case real(Double)
  /// A text, or a name of a closed list.
  case text(String)
  /// Several names, in their order, such as the types of a Pokémon; none is an absent value.
  case names([String])
  /// The same name in several languages; none is an absent value.
  case translations([Translation])
  /// Bytes that mean nothing to the database.
  case bytes([UInt8])
}

/// A name in one language.
public struct Translation: Hashable, Sendable {
  /// A BCP 47 language tag, such as `ja-Hrkt`.
  public var language: String
  /// The name.
  public var text: String

  /// The name `text` in `language`.
  public init(language: String, text: String) {
    self.language = language
    self.text = text
  }
}
