import PageStore
import SimulatedDisk

/// Counts what was looked at, and keeps the first things that were wrong.
final class Findings {
  private(set) var imageCount = 0
  private(set) var nestedCount = 0
  private(set) var wrong: [String] = []

  func note(_ text: String) { if wrong.count < 10 { wrong.append(text) } }
  func countImage(depth: Int) {
    imageCount += 1
    if depth > 0 { nestedCount += 1 }
  }
}

/// Opens what a crash left, and looks whether it is one of the states that it may be.
///
/// Opening is itself crashed, at operations that the seed chooses, and what that leaves is looked at
/// in the same way, `depth` deep.
struct CrashCheck {
  /// No opening, reading and closing of such a small store needs more calls.
  static let operationLimit = 3000

  let options: StoreOptions
  let history: [UInt64]
  var possible: ClosedRange<Int>
  /// The states that a loss of power may leave, before opening has made one of `possible` durable.
  let possibleAfterCrash: ClosedRange<Int>
  /// False while the store may not have come into being.
  let exists: Bool
  let findings: Findings
  let maximumDepth: Int
  /// Which of an opening's calls are crashed at: about this many in a hundred.
  var nestedPercent = 4

  /// Looks at `disk`; `where` says what it is.
  func check(_ disk: SimulatedDisk, seed: UInt64, depth: Int = 0, _ place: @escaping () -> String) {
    if findings.wrong.count >= 10 { return }
    findings.countImage(depth: depth)
    do {
      try look(at: disk, seed: seed, depth: depth, place)
    } catch {
      findings.note("\(place()), depth \(depth): \(error)")
    }
  }

  private func look(
    at disk: SimulatedDisk, seed: UInt64, depth: Int, _ place: @escaping () -> String
  ) throws {
    var random = SplitMix64(seed: seed)
    let system = SimulatedSystem(disk, processID: 10 + Int32(depth), seed: seed)
    if depth < maximumDepth && random.chance(depth == 0 ? 30 : 50) {
      crashAgain(system, seed: random.next(), depth: depth, place)
    }
    var options = options
    options.createsFile = !exists
    let store = try Store(path: WorkloadRun.path, options: options, fileSystem: system)
    let index = try contents(of: store)
    system.onOperation(nil)
    // Most of the time it is left as it was opened; else used, closed, or both.
    switch random.number(in: 0..<4) {
    case 0: try use(store)
    case 1: try store.close()
    default: break
    }
    let again = random.chance(50) ? disk.killImage() : disk.crashImage(.seeded(random.next()))
    guard disk.operationCount < Self.operationLimit else {
      throw WorkloadRun.Wrong(description: "\(disk.operationCount) operations")
    }
    withExtendedLifetime(store) {}
    try lookAgain(at: again, expecting: index, seed: random.next())
  }

  /// A second opening finds the same state, or what `use` has left.
  private func lookAgain(at disk: SimulatedDisk, expecting index: Int, seed: UInt64) throws {
    let system = SimulatedSystem(disk, processID: 20, seed: seed)
    var options = options
    options.createsFile = !exists
    let store = try Store(path: WorkloadRun.path, options: options, fileSystem: system)
    let digest = try StoreDigest.of(store)
    guard digest == history[index] else {
      throw WorkloadRun.Wrong(
        description: "state \(index) at first, another one at the second opening")
    }
    try store.close()
    if let problem = try SpaceAudit.problem(on: disk, path: WorkloadRun.path) {
      throw WorkloadRun.Wrong(description: problem)
    }
    let names = disk.names
    guard names.filter({ $0.hasPrefix(WorkloadRun.path) && !$0.contains("-new-") }).count == 1
    else {
      throw WorkloadRun.Wrong(description: "after closing there are \(names)")
    }
  }

  /// Which state the store holds.
  private func contents(of store: Store) throws -> Int {
    let digest = try StoreDigest.of(store)
    guard let index = possible.last(where: { history[$0] == digest }) else {
      let other = history.lastIndex(of: digest).map { "state \($0)" } ?? "no state"
      throw WorkloadRun.Wrong(description: "\(other), not one of \(possible)")
    }
    return index
  }

  /// Writes, and undoes it again, so that the digest is the same afterwards.
  private func use(_ store: Store) throws {
    for round in 0..<3 {
      try store.write { transaction in
        let table = try transaction.createTable("used \(round)")
        for number in 0..<20 { try transaction.put("key \(number)", "value", in: table) }
      }
    }
    try store.write { transaction in
      for round in 0..<3 { try transaction.drop(try transaction.table("used \(round)")) }
    }
    try store.sync()
  }

  /// Lets some calls of `system` be followed by a look at what a crash there leaves.
  private func crashAgain(
    _ system: SimulatedSystem, seed: UInt64, depth: Int, _ place: @escaping () -> String
  ) {
    var afterCrash = self
    afterCrash.possible = possibleAfterCrash
    let state = Unchecked((afterKill: self, afterCrash: afterCrash, count: OpenCount(), place: place))
    system.onOperation { [disk = system.disk] operation in
      if operation.call == .thread { return }
      let (afterKill, afterCrash, count, place) = state.value
      var random = SplitMix64(seed: seed &+ UInt64(operation.index) &* 7919)
      let percent = operation.changesDisk ? 3 * afterKill.nestedPercent : afterKill.nestedPercent
      guard random.chance(percent), count.next() < 4 else { return }
      let isKill = random.chance(15)
      let choice: CrashChoice =
        switch random.number(in: 0..<5) {
        case 0: .nothingKept
        case 1: .everythingKept
        default: .seeded(random.next())
        }
      (isKill ? afterKill : afterCrash).check(
        isKill ? disk.killImage() : disk.crashImage(choice), seed: random.next(), depth: depth + 1
      ) {
        "\(place()), then call \(operation.index) of opening (\(operation.call) \(operation.path)), "
          + (isKill ? "killed" : "\(choice)")
      }
    }
  }
}

/// Counts upwards.
private final class OpenCount {
  private var count = 0
  func next() -> Int {
    defer { count += 1 }
    return count
  }
}

/// Takes a value into a hook, which is called on this very thread.
struct Unchecked<Value>: Sendable {
  nonisolated(unsafe) let value: Value
  init(_ value: Value) { self.value = value }
}
