import Glibc
import PageStore
import SimulatedDisk
import Testing

/// What happens in the middle of a call, as if another thread had its turn just then.
@Suite struct `A store that is interrupted` {
  static let path = "/folder/a.db"
  static let log = path + "-log"

  @Test func `keeps the right to write until all its threads have stopped writing`() throws {
    let scene = try Scene(.eventual(interval: .seconds(1000)))
    let other = try Store(
      path: Self.path, options: Scene.impatient, fileSystem: scene.secondSystem)
    // Whoever waits for the right lets the holder's own thread work.
    scene.secondSystem.onOperation { [store = scene.store] in
      if $0.call == .thread { store.performBackgroundWork() }
    }
    let outcome = Outcome()
    scene.system.interrupt(where: { $0.call == .write && $0.path == Self.path }) {
      scene.disk.inject(.error(errno: EIO)) { $0.call == .write && $0.path == Self.log }
      outcome.note("own", storeError { try Scene.put(100, to: scene.store) })
      outcome.note("other's", storeError { try Scene.put(200, to: other) })
    }
    _ = storeError { try scene.store.sync() }
    #expect(outcome["own"] == .system(.write, path: Self.log, errno: EIO))
    guard case .busy? = outcome["other's"] else {
      Issue.record("\(String(describing: outcome["other's"]))")
      return
    }
    // The pages are written, so the other one may recover what the log has.
    try Scene.put(201, to: other)
    #expect(try Scene.numbers(in: other).subtracting([100]) == [0, 1, 2, 3, 201])
    try other.close()
    _ = storeError { try scene.store.close() }
    #expect(try SpaceAudit.problem(on: scene.disk, path: Self.path) == nil)
  }

  @Test func `calls nothing durable any more once a commit beside a checkpoint has failed`() throws
  {
    let scene = try Scene(.immediate)
    let metas = try #require(scene.disk.contents(of: Self.path)).prefix(2 * 8192)
    let outcome = Outcome()
    scene.system.interrupt(where: { $0.call == .sync && $0.path == Self.path }) {
      scene.disk.inject(.error(errno: EIO)) { $0.call == .write && $0.path == Self.log }
      outcome.note("commit", storeError { try Scene.put(100, to: scene.store) })
    }
    let error = storeError { try scene.store.checkpoint() }
    #expect(outcome["commit"] == .system(.write, path: Self.log, errno: EIO))
    #expect(error == .poisoned(path: Self.path))
    #expect(scene.disk.contents(of: Self.path)?.prefix(2 * 8192) == metas)
  }

  @Test func `calls nothing durable whose frame another thread is still writing`() throws {
    let scene = try Scene(.eventual(interval: .seconds(1000)))
    enum Stage { static let writing = 1, waiting = 2, synced = 3 }
    let stage = SharedCount()
    let left = Guarded<SimulatedDisk?>(nil)
    let crew = Crew()
    scene.system.onOperation { [store = scene.store, disk = scene.disk] operation in
      // Only the one that syncs can be waiting now.
      if operation.call == .thread, stage.value == Stage.writing { stage.value = Stage.waiting }
      guard operation.call == .write, operation.path == Self.log, stage.value == 0 else { return }
      stage.value = Stage.writing
      do {
        try crew.start("sync", count: 1) { _ in
          try store.sync()
          stage.value = Stage.synced
        }
      } catch {
        Issue.record(error)
      }
      let end = testMilliseconds() + 20_000
      while stage.value == Stage.writing && testMilliseconds() < end { pause(milliseconds: 1) }
      if stage.value == Stage.synced { left.withLock { $0 = disk.crashImage(.nothingKept) } }
    }
    try Scene.put(100, to: scene.store)
    crew.finish()
    #expect(stage.value == Stage.synced)
    scene.system.onOperation(nil)
    // What was acknowledged before the frame was written must be there all the same.
    if let image = left.withLock({ $0 }) {
      #expect(try Scene.numbers(in: image).contains(100))
    }
    try scene.store.close()
    #expect(try Scene.numbers(in: scene.disk).contains(100))
  }

  @Test func `lays no zeros on frames when two threads make the log longer`() throws {
    let scene = try Scene(.immediate, logHalfByteCount: 16 << 10)
    let end = 4096 + 16 << 10
    let newest = SharedCount()
    let isGrowth: @Sendable (Operation) -> Bool = { operation in
      guard operation.call == .write && operation.path == Self.log else { return false }
      newest.value = operation.offset
      return operation.offset == end && operation.byteCount >= 16 << 10
    }
    let last = SharedCount()
    last.value = 3
    let interrupted = SharedCount()
    scene.system.interrupt(where: isGrowth) {
      interrupted.value = last.value
      // Goes through both halves, and on until a frame lies where the first half is to grow.
      var count = 0
      while count < 150 && !(end + 4096..<end + 8192).contains(newest.value) {
        try Scene.put(last.increment(), to: scene.store)
        count += 1
      }
    }
    while interrupted.value == 0 { try Scene.put(last.increment(), to: scene.store) }
    let image = scene.disk.killImage()
    let recovered = try Store(
      path: Self.path, options: scene.options, fileSystem: SimulatedSystem(image))
    #expect(try Scene.numbers(in: recovered) == Set(0...last.value))
    try recovered.close()
  }

  @Test func `is closed in good order when its last snapshot goes meanwhile`() throws {
    let scene = try Scene(.immediate)
    let snapshot = Guarded<Snapshot?>(try scene.store.snapshot())
    scene.system.interrupt(where: { $0.call == .sync && $0.path == Self.path }) {
      snapshot.withLock { $0 = nil }
    }
    try scene.store.close()
    #expect(scene.disk.names == [Self.path])
    #expect(try Scene.numbers(in: scene.disk) == [0, 1, 2, 3])
  }

  @Test func `syncs what waits although a transaction keeps the right from passing on`() throws {
    let events = Events()
    let scene = try Scene(.eventual(interval: .milliseconds(50)), trace: events.note)
    let other = try Store(
      path: Self.path, options: Scene.impatient, fileSystem: scene.secondSystem)
    let number = try scene.store.statistics().tip
    try scene.store.write { transaction in
      guard case .busy = storeError({ try Scene.put(200, to: other) }) else {
        Issue.record("the right was not asked for in vain")
        return
      }
      let isSynced = {
        events.all.contains { if case .sync(number, _) = $0 { true } else { false } }
      }
      #expect(!isSynced())
      scene.store.performBackgroundWork()
      #expect(isSynced())
      _ = try transaction.createTable("another")
    }
    try other.close()
    try scene.store.close()
  }
}

/// What a store writes into its log when nobody commits any more.
@Suite struct `A quiet log` {
  static let path = `A store that is interrupted`.path
  static let log = `A store that is interrupted`.log

