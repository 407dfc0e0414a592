/// A protocol as a machine: a state, and the atomic steps that any party may take from it.
///
/// A model is a value that holds everything the parties share or remember. Two equal values have
/// the same future, so the explorer visits each once.
protocol ProtocolModel: Hashable {
  /// The rules that make the protocol safe, each of which a test can remove.
  associatedtype Repair: Hashable & CaseIterable & Sendable

  /// Situations that a whole exploration must meet, so that it cannot pass by exploring little.
  static var milestones: [(name: String, isReached: (Self) -> Bool)] { get }

  /// Every step that some party may take now.
  func steps(under rules: Rules<Repair>) -> [Step<Self>]

  /// What this state breaks, or nil.
  func violation(under rules: Rules<Repair>) -> String?

  /// Whether some party waits and may not be left waiting.
  var isWaiting: Bool { get }
}

extension ProtocolModel {
  var isWaiting: Bool { false }
}

/// The rules of a protocol, less those that a test removed.
struct Rules<Repair: Hashable & Sendable>: Sendable {
  var removed: Set<Repair> = []

  func keep(_ repair: Repair) -> Bool { removed.isEmpty || !removed.contains(repair) }
}

/// One atomic step of one party.
struct Step<State> {
  let name: String
  let state: State
  /// Whether the party must take the step sooner or later: work that waits, not a whim or a fault.
  var isObligatory = false
}

/// What an exploration met.
struct Exploration: CustomStringConvertible {
  var stateCount = 0
  var stepCount = 0
  /// Whether every state within reach was visited.
  var isComplete = false
  var violation: String?
  /// The names of the steps of a shortest run that ends in the violation.
  var trace: [String] = []
  /// The milestones that no state reached.
  var missed: [String] = []

  var description: String {
    let size = "\(stateCount) states, \(stepCount) steps"
    guard let violation else {
      return isComplete ? "\(size), no violation" : "\(size), not complete"
    }
    return "\(size), \(violation): \(trace.joined(separator: " · "))"
  }
}

/// Visits all states of a model, nearest first, until one breaks its promise.
///
/// Steps come in the order in which the model lists them, so each exploration is the same.
struct Explorer<Model: ProtocolModel> {
  private var states: [Model] = []
  private var origins: [(parent: Int, step: String)] = []
  private var seen: Set<Model> = []

  /// Explores what can follow `start`, giving up once `limit` states are known.
  static func explore(
    from start: Model, without removed: Set<Model.Repair> = [], limit: Int
  ) -> Exploration {
    var explorer = Self()
    explorer.add(start, from: 0, by: "start")
    let result = explorer.run(under: Rules(removed: removed), limit: limit)
    let naive = removed.isEmpty ? "" : " without \(removed.map { "\($0)" }.sorted())"
    print("\(Model.self)\(naive): \(result)")
    return result
  }

  private mutating func run(under rules: Rules<Model.Repair>, limit: Int) -> Exploration {
    var result = Exploration()
    var missed = Model.milestones
    var next = 0
    while next < states.count, states.count <= limit {
      let state = states[next]
      let steps = state.steps(under: rules)
      result.stepCount += steps.count
      missed.removeAll { $0.isReached(state) }
      result.violation = state.violation(under: rules)
      if result.violation == nil, state.isWaiting, !steps.contains(where: \.isObligatory) {
        result.violation = "someone waits for ever"
      }
      if result.violation != nil {
        result.trace = trace(to: next)
        break
      }
      for step in steps { add(step.state, from: next, by: step.name) }
      next += 1
    }
    result.stateCount = states.count
    result.isComplete = next == states.count
    result.missed = missed.map(\.name)
    return result
  }

  private mutating func add(_ state: Model, from parent: Int, by step: String) {
    guard seen.insert(state).inserted else { return }
    states.append(state)
    origins.append((parent, step))
  }

  private func trace(to last: Int) -> [String] {
    var steps: [String] = []
    var index = last
    while index > 0 {
      steps.append(origins[index].step)
      index = origins[index].parent
    }
    return steps.reversed()
  }
}

/// Sixteen numbers below 16 in one word, so that a model's state is small and quick to hash.
struct Row: Hashable {
  private var bits: UInt64 = 0

  init(_ values: Int...) {
    for (index, value) in values.enumerated() { self[index] = value }
  }

  subscript(index: Int) -> Int {
    get { Int(truncatingIfNeeded: (bits &>> UInt64(index &* 4)) & 15) }
    set {
      precondition((0..<16).contains(newValue), "\(newValue) doesn't fit a row")
      let shift = UInt64(index &* 4)
      bits = bits & ~(15 &<< shift) | UInt64(newValue) &<< shift
    }
  }
}

/// A set of numbers below 16.
struct SmallSet: Hashable {
  private(set) var bits = 0

  init(_ members: Int...) {
    for member in members { insert(member) }
  }

  var isEmpty: Bool { bits == 0 }
  var members: [Int] { (0..<16).filter { contains($0) } }

  func contains(_ member: Int) -> Bool { bits & (1 &<< member) != 0 }
  mutating func insert(_ member: Int) { bits |= 1 &<< member }
  mutating func formUnion(_ other: Self) { bits |= other.bits }
  func isSuperset(of other: Self) -> Bool { other.bits & ~bits == 0 }

  /// The members in `range`.
  func within(_ range: Range<Int>) -> Self {
    var result = self
    result.bits &= (1 &<< range.upperBound) &- (1 &<< range.lowerBound)
    return result
  }
}
