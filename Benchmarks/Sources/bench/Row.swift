/// One figure of one round, and what was read for it.
struct Sample {
  var figure: Double
  /// Nil where the engine gave no answer and is there as a floor.
  var digest: Digest?

  /// The rate at which `body` does `count` things.
  static func rate(of count: Int, _ body: () throws -> Digest) throws -> Sample {
    var digest = Digest()
    let time = try timed { digest = try body() }
    return Sample(figure: Double(count) / time, digest: digest)
  }

  /// The rate at which `body` changes `count` rows; `check` reads them back, untimed.
  static func rate(
    of count: Int, _ body: () throws -> Void, check: () throws -> Digest
  ) throws -> Sample {
    let time = try timed(body)
    return Sample(figure: Double(count) / time, digest: try check())
  }
}

/// The seconds that `body` takes.
func timed(_ body: () throws -> Void) rethrows -> Double {
  try seconds(ContinuousClock().measure(body))
}

/// The duration in seconds.
func seconds(_ duration: Duration) -> Double {
  Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
}

/// One line of the result: what is measured, and how.
struct Row: Sendable {
  enum Better: Sendable {
    case higher
    case lower
  }

  enum Rounds: Sendable {
    case reads
    case writes
    case few
    case slow
    case once
  }

  /// Who takes part.
  enum Field: CaseIterable, Sendable {
    case stores
    case filters
    case names
    case portraits
    case records
    case quests
    case questRuns
    case ownPrograms
    case filePrograms
    case allPrograms
    case screens
    case checkpoints
    case processes
  }

  let name: String
  let field: Field
  let unit: String
  let better: Better
  let rounds: Rounds
  /// What is checked, and what is durable.
  let note: String
  /// Measures the engine once; rounds count from 0, the first one warms up unless `rounds` is `.once`.
  let measure: @Sendable (Stage, any Contestant.Type, _ round: Int) throws -> Sample

  init(
    _ name: String, _ unit: String, better: Better = .higher, _ rounds: Rounds, _ note: String,
    measure: @escaping @Sendable (Stage, any Engine.Type, _ round: Int) throws -> Sample
  ) {
    self.init(name, .stores, unit, better: better, rounds, note) { (stage, kind, round) in
      guard let kind = kind as? any Engine.Type else { throw BenchError("\(kind) is no store") }
      return try measure(stage, kind, round)
    }
  }

  init(
    _ name: String, _ field: Field, _ unit: String, better: Better, _ rounds: Rounds,
    _ note: String,
    measure: @escaping @Sendable (Stage, any Contestant.Type, _ round: Int) throws -> Sample
  ) {
    self.name = name
    self.field = field
    self.unit = unit
    self.better = better
    self.rounds = rounds
    self.note = note
    self.measure = measure
  }

  /// What is measured, and what each of the engines checks and makes durable in it.
  func description(beside engines: [any Contestant.Type]) -> String {
    var text = "\(name) (\(unit)): \(note)"
    for engine in engines {
      text += "\n    \(engine.name) checks \(engine.checks)"
      if rounds != .reads, !engine.durability.isEmpty { text += "; durable: \(engine.durability)" }
      if let target = target(beside: engine.name) { text += "; target: \(short(target)) times" }
    }
    return text
  }

  /// Over how many rows it is measured.
  func rowCount(in scale: Scale) -> Int {
    switch field {
    case .filePrograms, .screens: scale.adventurerCount
    case .portraits, .ownPrograms, .allPrograms: 0
    case .quests: scale.questCount
    case .questRuns: scale.questRunCount
    case .records: scale.rowCount / 4
    default:
      name.hasPrefix("redb-")
        ? scale.publishedRowCount
        : name.hasPrefix("wide-") || name.hasPrefix("limited-")
          ? scale.wideRowCount : scale.rowCount
    }
  }
}
