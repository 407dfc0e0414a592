import PageStore
import SimulatedDisk

/// A workload on its way: the store, the model of it, and what was promised so far.
///
/// `history` has the digest of every state that was ever to be committed, the empty store first.
/// Whatever happens, a store that is opened again must hold one of those between `acknowledged` and
/// the last.
final class WorkloadRun {
  static let path = "folder/store"

  let workload: Workload
  let system: SimulatedSystem
  private(set) var store: Store?
  private var random: SplitMix64
  private(set) var model = StoreModel()
  private(set) var history: [UInt64] = [0]
  /// The newest state that a loss of power must not take.
  private(set) var acknowledged = 0
  /// The newest state that the end of the process must not take.
  private(set) var returned = 0
  /// True once the store was open.
  private(set) var exists = false
  private var snapshots: [(snapshot: Snapshot, digest: UInt64)] = []
  private var tableNumber = 0

  /// What was seen that must not be.
  struct Wrong: Error, CustomStringConvertible {
    let description: String
  }

  /// Undoes a transaction on purpose.
  private struct Undo: Error {}

  init(_ workload: Workload, on system: SimulatedSystem) {
    self.workload = workload
    self.system = system
    random = SplitMix64(seed: workload.seed)
  }

  /// The states that may be found after a loss of power now.
  var possible: ClosedRange<Int> { acknowledged...history.count - 1 }

  /// The states that may be found after the end of the process now.
  var possibleAfterKill: ClosedRange<Int> { returned...history.count - 1 }

  /// Runs the whole workload.
  func run() throws {
    try open()
    for _ in 0..<workload.eventCount { try event() }
    try lookAtSnapshots()
    snapshots = []
    if workload.closesAtEnd { try close() }
  }

  /// Lets go of everything.
  func finish() {
    snapshots = []
    store = nil
  }

  // MARK: Events

  func open() throws {
    let store = try Store(path: Self.path, options: workload.options, fileSystem: system)
    self.store = store
    exists = true
    let digest = try StoreDigest.of(store)
    guard digest == model.digest else { throw Wrong(description: "other contents after opening") }
  }

  func close() throws {
    try lookAtSnapshots()
    snapshots = []
    // Closed all the same, where closing fails.
    defer { store = nil }
    try store?.close()
    acknowledgeAll()
  }

  private func acknowledgeAll() {
    acknowledged = history.count - 1
    returned = acknowledged
  }

  private func event() throws {
    guard let store else { return }
    switch Workload.Event.allCases[Workload.choose(workload.events, using: &random)] {
    case .transaction: try transaction()
    case .rollback: try rollBack()
    case .burst: for _ in 0..<random.number(in: 3..<12) { try transaction() }
    case .checkpoint:
      try store.checkpoint()
      acknowledgeAll()
    case .sync:
      try store.sync()
      acknowledgeAll()
    case .takeSnapshot:
      snapshots.append((try store.snapshot(), model.digest))
    case .lookAtSnapshots: try lookAtSnapshots()
    case .dropSnapshot:
      if !snapshots.isEmpty { snapshots.remove(at: random.number(in: 0..<snapshots.count)) }
    case .reopen:
      try close()
      try open()
    case .backgroundWork:
      system.disk.clock += 100_000_000
      store.performBackgroundWork()
    }
  }

  private func lookAtSnapshots() throws {
    for (snapshot, digest) in snapshots {
      let now = try StoreDigest.of(snapshot)
      guard now == digest else {
        throw Wrong(description: "the snapshot of \(snapshot.transaction) changed")
      }
    }
  }

  func transaction() throws {
    try commit { transaction, model in
      try change(&transaction, &model, random.number(in: changeCountRange), depth: 0)
    }
  }

  /// Deletes one row, where there is any.
  func deleteSomething() throws {
    guard let name = model.names.first(where: { model.tables[$0]?.rows.isEmpty == false }),
      let key = model.someKey(in: name, using: &random)
    else { return }
    try commit { transaction, model in
      try transaction.delete(key, in: try transaction.table(name))
      model.delete(key, from: name)
    }
  }

  /// Commits what `body` does to the store and to the model alike.
  private func commit(
    _ body: (inout WriteTransaction, inout StoreModel) throws -> Void
  ) throws {
    guard let store else { return }
    var next = model
    do {
      try store.write { transaction in
        try body(&transaction, &next)
        history.append(next.digest)
      }
    } catch let error as StoreError {
      // Such a transaction has failed whole: its state must never be seen.
      if case .diskFull = error, history.last == next.digest {
        history[history.count - 1] = model.digest
      }
      throw error
    }
    model = next
    returned = history.count - 1
    if workload.durability == .immediate { acknowledged = returned }
  }

