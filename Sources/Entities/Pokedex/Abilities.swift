/// The abilities that a Pokémon may have, in the order of their slots.
public struct Abilities: Hashable, Sendable {
  /// All of them as slugs, the hidden one too.
  public var all: [String]
  /// The one that only few of the kind have.
  public var hidden: String?

  /// These abilities.
  public init(_ all: [String], hidden: String? = nil) {
    self.all = all
    self.hidden = hidden
  }

  /// Takes slugs of which the hidden one ends in a star.
  init(marked slugs: [String]) {
    all = slugs.map { $0.hasSuffix("*") ? String($0.dropLast()) : $0 }
    hidden = slugs.first { $0.hasSuffix("*") }.map { String($0.dropLast()) }
  }

  /// The fields that hold the abilities, from number `first` on.
  static func fields(from first: Int) -> [FieldDefinition] {
    [
      FieldDefinition(first, "abilities", .names(nil), aliases: ["ability"], index: .terms),
      FieldDefinition(first + 1, "hidden_ability", .text, index: .terms),
    ]
  }

  init(from record: inout RecordReader, first: Int) {
    all = record.names(first)
    hidden = record.textIfPresent(first + 1)
  }

  func encode(to record: inout RecordWriter, first: Int) {
    record.set(first, names: all)
    record.set(first + 1, text: hidden)
  }
}
