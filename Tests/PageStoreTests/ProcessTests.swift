import PageStore
import SimulatedDisk
import Testing

@Suite struct `Two processes` {
  /// Two processes that have the same store open, and the model of it.
  final class Pair {
    let disk = SimulatedDisk(maximumFileByteCount: 16 << 20)
    var systems: [SimulatedSystem] = []
    var stores: [Store] = []
    var model = StoreModel()
    var random: SplitMix64
    var snapshots: [(snapshot: Snapshot, digest: UInt64)] = []
    var options: StoreOptions
    private var nextProcess: Int32 = 1

    init(seed: UInt64, durability: Durability = .immediate) throws {
      random = SplitMix64(seed: seed)
      var workload = Workload(name: "pair", seed: seed)
      workload.durability = durability
      options = workload.options
      for _ in 0..<2 { try add() }
    }

    func add() throws {
      let system = SimulatedSystem(disk, processID: nextProcess, seed: UInt64(nextProcess))
      nextProcess += 1
      stores.append(
        try Store(path: WorkloadRun.path, options: options, fileSystem: system))
      systems.append(system)
    }

    /// Writes in process `index`, after the other has handed the right over.
    func write(_ index: Int) throws {
      do {
        try tryToWrite(index)
      } catch StoreError.busy {
        for other in stores.indices where other != index { stores[other].performBackgroundWork() }
        try tryToWrite(index)
      }
    }

    private func tryToWrite(_ index: Int) throws {
      var random = random
      var next = model
      try stores[index].write { transaction in
        let table = try transaction.createTableIfNeeded("t")
        if next.tables["t"] == nil { next.create("t") }
        for _ in 0..<random.number(in: 1..<8) {
          let key = [UInt8]("key \(random.number(in: 0..<60))".utf8)
          if random.chance(30) {
            try transaction.delete(key, in: table)
            next.delete(key, from: "t")
          } else {
            let count = [10, 300, 6000][random.number(in: 0..<3)]
            let value = [UInt8](repeating: UInt8(random.number(in: 0..<256)), count: count)
            try transaction.put(key, value, in: table)
            next.put(key, value, in: "t")
          }
        }
      }
      self.random = random
      model = next
    }

    /// Writes to a table of which the model knows nothing.
    func writeOther(_ index: Int) throws {
      for _ in 0..<2 {
        do {
          try stores[index].write { transaction in
            let table = try transaction.createTableIfNeeded("other")
            for number in 0..<30 { try transaction.put("key \(number)", "value", in: table) }
          }
          return
        } catch StoreError.busy {
          for other in stores.indices where other != index { stores[other].performBackgroundWork() }
        }
      }
      Issue.record("process \(index) never got the right to write")
    }

    func pin(_ index: Int) throws {
      let snapshot = try stores[index].snapshot()
      let digest = try StoreDigest.of(snapshot)
      #expect(digest == model.digest)
      snapshots.append((snapshot, digest))
    }

    func lookAtSnapshots() throws {
      for (snapshot, digest) in snapshots {
        let now = try StoreDigest.of(snapshot)
        #expect(now == digest, "the snapshot of \(snapshot.transaction)")
      }
    }

    /// Kills process `index`, and opens another in its place.
    func killAndReplace(_ index: Int) throws {
      systems[index].kill()
      stores.remove(at: index)
      systems.remove(at: index)
      try add()
    }

    /// Closes everything, and looks at what is left.
    func finish() throws {
      try lookAtSnapshots()
      snapshots = []
      for store in stores { try store.close() }
      stores = []
      #expect(disk.names == [WorkloadRun.path])
      let problem = try SpaceAudit.problem(on: disk, path: WorkloadRun.path)
      #expect(problem == nil)
      let store = try Store(
        path: WorkloadRun.path, options: options, fileSystem: SimulatedSystem(disk, processID: 77))
      #expect(try StoreDigest.of(store) == model.digest)
      try store.close()
    }
  }

  @Test(arguments: 0..<UInt64(12))
  func `write in turn and see each other's commits`(seed: UInt64) throws {
    let pair = try Pair(seed: seed)
    for round in 0..<40 {
      try pair.write(round % 3 == 0 ? 1 : 0)
      if round % 4 == 1 { try pair.pin(pair.random.number(in: 0..<2)) }
      if round % 9 == 8 { pair.snapshots.removeFirst() }
      try pair.lookAtSnapshots()
      #expect(try StoreDigest.of(pair.stores[0]) == pair.model.digest)
      #expect(try StoreDigest.of(pair.stores[1]) == pair.model.digest)
    }
    try pair.finish()
  }

  @Test(arguments: 0..<UInt64(12))
  func `keep a reader's snapshot when the writer is killed and recovered`(seed: UInt64) throws {
    let pair = try Pair(seed: seed)
    for _ in 0..<25 {
      for _ in 0..<pair.random.number(in: 1..<5) { try pair.write(0) }
      try pair.pin(1)
      for _ in 0..<pair.random.number(in: 0..<4) { try pair.write(0) }
      if pair.random.chance(50) { try pair.stores[0].checkpoint() }
      for _ in 0..<pair.random.number(in: 0..<3) { try pair.write(0) }
      // The one that pins stays and becomes the writer's successor now and then.
      pair.systems[0].kill()
      let isSuccessorNew = pair.random.chance(50)
      if isSuccessorNew {
        pair.stores.removeFirst()
        pair.systems.removeFirst()
        try pair.add()
        pair.stores.swapAt(0, 1)
        pair.systems.swapAt(0, 1)
        try pair.write(0)
      } else {
        try pair.write(1)
        pair.stores.removeFirst()
        pair.systems.removeFirst()
        try pair.add()
        pair.stores.swapAt(0, 1)
        pair.systems.swapAt(0, 1)
        pair.stores[1].performBackgroundWork()
        try pair.write(0)
      }
      try pair.lookAtSnapshots()
      #expect(try StoreDigest.of(pair.stores[1]) == pair.model.digest)
      if pair.snapshots.count > 4 { pair.snapshots.removeFirst() }
    }
    try pair.finish()
  }

  @Test(arguments: 0..<UInt64(4))
  func `recover beside readers whenever the writer dies`(seed: UInt64) throws {
    var call = 0
    var hasFinished = false
    while !hasFinished {
      let pair = try Pair(seed: seed)
      for _ in 0..<3 { try pair.write(0) }
      try pair.pin(1)
      try pair.write(0)
      let start = pair.systems[0].operationCount
      pair.systems[0].kill(atOperation: start + call)
      do {
        for _ in 0..<4 {
          try pair.write(0)
          try pair.pin(1)
        }
        try pair.stores[0].checkpoint()
        try pair.write(0)
        hasFinished = !pair.systems[0].hasCrashed
      } catch is StoreError {}
      pair.systems[0].kill()
      // What the killed process had under way may have come through or not.
      pair.stores.removeFirst()
      pair.systems.removeFirst()
      try pair.add()
      let found = try StoreDigest.of(pair.stores[1])
      try pair.lookAtSnapshots()
      #expect(try StoreDigest.of(pair.stores[0]) == found)
      for index in [1, 0, 1] {
        try pair.writeOther(index)
        try pair.lookAtSnapshots()
      }
      pair.snapshots = []
      for store in pair.stores { try store.close() }
      let problem = try SpaceAudit.problem(on: pair.disk, path: WorkloadRun.path)
      #expect(problem == nil, "killed at call \(call)")
      call += 1
    }
    #expect(call > 20)
  }
}
