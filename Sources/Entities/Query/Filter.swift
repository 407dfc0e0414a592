/// Which records a query wants.
public indirect enum Filter: Hashable, Sendable {
  /// Every record.
  case everything
  /// Records that satisfy all of the filters.
  case all([Filter])
  /// Records that satisfy at least one of the filters.
  case any([Filter])
  /// Records that do not satisfy the filter: its true complement.
  case not(Filter)
  /// A sum of numeric fields beside a number. A missing value fails.
  case number([FieldPath], Comparison, Number)
  /// A sum of numeric fields within both ends; nil is no end. A missing value fails.
  case range([FieldPath], from: Number?, through: Number?)
  /// A sum of numeric fields beside a sum of others. A missing value fails.
  case fields([FieldPath], Comparison, [FieldPath])
  /// A field of names that has all of these.
  case has(FieldPath, [String])
  /// A field of names that has exactly these, in any order.
  case exactly(FieldPath, [String])
  /// A text with consecutive words, the last as a prefix, in any of the field's translations.
  ///
  /// The strings are folded words; a phrase must begin at the start of the text.
  case words(FieldPath, [String], isPhrase: Bool)
  /// A text with consecutive words, of which the first may begin before and the last, unless
  /// `endsWord`, end later, in any of the field's translations: of one word, a part of a word.
  ///
  /// The strings are folded words.
  case part(FieldPath, [String], endsWord: Bool)
  /// A text or a name of a vocabulary that, folded, is this one.
  case text(FieldPath, String)
  /// A field that has a value.
  case present(FieldPath)
  /// A flag that is set.
  case flag(FieldPath)
  /// The record of that ID.
  case id(UInt64)
}

/// How two values are compared.
public enum Comparison: String, Hashable, Sendable, CaseIterable {
  /// The same.
  case equal = "="
  /// Not the same.
  case notEqual = "!="
  /// Less.
  case less = "<"
  /// Less, or the same.
  case lessOrEqual = "<="
  /// Greater.
  case greater = ">"
  /// Greater, or the same.
  case greaterOrEqual = ">="
}

/// The name of a field, and what it is asked for: `takes.ice`.
public struct FieldPath: Hashable, Sendable {
  /// The field's own name, not an alias.
  public var name: String
  /// What follows the point.
  public var argument: String?

  /// The field `name`, asked for `argument`.
  public init(_ name: String, _ argument: String? = nil) {
    self.name = name
    self.argument = argument
  }
}

/// An exact fraction, as in a query or as a field holds it.
public struct Number: Hashable, Sendable {
  /// Any whole number.
  public var numerator: Int64
  /// Greater than zero.
  public var denominator: Int64

  /// A fraction; the denominator must be greater than zero.
  public init(_ numerator: Int64, over denominator: Int64 = 1) {
    precondition(denominator > 0, "a denominator of \(denominator)")
    self.numerator = numerator
    self.denominator = denominator
  }
}
