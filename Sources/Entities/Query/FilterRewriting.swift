/// Puts filters on stored fields in the place of those on derived fields that say the same.
struct FilterRewriting {
  let layout: EntityLayout
  let context: ReadingContext

  /// The filter with stored fields wherever that is possible.
  ///
  /// Both the indexes and the look at single records go by it, so that they cannot disagree.
  func rewritten(_ filter: Filter, depth: Int = 0) throws(DatabaseError) -> Filter {
    if depth > FilterCompiler.depthLimit { return filter }
    switch filter {
    case .all(let filters): return .all(try rewritten(filters, depth))
    case .any(let filters): return .any(try rewritten(filters, depth))
    case .not(let filter): return .not(try rewritten(filter, depth: depth + 1))
    default:
      guard let (path, test) = filter.derivedTest,
        case .derived(let field, _) = try FieldAccess.resolve(path, in: layout),
        let rewrite = field.rewrite,
        let stored = try rewrite(test, DatabaseReader(context))
      else { return filter }
      return try rewritten(stored, depth: depth + 1)
    }
  }

  private func rewritten(_ filters: [Filter], _ depth: Int) throws(DatabaseError) -> [Filter] {
    var result: [Filter] = []
    for filter in filters { result.append(try rewritten(filter, depth: depth + 1)) }
    return result
  }
}

extension Filter {
  /// What the filter asks of one field, as a derived field is asked.
  fileprivate var derivedTest: (path: FieldPath, test: DerivedTest)? {
    switch self {
    case .number(let paths, let comparison, let number):
      paths.count == 1 ? (paths[0], .number(comparison, number)) : nil
    case .range(let paths, let lower, let upper):
      paths.count == 1 ? (paths[0], .range(from: lower, through: upper)) : nil
    case .has(let path, let names): (path, .has(names))
    case .exactly(let path, let names): (path, .exactly(names))
    case .words(let path, let words, let isPhrase): (path, .words(words, isPhrase: isPhrase))
    case .text(let path, let text): (path, .text(text))
    case .present(let path): (path, .present)
    case .flag(let path): (path, .flag)
    default: nil
    }
  }
}