  private func rollBack() throws {
    guard let store else { return }
    var next = model
    do {
      try store.write { transaction in
        try change(&transaction, &next, random.number(in: changeCountRange), depth: 0)
        throw Undo()
      }
    } catch is Undo {}
  }

  private var changeCountRange: Range<Int> {
    workload.changeCounts.lowerBound..<workload.changeCounts.upperBound + 1
  }

  // MARK: Changes

  private func change(
    _ transaction: inout WriteTransaction, _ model: inout StoreModel, _ count: Int, depth: Int
  ) throws {
    for _ in 0..<count {
      let choice = Workload.Change.allCases[Workload.choose(workload.changes, using: &random)]
      try change(choice, &transaction, &model, depth: depth)
    }
  }

  private func change(
    _ change: Workload.Change, _ transaction: inout WriteTransaction, _ model: inout StoreModel,
    depth: Int
  ) throws {
    let names = model.names
    guard let name = names.randomElement(using: &random), change != .createTable || names.count > 5
    else { return try create(&transaction, &model) }
    let table = try transaction.table(name)
    switch change {
    case .put, .createTable:
      try put(workload.key(using: &random), &transaction, table, name, &model)
    case .replace:
      let key = model.someKey(in: name, using: &random) ?? workload.key(using: &random)
      try put(key, &transaction, table, name, &model)
    case .delete:
      let key = model.someKey(in: name, using: &random) ?? workload.key(using: &random)
      let wasThere = try transaction.delete(key, in: table)
      guard model.delete(key, from: name) == wasThere else {
        throw Wrong(description: "deleting says \(wasThere)")
      }
    case .deleteRange: try deleteRange(&transaction, table, name, &model)
    case .dropTable:
      try transaction.drop(table)
      model.drop(name)
    case .renameTable:
      tableNumber += 1
      try transaction.rename(table, to: "renamed \(tableNumber)")
      model.rename(name, to: "renamed \(tableNumber)")
    case .keptSavepoint, .undoneSavepoint:
      if depth > 2 { return }
      try savepoint(isKept: change == .keptSavepoint, &transaction, &model, depth: depth + 1)
    }
  }

  private func create(
    _ transaction: inout WriteTransaction, _ model: inout StoreModel
  ) throws {
    tableNumber += 1
    let name = "table \(tableNumber)"
    _ = try transaction.createTable(name)
    model.create(name)
  }

  private func put(
    _ key: [UInt8], _ transaction: inout WriteTransaction, _ table: TableHandle, _ name: String,
    _ model: inout StoreModel
  ) throws {
    let value = workload.value(using: &random)
    try transaction.put(key, value, in: table)
    model.put(key, value, in: name)
  }

  private func deleteRange(
    _ transaction: inout WriteTransaction, _ table: TableHandle, _ name: String,
    _ model: inout StoreModel
  ) throws {
    let bounds = [workload.key(using: &random), workload.key(using: &random)]
      .sorted { $0.lexicographicallyPrecedes($1) }
    let upper = random.chance(20) ? nil : bounds[1]
    let count = try transaction.deleteRange(from: bounds[0], to: upper, in: table)
    guard model.deleteRange(from: bounds[0], to: upper, in: name) == count else {
      throw Wrong(description: "\(count) rows were deleted")
    }
  }

  private func savepoint(
    isKept: Bool, _ transaction: inout WriteTransaction, _ model: inout StoreModel, depth: Int
  ) throws {
    var inner = model
    let count = random.number(in: 1..<6)
    do {
      try transaction.savepoint { (transaction) throws(AnyTestFailure) in
        do {
          try change(&transaction, &inner, count, depth: depth)
        } catch {
          throw AnyTestFailure(error)
        }
        if !isKept { throw AnyTestFailure(Undo()) }
      }
      model = inner
    } catch {
      if error.error is Undo { return }
      throw error.error
    }
  }
}

/// Carries any error through what throws typed ones.
struct AnyTestFailure: StoreFailure {
  let error: any Error
  init(_ error: StoreError) { self.error = error }
  init(_ error: any Error) { self.error = error }
}
