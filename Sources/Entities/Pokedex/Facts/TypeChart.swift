/// How well each type of attack works against each type of defender.
///
/// Factors are in hundredths: 0, 50, 100 and 200 against one type, down to 25 and up to 400 against
/// two. Abilities and items count for nothing here.
public struct TypeChart: Hashable, Sendable {
  /// A row for each attacking type, a column for each defending one.
  private let factors: [UInt8]

  private static let typeCount = PokemonType.allCases.count

  /// The chart that the library carries.
  ///
  /// - Throws: What is wrong with the file of facts.
  public static func bundled() throws(FactsError) -> TypeChart { try read.get() }

  private static let read: Result<TypeChart, FactsError> = Result { () throws(FactsError) in
    try TypeChart(try BundledDex.file().table(.typechart))
  }

  /// Takes the columns of a chart, which must give each pair of types one factor.
  init(_ table: FactColumns) throws(FactsError) {
    let attacking = try table.members(PokemonType.self, of: "attacking")
    let defending = try table.members(PokemonType.self, of: "defending")
    let values = try table.integers("factor")
    var factors = [UInt8?](repeating: nil, count: Self.typeCount * Self.typeCount)
    for row in 0..<table.rowCount {
      guard let value = values[row], let factor = UInt8(exactly: value) else {
        throw table.failure(column: "factor", .value("none"))
      }
      factors[Self.place(attacking[row], defending[row])] = factor
    }
    let complete = factors.compactMap { $0 }
    guard complete.count == factors.count, table.rowCount == factors.count else {
      throw table.failure(column: "factor", .cutShort)
    }
    self.factors = complete
  }

  /// The factor of an attack against a defender of one type.
  public func factor(of attack: PokemonType, against defender: PokemonType) -> Int {
    Int(factors[Self.place(attack, defender)])
  }

  /// The factor of an attack against a defender of all of `types`: the product of those against
  /// each.
  public func factor(of attack: PokemonType, against types: [PokemonType]) -> Int {
    types.reduce(100) { $0 * factor(of: attack, against: $1) / 100 }
  }

  /// The types of attack whose factor against a defender of `types` is in `range`.
  public func attacks(
    on types: [PokemonType], withFactorIn range: some RangeExpression<Int>
  ) -> [PokemonType] {
    PokemonType.allCases.filter { range.contains(factor(of: $0, against: types)) }
  }

  /// The types of attack that do more than usual to a defender of `types`.
  public func weaknesses(of types: [PokemonType]) -> [PokemonType] {
    attacks(on: types, withFactorIn: 101...)
  }

  /// The types of attack that do less than usual to a defender of `types`, or nothing.
  public func resistances(of types: [PokemonType]) -> [PokemonType] {
    attacks(on: types, withFactorIn: ..<100)
  }

  /// The types of attack that do nothing to a defender of `types`.
  public func immunities(of types: [PokemonType]) -> [PokemonType] {
    attacks(on: types, withFactorIn: ...0)
  }

  private static func place(_ attack: PokemonType, _ defender: PokemonType) -> Int {
    Int(attack.rawValue) * typeCount + Int(defender.rawValue)
  }
}
