import Glibc
import PageStore
import SimulatedDisk
import Testing

/// The names beside a database, and who else may have used them.
@Suite struct `A file beside a database` {
  private func write(_ bytes: [UInt8], to path: String) {
    let descriptor = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0o644)
    _ = Glibc.write(descriptor, bytes, bytes.count)
    close(descriptor)
  }

  private func use(_ path: String) throws {
    let store = try Store(path: path)
    // The second transaction of a tenure makes a log.
    for value in ["1", "2", "3"] {
      try store.write { transaction in
        try transaction.put("key", value, in: try transaction.createTableIfNeeded("t"))
      }
    }
    try store.close()
  }

  @Test(arguments: ["-log", "-lock"], [true, false])
  func `stays where it is somebody's text or database`(name: String, isText: Bool) throws {
    let folder = try TestFolder()
    let other = folder.database + name
    if isText { write(Array("precious".utf8), to: other) } else { try use(other) }
    let bytes = folder.bytes("a.db" + name)
    #expect(storeError { _ = try Store(path: folder.database) } == .alreadyExists(path: other))
    #expect(folder.names == ["a.db" + name])
    // A database that was there first is not opened beside it either, though it can be read.
    rename(other, folder.path + "/other")
    try use(folder.database)
    rename(folder.path + "/other", other)
    #expect(storeError { _ = try Store(path: folder.database) } == .alreadyExists(path: other))
    var options = StoreOptions()
    options.isReadOnly = true
    let store = try Store(path: folder.database, options: options)
    #expect(try store.snapshot().tableNames() == ["t"])
    try store.close()
    #expect(folder.bytes("a.db" + name) == bytes)
  }

  @Test func `stays where it has the name of a database in the making and is in use`() throws {
    let folder = try TestFolder()
    let other = folder.database + "-new"
    try use(other)
    let bytes = folder.bytes("a.db-new")
    #expect(storeError { _ = try Store(path: folder.database) } == .alreadyExists(path: other))
    rename(other, folder.path + "/other")
    try use(folder.database)
    rename(folder.path + "/other", other)
    // Nothing is made under that name any more, so it is in nobody's way.
    try use(folder.database)
    #expect(folder.bytes("a.db-new") == bytes)
  }

  @Test func `stays where it comes while the database is open`() throws {
    let folder = try TestFolder()
    let store = try Store(path: folder.database)
    write(Array("precious".utf8), to: folder.database + "-log")
    for value in ["1", "2", "3"] {
      try store.write { transaction in
        try transaction.put("key", value, in: try transaction.createTableIfNeeded("t"))
      }
    }
    try store.close()
    #expect(folder.bytes("a.db-log") == Array("precious".utf8))
  }

  @Test(arguments: ["-log", "-lock", "-new"], [0, 4096, 69_632])
  func `goes where it is empty or zeros`(name: String, count: Int) throws {
    let folder = try TestFolder()
    write([UInt8](repeating: 0, count: count), to: folder.database + name)
    try use(folder.database)
    #expect(folder.names == ["a.db"])
  }

  @Test(arguments: [
    ("-log", 512), ("-log", 129 << 20), ("-lock", 8), ("-lock", 5 << 20), ("-new", 70_000),
    ("-new", 1 << 20),
  ])
  func `stays where it is zeros, and of a length that ours never have`(
    name: String, count: Int
  ) throws {
    let folder = try TestFolder()
    let other = folder.database + name
    write([], to: other)
    #expect(truncate(other, count) == 0)
    #expect(storeError { _ = try Store(path: folder.database) } == .alreadyExists(path: other))
    #expect(folder.names == ["a.db" + name])
  }

  @Test func `stays where it is a database in need of salvage`() throws {
    let folder = try TestFolder()
    let other = folder.database + "-new"
    let store = try Store(path: other)
    try store.write { transaction in
      let table = try transaction.createTable("t")
      for number in 0..<2000 { try transaction.put("\(number)", "a value of it", in: table) }
    }
    try store.close()
    var bytes = try #require(folder.bytes("a.db-new"))
    for page in 0...4 { bytes[page * 4096 + 40] ^= 1 }
    write(bytes, to: other)
    guard case .corrupt = storeError({ _ = try Store(path: other) }) else {
      Issue.record("both meta pages are damaged")
      return
    }
    #expect(storeError { _ = try Store(path: folder.database) } == .alreadyExists(path: other))
    #expect(folder.bytes("a.db-new") == bytes)
  }

  @Test(arguments: [69_632, 8])
  func `goes where it may not be read, if it has a length of ours`(count: Int) throws {
    let disk = SimulatedDisk()
    let system = SimulatedSystem(disk)
    try Store(path: "a.db", options: .small, fileSystem: system).close()
    let bytes = [UInt8](repeating: 7, count: count)
    disk.setContents(of: "a.db-lock", to: bytes)
    disk.inject(.error(errno: EACCES)) { $0.call == .open && $0.path == "a.db-lock" }
    if count == 8 {
      #expect(
        storeError { _ = try Store(path: "a.db", options: .small, fileSystem: system) }
          == .alreadyExists(path: "a.db-lock"))
      #expect(disk.contents(of: "a.db-lock") == bytes)
    } else {
      try Store(path: "a.db", options: .small, fileSystem: system).close()
      #expect(disk.names == ["a.db"])
    }
  }

  /// The name of a file that was removed again may come back with the power, and with it any bytes.
  @Test func `goes where a write to it failed and the power was lost`() throws {
    func fill(_ system: SimulatedSystem) throws(StoreError) {
      let store = try Store(path: "a.db", options: .small, fileSystem: system)
      for number in 0..<3 {
        try store.write { (transaction) throws(StoreError) in
          try transaction.put("\(number)", "v", in: try transaction.createTableIfNeeded("t"))
        }
      }
      try store.close()
    }
    let whole = SimulatedDisk()
    whole.recordOperations()
    try fill(SimulatedSystem(whole))
    let writes = whole.operations.filter { $0.call == .write && $0.path != "a.db" }
    #expect(writes.contains { $0.path == "a.db-lock" } && writes.contains { $0.path == "a.db-log" })
    for operation in writes {
      let disk = SimulatedDisk()
      disk.inject(.partialWrite(byteCount: 700, errno: EIO), atOperation: operation.index)
      _ = storeError { () throws(StoreError) in try fill(SimulatedSystem(disk)) }
      for seed in UInt64(0)..<12 {
        let image = disk.crashImage(.seeded(seed))
        let error = storeError { () throws(StoreError) in
          try fill(SimulatedSystem(image, processID: 2))
        }
        #expect(error == nil, "\(operation), seed \(seed)")
      }
    }
  }

  @Test func `has a length, whoever may read it`() throws {
    let folder = try TestFolder()
    write([1, 2, 3], to: folder.database)
    chmod(folder.database, 0)
    #expect(PosixFileSystem().byteCount(of: folder.database) == 3)
    #expect(PosixFileSystem().byteCount(of: folder.path) == nil)
    #expect(PosixFileSystem().byteCount(of: folder.path + "/none") == nil)
  }

  @Test(arguments: ["-log", "-lock"])
  func `is named where it is no file`(name: String) throws {
    let folder = try TestFolder()
    for make in [{ mkdir($0, 0o700) }, { mkfifo($0, 0o600) }] as [(String) -> Int32] {
      let path = folder.database + name
      #expect(make(path) == 0)
      #expect(storeError { _ = try Store(path: folder.database) } == .alreadyExists(path: path))
      unlink(path)
      rmdir(path)
    }
    #expect(folder.names.isEmpty)
  }
}

