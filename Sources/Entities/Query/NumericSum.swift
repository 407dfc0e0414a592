/// A sum of numeric fields of one record.
struct NumericSum: Sendable {
  let terms: [FieldAccess]
  /// What all terms are brought to.
  private let denominator: Int128
  private let factors: [Int128]
  private let isReal: Bool

  /// The most terms of a sum; more cannot overflow.
  static let termLimit = 1000

  init(_ paths: [FieldPath], in layout: EntityLayout) throws(DatabaseError) {
    if paths.isEmpty || paths.count > NumericSum.termLimit {
      throw .invalidQuery("a sum of \(paths.count) fields")
    }
    var terms: [FieldAccess] = []
    var common: Int128 = 1
    var denominators: [Int128] = []
    for path in paths {
      let access = try FieldAccess.resolve(path, in: layout)
      guard let denominator = access.kind.denominator else {
        throw .invalidQuery("\(path.name) is no number")
      }
      terms.append(access)
      denominators.append(Int128(denominator))
      common = common / gcd(common, Int128(denominator)) * Int128(denominator)
      if common > Int128(Int32.max) { throw .invalidQuery("fractions that do not go together") }
    }
    self.terms = terms
    denominator = common
    factors = denominators.map { common / $0 }
    isReal = terms.contains { $0.kind == .real }
  }

  /// The one field of a sum that is none.
  var single: FieldAccess? { terms.count == 1 ? terms[0] : nil }

  /// The sum for a record; nil where any term is missing.
  func value(of row: inout RecordRow) throws(DatabaseError) -> ExactNumber? {
    if isReal { return try realValue(of: &row) }
    var sum: Int128 = 0
    for (term, factor) in zip(terms, factors) {
      guard let parts = try row.integer(term) else { return nil }
      sum += Int128(parts) * factor
    }
    return .fraction(sum, over: denominator)
  }

  private func realValue(of row: inout RecordRow) throws(DatabaseError) -> ExactNumber? {
    var sum = 0.0
    for term in terms {
      switch try row.value(term) {
      case .real(let real): sum += real
      case .integer(let parts): sum += Double(parts) / Double(term.kind.denominator ?? 1)
      default: return nil
      }
    }
    return sum.isFinite ? .real(sum) : nil
  }
}

private func gcd(_ a: Int128, _ b: Int128) -> Int128 {
  var (a, b) = (a, b)
  while b != 0 { (a, b) = (b, a % b) }
  return a
}
