/// Measures `row` with all engines, round by round, and compares what they read.
///
/// The engines take turns and each round begins with another one, so that a disturbance from
/// outside meets all of them. Medians of rounds are compared.
///
/// - Throws: `BenchError` when two engines did not read the same.
func measure(
  _ row: Row, engines: [any Contestant.Type], on stage: Stage
) throws -> RowResult {
  let scale = stage.workload.scale
  let (warmUps, rounds) =
    switch row.rounds {
    case .reads: (1, scale.readRounds)
    case .writes: (1, scale.writeRounds)
    case .once: (0, 1)
    }
  var figures = engines.map { Figures(engine: $0.name) }
  for round in 0..<warmUps + rounds {
    var digests = [Digest?](repeating: nil, count: engines.count)
    for turn in 0..<engines.count {
      let index = (turn + round) % engines.count
      let sample = try row.measure(stage, engines[index], round)
      digests[index] = sample.digest
      if round >= warmUps { figures[index].all.append(sample.figure) }
    }
    for index in engines.indices where digests[index] != digests[0] {
      throw BenchError(
        "\(engines[index].name) read \(saw(digests[index])), "
          + "\(engines[0].name) \(saw(digests[0]))")
    }
    guard let digest = digests[0], digest.rowCount > 0 else { throw BenchError("nothing was read") }
  }
  return RowResult(row: row, figures: figures)
}

private func saw(_ digest: Digest?) -> String {
  digest.map { "\($0.rowCount) rows with digest \(String($0.sum, radix: 16))" } ?? "nothing"
}
