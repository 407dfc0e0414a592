import Glibc
import PageStore
import Testing

@Suite struct `Options` {
  @Test func `that mean nothing are refused by name and value`() throws {
    let changes: [(String, (inout StoreOptions) -> Void)] = [
      ("pageByteCount 5000", { $0.pageByteCount = 5000 }),
      ("pageByteCount 0", { $0.pageByteCount = 0 }),
      ("maximumByteCount 0", { $0.maximumByteCount = 0 }),
      ("maximumByteCount -1", { $0.maximumByteCount = -1 }),
      ("busyTimeout -1.0 seconds", { $0.busyTimeout = .seconds(-1) }),
      (
        "durability interval -0.001 seconds",
        { $0.durability = .eventual(interval: .milliseconds(-1)) }
      ),
      ("writeBufferByteCount 0", { $0.writeBufferByteCount = 0 }),
      ("writeBufferByteCount -5", { $0.writeBufferByteCount = -5 }),
      ("permissions 0o400", { $0.permissions = 0o400 }),
      ("permissions 0o1666", { $0.permissions = 0o1666 }),
    ]
    let folder = try TestFolder()
    for (text, change) in changes {
      var options = StoreOptions()
      change(&options)
      let error = storeError { _ = try Store(path: folder.database, options: options) }
      guard case .invalidOption(let found) = error else {
        Issue.record("\(text): \(String(describing: error))")
        continue
      }
      #expect(found.hasPrefix(text + ":"))
      #expect(storeError { _ = try Store.inMemory(options: options) } == error)
    }
    #expect(folder.names.isEmpty)
  }

  @Test func `of a store in memory cannot ask for one that is there`() {
    var options = StoreOptions()
    options.isReadOnly = true
    var error = storeError { _ = try Store.inMemory(options: options) }
    #expect("\(String(describing: error))".contains("isReadOnly true"))
    options = StoreOptions()
    options.createsFile = false
    error = storeError { _ = try Store.inMemory(options: options) }
    #expect("\(String(describing: error))".contains("createsFile false"))
  }

  @Test func `leave the page size of an existing database as it is`() throws {
    let folder = try TestFolder()
    var options = StoreOptions()
    options.pageByteCount = 4096
    try Store(path: folder.database, options: options).close()
    options.pageByteCount = 16384
    let store = try Store(path: folder.database, options: options)
    #expect(try store.statistics().pageByteCount == 4096)
    try store.close()
  }
}

@Suite struct `What is no file` {
  /// Runs each call that takes the path of a database.
  private func expectRefusal(_ path: String, _ kind: FileKind) throws {
    let folder = try TestFolder()
    for isReadOnly in [true, false] {
      var options = StoreOptions()
      options.isReadOnly = isReadOnly
      let error = storeError { _ = try Store(path: path, options: options) }
      #expect(error == .notADatabase(path: path, kind))
    }
    #expect(storeError { _ = try Store.check(path: path) } == .notADatabase(path: path, kind))
    #expect(
      storeError { _ = try Store.salvage(from: path, to: folder.database) }
        == .notADatabase(path: path, kind))
    #expect(folder.names.isEmpty)
  }

  @Test(.timeLimit(.minutes(1))) func `is no database, and is said to be what it is`() throws {
    let folder = try TestFolder()
    mkdir(folder.database, 0o700)
    try expectRefusal(folder.database, .folder)
    mkfifo(folder.path + "/pipe", 0o600)
    try expectRefusal(folder.path + "/pipe", .pipe)
    try expectRefusal("/dev/null", .device)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = folder.path + "/socket"
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(isBound == 0)
    try expectRefusal(path, .socket)
  }

  @Test(.timeLimit(.minutes(1)), arguments: [true, false])
  func `is named where it stands in the way of creating a database`(isFolder: Bool) throws {
    let folder = try TestFolder()
    let path = folder.database + "-new"
    if isFolder { mkdir(path, 0o700) } else { symlink("nowhere", path) }
    let error = storeError { _ = try Store(path: folder.database) }
    #expect(error == .alreadyExists(path: path))
    #expect(folder.names == ["a.db-new"])
  }

  @Test func `is no name either where it is too long for the side files`() throws {
    let folder = try TestFolder()
    for count in [250, 251, 255] {
      let path = folder.path + "/" + String(repeating: "n", count: count)
      if count > StoreLimits.fileNameByteCount {
        let error = storeError { _ = try Store(path: path) }
        #expect(error == .system(.open, path: path, errno: ENAMETOOLONG))
      } else {
        for _ in 0..<2 {
          let store = try Store(path: path)
          for _ in 0..<3 {
            try store.write { (transaction) throws(StoreError) in
              try transaction.put("key", "value", in: try transaction.createTableIfNeeded("t"))
            }
          }
          try store.close()
        }
        #expect(folder.names.count == 1)
        unlink(path)
      }
    }
    #expect(folder.names.isEmpty)
  }

  @Test func `keeps a creator waiting no longer than the options say`() throws {
    let folder = try TestFolder()
    let other = try PosixFileSystem().open(
      folder.database + "-new", .createNew(permissions: 0o600))
    #expect(try other.tryLock(LockByte((1 << 62) + 1), .exclusive))
    var options = StoreOptions()
    options.busyTimeout = .milliseconds(30)
    guard
      case .busy(_, nil, let milliseconds) = storeError({
        _ = try Store(path: folder.database, options: options)
      })
    else {
      Issue.record("not busy")
      return
    }
    #expect(milliseconds >= 30 && milliseconds < 10_000)
    other.close()
  }
}