  /// A scene whose newest frame lies at the offset.
  private func quietScene() throws -> (Scene, frame: Int) {
    let scene = try Scene(.immediate)
    scene.disk.recordOperations()
    try Scene.put(4, to: scene.store)
    let frame = scene.disk.operations.last { $0.call == .write && $0.path == Self.log }
    scene.disk.clock += 300_000_000
    return (scene, try #require(frame).offset)
  }

  private func markCount(_ scene: Scene) -> Int {
    scene.disk.operations.count {
      $0.call == .write && $0.path == Self.log && $0.byteCount == LogFrame.headerByteCount
    }
  }

  @Test(arguments: [false, true])
  func `tells rot in its last frame from a torn one, by a mark`(isMarked: Bool) throws {
    let (scene, frame) = try quietScene()
    if isMarked { scene.store.performBackgroundWork() }
    let image = scene.disk.killImage()
    image.rot(Self.log, at: frame + 100, mask: 4)
    let system = SimulatedSystem(image)
    if isMarked {
      let error = storeError {
        _ = try Store(path: Self.path, options: Scene.impatient, fileSystem: system)
      }
      let number = try scene.store.statistics().tip
      #expect(error == .lostTransactions(path: Self.log, first: number, last: number))
    } else {
      #expect(try Scene.numbers(in: image) == [0, 1, 2, 3])
    }
  }

  @Test func `gets one mark after each commit that is the last for a while`() throws {
    let (scene, _) = try quietScene()
    for _ in 0..<3 { scene.store.performBackgroundWork() }
    #expect(markCount(scene) == 1)
    try Scene.put(5, to: scene.store)
    scene.store.performBackgroundWork()
    #expect(markCount(scene) == 1)
    scene.disk.clock += 300_000_000
    for _ in 0..<3 { scene.store.performBackgroundWork() }
    #expect(markCount(scene) == 2)
    #expect(try Scene.numbers(in: scene.disk) == [0, 1, 2, 3, 4, 5])
    try scene.store.checkpoint()
    scene.disk.clock += 300_000_000
    scene.store.performBackgroundWork()
    #expect(markCount(scene) == 2)
    try scene.store.close()
  }

  @Test(arguments: [0, 20, 40])
  func `goes on where a mark could not be written`(byteCount: Int) throws {
    let (scene, _) = try quietScene()
    scene.disk.inject(.partialWrite(byteCount: byteCount, errno: EIO)) {
      $0.call == .write && $0.path == Self.log
    }
    scene.store.performBackgroundWork()
    #expect(markCount(scene) == 1)
    #expect(try Scene.numbers(in: scene.disk) == [0, 1, 2, 3, 4])
    for number in 5..<8 { try Scene.put(number, to: scene.store) }
    #expect(try Scene.numbers(in: scene.disk) == [0, 1, 2, 3, 4, 5, 6, 7])
    try scene.store.close()
  }
}

/// What a store does while there is no room.
@Suite struct `A store on a full disk` {
  @Test func `wants no checkpoint any more once there was nothing to free`() throws {
    let events = Events()
    let scene = try Scene(.immediate, trace: events.note)
    try scene.store.checkpoint()
    scene.disk.setRoom(0)
    let error = storeError {
      try scene.store.write { transaction in
        let table = try transaction.table("rows")
        try transaction.put([1], [UInt8](repeating: 1, count: 4 << 20), in: table)
      }
    }
    guard case .diskFull? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    scene.store.performBackgroundWork()
    scene.disk.setRoom(8 << 20)
    let count = events.checkpointCount
    try Scene.put(4, to: scene.store)
    #expect(events.checkpointCount == count)
    try scene.store.close()
  }
}

/// What calls threw, by the names that a test gives them.
private final class Outcome: Sendable {
  private let errors = Guarded<[String: StoreError]>([:])

