internal import Index

/// A filter made ready to be asked about one record after the other.
indirect enum FilterTest: Sendable {
  case everything
  case all([FilterTest])
  case any([FilterTest])
  case not(FilterTest)
  case number(NumericSum, Comparison, ExactNumber)
  case range(NumericSum, from: ExactNumber?, through: ExactNumber?)
  case fields(NumericSum, Comparison, NumericSum)
  case has(FieldAccess, Set<String>)
  case exactly(FieldAccess, Set<String>)
  case words(TextTest)
  case text(TextTest)
  case present(FieldAccess)
  case flag(FieldAccess)
  case id(EntityID)

  func matches(_ row: inout RecordRow) throws(DatabaseError) -> Bool {
    switch self {
    case .everything: return true
    case .all(let tests):
      for test in tests where try !test.matches(&row) { return false }
      return true
    case .any(let tests):
      for test in tests where try test.matches(&row) { return true }
      return false
    case .not(let test): return try !test.matches(&row)
    case .number(let sum, let comparison, let number):
      guard let value = try sum.value(of: &row) else { return false }
      return value.satisfies(comparison, number)
    case .range(let sum, let lower, let upper):
      guard let value = try sum.value(of: &row) else { return false }
      if let lower, value.compared(to: lower) < 0 { return false }
      if let upper, value.compared(to: upper) > 0 { return false }
      return true
    case .fields(let left, let comparison, let right):
      guard let left = try left.value(of: &row), let right = try right.value(of: &row) else {
        return false
      }
      return left.satisfies(comparison, right)
    case .has(let access, let keys):
      return keys.isSubset(of: try row.value(access).foldedNames)
    case .exactly(let access, let keys):
      return keys == (try row.value(access).foldedNames)
    case .words(let test), .text(let test): return try test.matches(&row)
    case .present(let access): return try row.value(access).isPresent
    case .flag(let access): return try row.value(access) == .flag(true)
    case .id(let id): return row.id == id
    }
  }

  /// The tests of texts that a matching record may owe its place to, for ranking.
  var searches: [TextTest] {
    switch self {
    case .words(let test): [test]
    case .all(let tests), .any(let tests): tests.flatMap(\.searches)
    default: []
    }
  }
}

extension FieldValue? {
  /// The names of the value, folded.
  var foldedNames: Set<String> {
    switch self {
    case .names(let names): Set(names.map { TextFolding.key(of: $0) })
    case .text(let name): [TextFolding.key(of: name)]
    default: []
    }
  }

  /// True where there is a value; none of no names or translations.
  var isPresent: Bool {
    switch self {
    case nil: false
    case .names(let names): !names.isEmpty
    case .translations(let translations): !translations.isEmpty
    default: true
    }
  }
}

/// A test of the texts of a record: those of a field, and of the fields that are searched with it.
struct TextTest: Sendable {
  enum Wanted: Sendable {
    /// Consecutive words, the last as a prefix; a phrase at the start only.
    case words([String], isPhrase: Bool)
    /// Consecutive words, of which the first may begin before and the last may end later.
    case part([String], endsWord: Bool)
    /// The whole text, as folded words.
    case whole([String])
  }

  let accesses: [FieldAccess]
  let wanted: Wanted
  /// The one language in which translations count.
  let language: String?

  func matches(_ row: inout RecordRow) throws(DatabaseError) -> Bool {
    try firstMatch(&row, atStart: false) != nil
  }

  /// True where the text that matches does so from its start.
  func matchesAtStart(_ row: inout RecordRow) throws(DatabaseError) -> Bool {
    try firstMatch(&row, atStart: true) != nil
  }

  /// The first text that matches, and its language where it is a translation.
  func firstMatch(
    _ row: inout RecordRow, atStart: Bool
  ) throws(DatabaseError) -> (text: String, language: String?)? {
    for access in accesses {
      switch try row.value(access) {
      case .text(let text):
        if matches(text, atStart: atStart) { return (text, nil) }
      case .names(let names):
        for name in names where matches(name, atStart: atStart) { return (name, nil) }
      case .translations(let translations):
        for translation in translations where language == nil || translation.language == language {
          if matches(translation.text, atStart: atStart) {
            return (translation.text, translation.language)
          }
        }
      default: break
      }
    }
    return nil
  }

  private func matches(_ text: String, atStart: Bool) -> Bool {
    let words = NameFolding.words(of: text)
    return switch wanted {
    case .whole(let whole): words == whole
    case .words(let wanted, let isPhrase):
      NameFolding.matches(wanted, in: words, atStart: isPhrase || atStart)
    case .part(let wanted, let endsWord):
      TextFolding.contains(wanted, in: words, endsWord: endsWord, atStart: atStart)
    }
  }
}
