/// Makers of the derived fields that several entities have.
enum DerivedFields {
  /// A flag that says the same as a filter on stored fields.
  static func flag(
    _ name: String, of filter: Filter,
    _ compute: @escaping @Sendable (inout RecordReader) -> Bool
  ) -> DerivedField {
    DerivedField(
      name, .flag,
      rewrite: { test, _ throws(DatabaseError) in test == .flag ? filter : nil },
      compute: { row, _ throws(DatabaseError) in .flag(compute(&row.record)) })
  }

  /// The fields that follow from types, stats and size; the arguments are the fields' numbers.
  static func ofBodies(types: Int, stats: Int, height: Int, weight: Int) -> [DerivedField] {
    [
      total(stats: stats),
      tenths("height", unit: "m", of: "height_dm", height),
      tenths("weight", unit: "kg", of: "weight_hg", weight),
      typeCount("is:mono", 1, types: types),
      typeCount("is:dual", 2, types: types),
    ] + MatchUpFields.all(types: types)
  }

  /// The sum of the six stats.
  private static func total(stats first: Int) -> DerivedField {
    DerivedField("total", .integer, aliases: ["bst"]) { row, _ throws(DatabaseError) in
      .integer(Int64(BaseStats(from: &row.record, first: first).total))
    }
  }

  /// A field that shows in whole units what the stored field `source` holds in tenths.
  private static func tenths(
    _ name: String, unit: String, of source: String, _ number: Int
  ) -> DerivedField {
    let path = [FieldPath(source)]
    return DerivedField(
      name, .decimal(denominator: 10), unit: unit,
      rewrite: { test, _ throws(DatabaseError) in
        switch test {
        case .present: return .present(FieldPath(source))
        case .number(let comparison, let wanted):
          return tenfold(wanted).map { .number(path, comparison, $0) }
        case .range(let lower, let upper):
          let ends = (lower.map(tenfold), upper.map(tenfold))
          if case .some(nil) = ends.0 { return nil }
          if case .some(nil) = ends.1 { return nil }
          return .range(path, from: ends.0 ?? nil, through: ends.1 ?? nil)
        default: return nil
        }
      },
      compute: { row, _ throws(DatabaseError) in
        row.record.integerIfPresent(number).map { .integer(Int64($0)) }
      })
  }

  /// Ten times the number; nil where that is too large to write down.
  private static func tenfold(_ number: Number) -> Number? {
    if number.denominator % 10 == 0 {
      return Number(number.numerator, over: number.denominator / 10)
    }
    let (product, isTooLarge) = number.numerator.multipliedReportingOverflow(by: 10)
    return isTooLarge ? nil : Number(product, over: number.denominator)
  }

  private static func typeCount(_ name: String, _ count: Int, types: Int) -> DerivedField {
    DerivedField(name, .flag) { row, _ throws(DatabaseError) in
      .flag(row.record.ordinals(types).count == count)
    }
  }
}
