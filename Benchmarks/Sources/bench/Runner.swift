/// Measures `row` with all engines, round by round, and compares what they read.
///
/// The engines take turns and each round begins with another one, so that a disturbance from
/// outside meets all of them. Medians of rounds are compared. The round that warms up is not
/// counted; in it, every byte that is read is folded and compared, in the others every line.
///
/// - Throws: `BenchError` when two engines did not read the same.
func measured(
  _ row: Row, engines: [any Contestant.Type], on stage: Stage
) throws -> RowResult {
  let scale = stage.workload.scale
  let (warmUps, rounds) =
    switch row.rounds {
    case .reads: (1, scale.readRounds)
    case .writes: (1, scale.writeRounds)
    case .few: (1, scale.fewRounds)
    case .slow: (0, scale.fewRounds)
    case .once: (0, 1)
    }
  var figures = engines.map { Figures(engine: $0.name) }
  for round in 0..<warmUps + rounds {
    stage.folding = round < warmUps ? .everyByte : .everyLine
    var digests = [Digest?](repeating: nil, count: engines.count)
    for turn in 0..<engines.count {
      let index = (turn + round) % engines.count
      let sample = try row.measure(stage, engines[index], round)
      digests[index] = sample.digest
      if round >= warmUps { figures[index].all.append(sample.figure) }
    }
    try compare(digests, of: engines)
  }
  return RowResult(row: row, figures: figures)
}

/// Compares what the engines read; those that are there as a floor read nothing.
private func compare(_ digests: [Digest?], of engines: [any Contestant.Type]) throws {
  guard let first = digests.firstIndex(where: { $0 != nil }) else {
    throw BenchError("nobody read anything")
  }
  for index in engines.indices where digests[index] != nil && digests[index] != digests[first] {
    throw BenchError(
      "\(engines[index].name) read \(saw(digests[index])), "
        + "\(engines[first].name) \(saw(digests[first]))")
  }
  guard let digest = digests[first], digest.rowCount > 0 else {
    throw BenchError("nothing was read")
  }
}

private func saw(_ digest: Digest?) -> String {
  digest.map { "\($0.rowCount) rows with digest \(String($0.sum, radix: 16))" } ?? "nothing"
}