  subscript(name: String) -> StoreError? { errors.withLock { $0[name] } }

  func note(_ name: String, _ error: StoreError?) { errors.withLock { $0[name] = error } }
}

/// What a store did.
private final class Events: Sendable {
  private let events = Guarded<[TraceEvent]>([])

  var all: [TraceEvent] { events.withLock { $0 } }

  var checkpointCount: Int {
    all.count { if case .checkpoint = $0 { true } else { false } }
  }

  func note(_ event: TraceEvent) { events.withLock { $0.append(event) } }
}

/// A store with four rows, the last two of which are in the log only, and a second process.
private struct Scene {
  static let logHalfCapacity = 1 << 20
  typealias Tests = `A store that is interrupted`

  let disk = SimulatedDisk(maximumFileByteCount: 16 << 20)
  let system: SimulatedSystem
  let secondSystem: SimulatedSystem
  let options: StoreOptions
  let store: Store

  /// Options for a process that does not wait for long.
  static var impatient: StoreOptions {
    var options = StoreOptions()
    options.busyTimeout = .milliseconds(300)
    options.logHalfByteCount = 16 << 10
    options.logHalfCapacity = logHalfCapacity
    return options
  }

  init(
    _ durability: Durability, logHalfByteCount: Int = 64 << 10,
    trace: (@Sendable (TraceEvent) -> Void)? = nil
  ) throws {
    var options = StoreOptions()
    options.durability = durability
    options.logHalfByteCount = logHalfByteCount
    options.logHalfCapacity = Self.logHalfCapacity
    options.trace = trace
    self.options = options
    system = SimulatedSystem(disk, processID: 1)
    secondSystem = SimulatedSystem(disk, processID: 2)
    store = try Store(path: Tests.path, options: options, fileSystem: system)
    for number in 0..<4 { try Self.put(number, to: store) }
  }

  static func put(_ number: Int, to store: Store) throws {
    try store.write { transaction in
      let table = try transaction.createTableIfNeeded("rows")
      try transaction.put(Pattern.key(number), [UInt8](repeating: 1, count: 500), in: table)
    }
  }

  static func numbers(in store: Store) throws -> Set<Int> {
    let snapshot = try store.snapshot()
    let table = try snapshot.table("rows")
    var numbers: Set<Int> = []
    var cursor = table.cursor()
    while try cursor.next() { numbers.insert(Pattern.number(cursor.key)) }
    return numbers
  }

  static func numbers(in disk: SimulatedDisk) throws -> Set<Int> {
    let store = try Store(
      path: Tests.path, options: impatient, fileSystem: SimulatedSystem(disk.killImage()))
    return try numbers(in: store)
  }
}

extension SimulatedSystem {
  /// Runs `body` before the first call that `matches` is true of is done.
  fileprivate func interrupt(
    where matches: @escaping @Sendable (Operation) -> Bool,
    _ body: @escaping @Sendable () throws -> Void
  ) {
    let count = SharedCount()
    onOperation { operation in
      if !matches(operation) || count.value > 0 || count.increment() > 1 { return }
      do {
        try body()
      } catch {
        Issue.record(error)
      }
    }
  }
}
