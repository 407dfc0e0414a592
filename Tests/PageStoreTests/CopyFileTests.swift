import Glibc
import PageStore
import SimulatedDisk
import Testing

@Suite struct `The file of a copy` {
  private func makeStore(_ folder: TestFolder) throws -> Store {
    let store = try Store(path: folder.database)
    try store.write { transaction in
      try transaction.put("key", "value", in: try transaction.createTable("t"))
    }
    return store
  }

  @Test func `can be written where the original cannot`() throws {
    let folder = try TestFolder()
    try makeStore(folder).close()
    chmod(folder.database, 0o440)
    var options = StoreOptions()
    options.isReadOnly = true
    let store = try Store(path: folder.database, options: options)
    try store.backup(to: folder.path + "/b.db")
    try store.close()
    #expect(try Store.salvage(from: folder.database, to: folder.path + "/c.db").isComplete)
    for name in ["b.db", "c.db"] {
      var status = stat()
      stat(folder.path + "/" + name, &status)
      #expect(status.st_mode & 0o777 == 0o640)
    }
  }

  @Test(arguments: [200, 227, 250, 251, 255])
  func `may have any name that a database can have`(count: Int) throws {
    let folder = try TestFolder()
    let store = try makeStore(folder)
    // Characters of several bytes, so that a cut falls within one.
    let name = String(repeating: "é", count: count / 2) + (count % 2 == 0 ? "" : "n")
    let path = folder.path + "/" + name
    let error = storeError { try store.backup(to: path) }
    try store.close()
    if count <= StoreLimits.fileNameByteCount {
      #expect(error == nil)
      let copy = try Store(path: path)
      #expect(try copy.snapshot().tableNames() == ["t"])
      try copy.close()
      #expect(folder.names == ["a.db", name])
    } else {
      #expect(error == .system(.open, path: path, errno: ENAMETOOLONG))
      #expect(folder.names == ["a.db"])
    }
  }

  @Test func `has no name before it is whole`() throws {
    let folder = try TestFolder()
    // Where the file system has no files without names, there is a temporary one.
    let trial = folder.path + "/trial"
    if MemoryFileSystem(databasesIn: folder.path, trialName: trial) == nil { return }
    // A name that cannot be given is found out beforehand.
    #expect(MemoryFileSystem(databasesIn: folder.path, trialName: folder.path) == nil)
    let store = try makeStore(folder)
    try store.write { transaction in
      let table = try transaction.table("t")
      for number in 0..<5000 { try transaction.put("\(number)", "value", in: table) }
    }
    let before = folder.names
    var callCount = 0
    try store.backup(to: folder.path + "/b.db") { _ in
      #expect(folder.names == before)
      callCount += 1
      return true
    }
    #expect(callCount > 4)
    #expect(folder.names == before + ["b.db"])
    #expect(
      storeError { try store.backup(to: folder.path + "/c.db") { _ in false } } == .cancelled)
    try store.close()
    #expect(folder.names == ["a.db", "b.db"])
    #expect(try Store.check(path: folder.path + "/b.db").isClean)
  }

  @Test func `is not salvaged from a database that somebody is opening`() throws {
    let disk = SimulatedDisk()
    let system = SimulatedSystem(disk)
    let store = try Store(path: "a.db", options: .small, fileSystem: system)
    try store.write { transaction in _ = try transaction.createTable("t") }
    try store.close()
    let other = try SimulatedSystem(disk, processID: 2).open("a.db", .readWrite)
    // The door.
    #expect(try other.tryLock(LockByte((1 << 62) + 1), .exclusive))
    #expect(throws: StoreError.busy(path: "a.db", holder: nil, milliseconds: 0)) {
      try Store.salvage(from: "a.db", to: "b.db", fileSystem: system)
    }
    other.close()
    #expect(try Store.salvage(from: "a.db", to: "b.db", fileSystem: system).isComplete)
  }
}
