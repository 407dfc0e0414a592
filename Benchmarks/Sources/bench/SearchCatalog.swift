extension Row {
  /// The rows of searches.
  static let searches: [Row] =
    [
      filter("filter-two-types", .twoTypes, "rows with two types"),
      filter("filter-three-types", .threeTypes, "rows with three types"),
      filter("filter-type-prefix", .typeAndPrefix, "rows with a type and a prefix of two letters"),
      filter("filter-type-range", .typeAndRange, "rows with a type and 31 to 101 of 255 numbers"),
    ] + (1...8).map { prefix(length: $0) }

  private static func filter(
    _ name: String, _ kind: SearchFilter.Kind, _ note: String
  ) -> Row {
    Row(
      name, .filters, "µs", better: .lower, .reads,
      "\(note), as a set, median; CRoaring, built without AVX2, has all sets in memory, also that "
        + "of the prefix"
    ) { (stage, contestant, _) in
      let engine = try stage.searcher(contestant, as: (any FilterEngine).self)
      let filters = stage.searchRows.filters(kind, count: stage.workload.scale.filterCount)
      return try measure(filters, engine)
    }
  }

  private static func measure(
    _ filters: [SearchFilter], _ engine: some FilterEngine
  ) throws -> Sample {
    var digest = Digest()
    var times: [Double] = []
    for filter in filters {
      let start = ContinuousClock.now
      let answer = try engine.answer(filter)
      times.append(seconds(start.duration(to: .now)) * 1e6)
      digest.fold(numbers: engine.rows(of: answer))
    }
    return Sample(figure: median(times), digest: digest)
  }

  private static func prefix(length: Int) -> Row {
    Row(
      "prefix-\(length)", .names, "µs", better: .lower, .reads,
      "the slowest of a hundred searches by a prefix for the first 20 rows; FTS5 has prefix indexes"
    ) { (stage, contestant, _) in
      let engine = try stage.searcher(contestant, as: (any NameEngine).self)
      let prefixes = stage.searchRows.prefixes(
        length: length, count: stage.workload.scale.prefixCount)
      var digest = Digest()
      var times: [Double] = []
      for prefix in prefixes {
        let start = ContinuousClock.now
        let rows = try engine.first(20, prefix: prefix)
        times.append(seconds(start.duration(to: .now)))
        digest.fold(numbers: rows)
      }
      times.sort()
      return Sample(figure: times[times.count * 99 / 100] * 1e6, digest: digest)
    }
  }
}
