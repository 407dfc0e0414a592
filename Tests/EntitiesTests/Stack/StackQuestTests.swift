import Entities
import PageStore
import SimulatedDisk
import Testing

/// Runs of quests on a simulated disk: whatever ends the program, resuming gives what an undisturbed
/// run gives.
@Suite(.serialized) struct `A run of quests on a disk that fails` {
  /// A database with three adventurers and a run that has begun, as a disk.
  private static func begun(_ mode: QuestMode) throws -> SimulatedDisk {
    let disk = SimulatedDisk(maximumFileByteCount: 16 << 20)
    let database = try open(disk, process: 1)
    let plan = try database.write { (transaction: inout DatabaseTransaction) throws in
      var roster: [Fighter] = []
      for (index, profession) in ["Wizard", "Knight", "Baker"].enumerated() {
        let id = EntityID(UInt64(index + 1))
        let adventurer = Adventurer.recruit(
          name: "Ana \(index)", profession: profession, seed: 7, id: id)
        try transaction.insert(adventurer, id: id)
        roster.append(Fighter(adventurer, id: id))
      }
      return QuestPlan(
        seed: 42, mode: mode, quests: 24,
        settings: QuestSettings(foes: 2, goal: 2, limit: 30_000), roster: roster,
        table: QuestTestData.smallTable)
    }
    _ = try QuestRunner.begin(plan, in: database)
    try database.close()
    return disk
  }

  private static func open(_ disk: SimulatedDisk, process: Int32) throws -> Database {
    try open(SimulatedSystem(disk, processID: process))
  }

  private static func open(_ system: SimulatedSystem) throws -> Database {
    let store = try Store(
      path: StackWorkload.path, options: StackWorkload(seed: 0).options, fileSystem: system)
    return try Database(store, entities: Pokedex.entities)
  }

  /// Goes on with the run on `disk` to its end.
  ///
  /// - Returns: What the database holds then, and the quests that were done on the way.
  private static func finish(_ disk: SimulatedDisk) throws -> (digest: UInt64, done: Int) {
    let database = try open(disk, process: 30)
    var done = 0
    let runner = try QuestRunner(EntityID(1), in: database)
    let isFinished = try runner.run(chunkSize: 5, progress: { done = $0.doneHere })
    guard isFinished else { throw StackDigest.Wrong("the run is not finished") }
    let digest = try StackDigest.of(database)
    try database.close()
    return (digest, done)
  }

  @Test(arguments: QuestMode.allCases)
  func `counts each quest once, whenever the machine crashes or the process dies`(mode: QuestMode)
    throws
  {
    let disk = try Self.begun(mode)
    let whole = try Self.finish(try Self.begun(mode))
    #expect(whole.done == 72)
    let findings = StackFindings()
    let middles = Guarded(0)
    let stride = QuestTestData.isLong ? 1 : 9
    let system = SimulatedSystem(disk, processID: 2)
    system.onOperation { operation in
      guard operation.changesDisk, operation.index % stride == 0 else { return }
      for (image, name) in [
        (disk.crashImage(.nothingKept), "nothing kept"),
        (disk.crashImage(.seeded(UInt64(operation.index))), "seeded"), (disk.killImage(), "killed"),
      ] {
        findings.noteLook()
        do {
          let result = try Self.finish(image)
          if result.done > 0 && result.done < 72 { middles.withLock { $0 += 1 } }
          if result.digest != whole.digest {
            findings.note("\(mode), call \(operation.index), \(name): another end")
          }
        } catch {
          findings.note("\(mode), call \(operation.index), \(name): \(error)")
        }
      }
    }
    let database = try Self.open(system)
    let isFinished = try QuestRunner(EntityID(1), in: database).run(chunkSize: 5)
    #expect(isFinished)
    try database.close()
    system.onOperation(nil)
    #expect(findings.wrong == [])
    #expect(middles.withLock { $0 } > 3, "crashes between the first commit and the last")
  }

  @Test(
    arguments: [
      .error(errno: 5), .error(errno: 28), .failedSync(.clean), .failedSync(.reverted),
      .partialWrite(byteCount: 100, errno: 5),
    ] as [Fault])
  func `counts each quest once, whichever call fails`(fault: Fault) throws {
    let whole = try Self.finish(try Self.begun(.campaign))
    let trial = try Self.begun(.campaign)
    trial.recordOperations()
    _ = try Self.finish(trial)
    let operations = trial.operations.filter { fault.meets($0) }
    var failedCount = 0
    for operation in operations.enumerated() where operation.offset % 13 == 0 {
      let disk = try Self.begun(.campaign)
      disk.inject(fault, atOperation: operation.element.index)
      do {
        _ = try Self.finish(disk)
      } catch {
        failedCount += 1
      }
      disk.clearFaults()
      let end = try Self.finish(disk.killImage())
      #expect(
        end.digest == whole.digest, "\(fault) at call \(operation.element.index)")
    }
    #expect(failedCount > 0)
  }
}