@Suite struct `Salvage of a database whose log is unusable` {
  /// A store of 60 rows that was killed, some of them in its log only.
  private func killed() throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    let store = try Store(path: "a.db", options: .small, fileSystem: SimulatedSystem(disk))
    for number in 0..<60 {
      try store.write { transaction in
        let table = try transaction.createTableIfNeeded("t")
        try transaction.put("key \(number)", String(repeating: "v", count: 100), in: table)
      }
    }
    return disk.killImage()
  }

  enum Harm: CaseIterable { case emptied, cut, zeroed, headerRots }

  @Test(arguments: Harm.allCases)
  func `says that the log is damaged`(harm: Harm) throws {
    let image = try killed()
    let system = SimulatedSystem(image, processID: 2)
    let log = try system.open("a.db-log", .readWrite)
    let zeros = [UInt8](repeating: 0, count: 1 << 16)
    switch harm {
    case .emptied: try log.truncate(to: 0)
    case .cut: try log.truncate(to: 4096)
    case .zeroed: try zeros.withUnsafeBytes { try log.write($0, at: 0) }
    case .headerRots: try zeros.withUnsafeBytes { try log.write(.init(rebasing: $0[..<64]), at: 0) }
    }
    log.close()
    let report = try Store.salvage(from: "a.db", to: "b.db", fileSystem: system)
    #expect(!report.isComplete)
    guard case .corrupt(let damage)? = report.problems.first else {
      Issue.record("\(report.problems)")
      return
    }
    #expect(damage.path == "a.db-log")
    let saved = try Store(path: "b.db", options: .small, fileSystem: system)
    let count = try saved.contents()["t"]?.count ?? 0
    #expect(harm == .headerRots ? count == 60 : count < 60)
    try saved.close()
  }

  @Test func `saves what is in the file where the log is no file`() throws {
    let folder = try TestFolder()
    let process = try ProbeProcess("write", folder.database)
    _ = try #require(process.line(12))
    process.kill()
    let log = folder.database + "-log"
    for make in [{ mkdir($0, 0o700) }, { mkfifo($0, 0o600) }] as [(String) -> Int32] {
      unlink(log)
      #expect(make(log) == 0)
      #expect(try Store.check(path: folder.database).problems == [.alreadyExists(path: log)])
      let report = try Store.salvage(from: folder.database, to: folder.path + "/saved")
      #expect(report.problems == [.alreadyExists(path: log)])
      unlink(folder.path + "/saved")
      rmdir(log)
    }
  }
}
