internal import Index

/// Makes filters ready to be asked, against the fields of one entity.
struct FilterCompiler {
  let layout: EntityLayout
  /// The one language in which translations are searched.
  let language: String?

  /// The deepest nesting of filters.
  static let depthLimit = 200

  /// - Throws: `.noSuchField`, or `.invalidQuery` where a field cannot be asked for that.
  func compile(_ filter: Filter, depth: Int = 0) throws(DatabaseError) -> FilterTest {
    if depth > FilterCompiler.depthLimit { throw .invalidQuery("filters nested too deeply") }
    switch filter {
    case .everything: return .everything
    case .all(let filters): return .all(try compile(filters, depth))
    case .any(let filters): return .any(try compile(filters, depth))
    case .not(let filter): return .not(try compile(filter, depth: depth + 1))
    case .number(let paths, let comparison, let number):
      return .number(try NumericSum(paths, in: layout), comparison, ExactNumber(number))
    case .range(let paths, let lower, let upper):
      return .range(
        try NumericSum(paths, in: layout), from: lower.map { ExactNumber($0) },
        through: upper.map { ExactNumber($0) })
    case .fields(let left, let comparison, let right):
      return .fields(
        try NumericSum(left, in: layout), comparison, try NumericSum(right, in: layout))
    case .has(let path, let names): return .has(try nameList(path), folded(names))
    case .exactly(let path, let names): return .exactly(try nameList(path), folded(names))
    case .words(let path, let words, let isPhrase):
      return .words(
        TextTest(
          accesses: try texts(path), wanted: .words(words, isPhrase: isPhrase), language: language))
    case .part(let path, let words, let endsWord):
      return .words(
        TextTest(
          accesses: try texts(path), wanted: .part(words, endsWord: endsWord), language: language))
    case .text(let path, let text):
      return .text(
        TextTest(
          accesses: try texts(path), wanted: .whole(NameFolding.words(of: text)),
          language: language))
    case .present(let path): return .present(try access(path))
    case .flag(let path):
      let access = try access(path)
      guard access.kind == .flag else { throw .invalidQuery("\(path.name) is no flag") }
      return .flag(access)
    case .id(let id): return .id(EntityID(id))
    }
  }

  private func compile(_ filters: [Filter], _ depth: Int) throws(DatabaseError) -> [FilterTest] {
    var tests: [FilterTest] = []
    for filter in filters { tests.append(try compile(filter, depth: depth + 1)) }
    return tests
  }

  private func folded(_ names: [String]) -> Set<String> {
    Set(names.map { TextFolding.key(of: $0) })
  }

  private func access(_ path: FieldPath) throws(DatabaseError) -> FieldAccess {
    try FieldAccess.resolve(path, in: layout)
  }

  private func nameList(_ path: FieldPath) throws(DatabaseError) -> FieldAccess {
    let access = try access(path)
    switch access.kind {
    case .names, .vocabulary: return access
    default: throw .invalidQuery("\(path.name) is no list of names")
    }
  }

  /// The field's own texts, and those that are searched with it.
  private func texts(_ path: FieldPath) throws(DatabaseError) -> [FieldAccess] {
    let access = try access(path)
    switch access.kind {
    case .text, .vocabulary, .names, .translations: break
    default: throw .invalidQuery("\(path.name) is no text")
    }
    guard case .stored(let field) = access else { return [access] }
    let others = layout.schema.fields.filter { $0.searchedAs == field.name }
    // Beside translations, a text that is of no language is none of the language that is wanted.
    let translated = others.filter { $0.kind == .translations }
    if language != nil, field.kind != .translations, !translated.isEmpty {
      return translated.map { .stored($0) }
    }
    return [access] + others.map { .stored($0) }
  }
}
