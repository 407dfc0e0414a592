import CDexShim
import Glibc
import PageStore
import SimulatedDisk
import Synchronization
import Testing

/// What the engine believes of a file system, asked of each that it may run on.
@Suite struct `A file system` {
  @Test(arguments: Place.Kind.allCases)
  func `reads back what was written, and less where the file ends`(kind: Place.Kind) throws {
    let place = try Place(kind)
    let file = try place.system.open(place.path("a"), .createNew(permissions: 0o600))
    try file.write([1, 2, 3], at: 10)
    #expect(try file.byteCount() == 13)
    #expect(try file.bytes(at: 0, count: 13) == [UInt8](repeating: 0, count: 10) + [1, 2, 3])
    #expect(try file.bytes(at: 11, count: 100) == [2, 3])
    #expect(try file.bytes(at: 13, count: 1).isEmpty)
    #expect(try file.bytes(at: 1000, count: 1).isEmpty)
    try file.write([], at: 0)
    try file.sync()
    try place.system.syncDirectory(of: file.path)
    let again = try place.system.open(file.path, .readOnly)
    #expect(try again.contents() == file.contents())
    #expect(try again.status().permissions == 0o600)
    #expect(try again.status() == file.status())
    #expect(try again.status().linkCount == 1)
    #expect(throws: StoreError.system(.write, path: file.path, errno: EBADF)) {
      try again.write([1], at: 0)
    }
  }

  @Test(arguments: Place.Kind.allCases)
  func `opens what is there and creates what is not`(kind: Place.Kind) throws {
    let place = try Place(kind)
    let path = place.path("a")
    for mode in [OpenMode.readOnly, .readWrite] {
      #expect(throws: StoreError.system(.open, path: path, errno: ENOENT)) {
        try place.system.open(path, mode)
      }
    }
    #expect(try !place.system.exists(path))
    let file = try place.system.open(path, .createNew(permissions: 0o644))
    #expect(try place.system.exists(path))
    #expect(throws: StoreError.system(.open, path: path, errno: EEXIST)) {
      try place.system.open(path, .createNew(permissions: 0o644))
    }
    try file.write([7], at: 0)
    let other = try place.system.open(path, .openOrCreate(permissions: 0o644))
    #expect(try other.contents() == [7])
    _ = try place.system.open(place.path("b"), .openOrCreate(permissions: 0o644))
    #expect(try place.system.exists(place.path("b")))
  }

  @Test(arguments: Place.Kind.allCases)
  func `renames in one step, and replaces only where it may`(kind: Place.Kind) throws {
    let place = try Place(kind)
    let (a, b) = (place.path("a"), place.path("b"))
    let file = try place.system.open(a, .createNew(permissions: 0o644))
    let other = try place.system.open(b, .createNew(permissions: 0o644))
    try file.write([1], at: 0)
    #expect(throws: StoreError.system(.rename, path: b, errno: EEXIST)) {
      try place.system.rename(a, to: b, replacing: false)
    }
    #expect(try place.system.exists(a))
    try place.system.rename(a, to: b, replacing: true)
    #expect(try !place.system.exists(a))
    #expect(try place.system.open(b, .readOnly).contents() == [1])
    #expect(try other.status().linkCount == 0)
    try place.system.rename(b, to: a, replacing: false)
    #expect(try place.system.open(a, .readOnly).contents() == [1])
    #expect(throws: StoreError.system(.rename, path: b, errno: ENOENT)) {
      try place.system.rename(b, to: a, replacing: true)
    }
  }

  @Test(arguments: Place.Kind.allCases)
  func `removes a name, while who has the file open keeps it`(kind: Place.Kind) throws {
    let place = try Place(kind)
    let path = place.path("a")
    let file = try place.system.open(path, .createNew(permissions: 0o644))
    try file.write([1, 2], at: 0)
    try place.system.remove(path)
    try place.system.remove(path)
    #expect(try !place.system.exists(path))
    #expect(try file.contents() == [1, 2])
    #expect(try file.status().linkCount == 0)
    let new = try place.system.open(path, .createNew(permissions: 0o644))
    #expect(try new.byteCount() == 0)
    #expect(try new.status().inode != file.status().inode)
  }

  @Test(arguments: Place.Kind.allCases)
  func `locks by open file`(kind: Place.Kind) throws {
    let place = try Place(kind)
    let path = place.path("a")
    let a = try place.system.open(path, .createNew(permissions: 0o644))
    let b = try place.system.open(path, .readWrite)
    let far = LockByte(1 << 40)
    #expect(try a.tryLock(far, .exclusive))
    #expect(try a.tryLock(far, .exclusive))
    #expect(try !a.isLockedElsewhere(far, against: .exclusive))
    #expect(try b.isLockedElsewhere(far, against: .shared))
    #expect(try !b.tryLock(far, .shared))
    #expect(try b.tryLock(LockByte(1 << 40 + 1), .exclusive))

    // Closing another descriptor of the file frees nothing.
    let c = try place.system.open(path, .readOnly)
    c.close()
    #expect(try !b.tryLock(far, .shared))

    // From exclusive to shared, and back only while alone.
    #expect(try a.tryLock(far, .shared))
    #expect(try b.tryLock(far, .shared))
    #expect(try !b.isLockedElsewhere(far, against: .shared))
    #expect(try b.isLockedElsewhere(far, against: .exclusive))
    #expect(try !a.tryLock(far, .exclusive))
    let d = try place.system.open(path, .readWrite)
    #expect(try !d.tryLock(far, .exclusive))
    try b.unlock(far)
    #expect(try !d.tryLock(far, .exclusive), "a failed change keeps the old lock")
    #expect(try a.tryLock(far, .exclusive))
    a.close()
    #expect(try d.tryLock(far, .exclusive))
  }

  @Test(arguments: Place.Kind.allCases)
  func `maps a file that grows under the mapping`(kind: Place.Kind) throws {
    let place = try Place(kind)
    let file = try place.system.open(place.path("a"), .createNew(permissions: 0o644))
    let mapping = try file.map(byteCount: 1 << 40, writable: false)
    #expect(mapping.byteCount == 1 << 40)
    #expect(UInt(bitPattern: mapping.base) % (2 << 20) == 0)
    try file.write([1, 2, 3], at: 0)
    #expect(mapping.bytes(0..<4) == [1, 2, 3, 0])
    try file.write([9], at: 3 << 20)
    #expect(mapping.bytes(3 << 20..<3 << 20 + 1) == [9])
    file.close()
    #expect(mapping.bytes(1..<2) == [2], "a mapping outlives its file")
  }

  @Test(arguments: Place.Kind.allCases)
  func `shares what is written through a mapping`(kind: Place.Kind) throws {
    let place = try Place(kind)
    let file = try place.system.open(place.path("a"), .createNew(permissions: 0o644))
    try file.allocate(to: 8192)
    let mapping = try file.map(byteCount: 8192, writable: true)
    let other = try place.system.open(file.path, .readWrite).map(
      byteCount: 8192, writable: true)
    mapping.base.storeBytes(of: 77, toByteOffset: 5000, as: UInt8.self)
    #expect(other.bytes(5000..<5001) == [77])
    #expect(try file.bytes(at: 5000, count: 1) == [77])
    try file.write([78], at: 5001)
    #expect(mapping.bytes(5000..<5002) == [77, 78])
  }

  @Test(arguments: Place.Kind.allCases)
  func `lays private memory over a mapping`(kind: Place.Kind) throws {
    let place = try Place(kind)
    let file = try place.system.open(place.path("a"), .createNew(permissions: 0o644))
    try file.write([UInt8](repeating: 5, count: 12_288), at: 0)
    let mapping = try file.map(byteCount: 1 << 22, writable: false)
    let other = try file.map(byteCount: 1 << 22, writable: false)
    try mapping.overlayMemory(4096..<8192)
    try mapping.overlayMemory(1 << 21..<1 << 22)
    mapping.base.storeBytes(of: 6, toByteOffset: 5000, as: UInt8.self)
    mapping.base.storeBytes(of: 6, toByteOffset: 1 << 21 + 1, as: UInt8.self)
    #expect(mapping.bytes(4095..<4097) == [5, 0])
    #expect(mapping.bytes(5000..<5001) == [6])
    #expect(mapping.bytes(8191..<8193) == [0, 5])
    #expect(other.bytes(5000..<5001) == [5])
    #expect(try file.bytes(at: 5000, count: 1) == [5])
  }

  @Test(arguments: Place.Kind.allCases)
  func `allocates and truncates`(kind: Place.Kind) throws {
    let place = try Place(kind)
    let file = try place.system.open(place.path("a"), .createNew(permissions: 0o644))
    try file.write([1, 2, 3], at: 0)
    try file.allocate(to: 100_000)
    #expect(try file.byteCount() == 100_000)
    try file.allocate(to: 10)
    #expect(try file.byteCount() == 100_000)
    #expect(try file.bytes(at: 0, count: 5) == [1, 2, 3, 0, 0])
    try file.truncate(to: 2)
    #expect(try file.contents() == [1, 2])
    try file.truncate(to: 4)
    #expect(try file.contents() == [1, 2, 0, 0])
  }

  @Test(arguments: Place.Kind.allCases)
  func `answers calls on a closed file with an error`(kind: Place.Kind) throws {
    let place = try Place(kind)
    let file = try place.system.open(place.path("a"), .createNew(permissions: 0o644))
    file.close()
    file.close()
    let closed = StoreError.closed(path: file.path)
    #expect(throws: closed) { try file.byteCount() }
    #expect(throws: closed) { try file.bytes(at: 0, count: 1) }
    #expect(throws: closed) { try file.write([1], at: 0) }
    #expect(throws: closed) { try file.sync() }
    #expect(throws: closed) { try file.tryLock(LockByte(1), .shared) }
    #expect(throws: closed) { try file.map(byteCount: 4096, writable: false) }
  }

  @Test(arguments: Place.Kind.allCases)
  func `tells time and wakes who waits`(kind: Place.Kind) throws {
    let place = try Place(kind)
    let word = UnsafeMutablePointer<Atomic<UInt32>>.allocate(capacity: 1)
    defer { word.deallocate() }
    word.initialize(to: Atomic(1))
    let shared = SharedWord(word)
    let before = place.system.nanoseconds()
    place.system.wait(on: shared, while: 2, nanoseconds: 3_600_000_000_000)
    #expect(place.system.nanoseconds() - before < 3_600_000_000_000)
    place.system.wait(on: shared, while: 1, nanoseconds: 1_000_000)
    place.system.wake(shared)
    #expect(place.system.nanoseconds() > before)
    #expect(place.system.random() != place.system.random())
    #expect(place.system.isResponding(place.system.processID))
    #expect(!place.system.isResponding(0x3FFF_FFFF))
  }
}

/// What is true of the machine's own file system beyond that.
@Suite struct `The POSIX file system` {
  let place: Place
  let system: any FileSystem

  init() throws {
    place = try Place(.posix)
    system = place.system
  }

  @Test func `resolves links, also to nothing yet`() throws {
    let file = try system.open(place.path("file"), .createNew(permissions: 0o644))
    let folder = try system.resolve(place.folder)
    #expect(mkdir(place.path("sub"), 0o755) == 0)
    #expect(symlink("file", place.path("relative")) == 0)
    #expect(symlink(place.path("file"), place.path("absolute")) == 0)
    #expect(symlink("../new", place.path("sub/dangling")) == 0)
    #expect(symlink("sub/dangling", place.path("chain")) == 0)
    #expect(symlink("absent/new", place.path("nowhere")) == 0)
    #expect(symlink("loop2", place.path("loop1")) == 0)
    #expect(symlink("loop1", place.path("loop2")) == 0)
    #expect(symlink("sub", place.path("folder")) == 0)

    #expect(try system.resolve(file.path) == folder + "/file")
    #expect(try system.resolve(place.path("relative")) == folder + "/file")
    #expect(try system.resolve(place.path("absolute")) == folder + "/file")
    #expect(try system.resolve(place.path("folder/../sub/./x")) == folder + "/sub/x")
    #expect(try system.resolve(place.path("new")) == folder + "/new")
    #expect(try system.resolve(place.path("sub/dangling")) == folder + "/new")
    #expect(try system.resolve(place.path("chain")) == folder + "/new")
    for name in ["loop1", "nowhere", "absent/x", "x/"] {
      let path = place.path(name)
      let errno = name == "loop1" ? ELOOP : ENOENT
      #expect(throws: StoreError.system(.open, path: path, errno: errno)) {
        try system.resolve(path)
      }
    }
    // Creating through the dangling link creates its target.
    let created = try system.open(
      system.resolve(place.path("chain")), .createNew(permissions: 0o644))
    try created.write([1], at: 0)
    #expect(try system.open(place.path("new"), .readOnly).contents() == [1])
  }

  @Test func `refuses folders, cut-short paths, and names that are taken`() throws {
    #expect(throws: StoreError.system(.open, path: place.folder, errno: EISDIR)) {
      try system.open(place.folder, .readOnly)
    }
    #expect(throws: StoreError.system(.open, path: "a\0b", errno: EINVAL)) {
      try system.open("a\0b", .openOrCreate(permissions: 0o644))
    }
    #expect(throws: StoreError.self) { try system.syncDirectory(of: place.path("absent/x")) }
  }

  @Test func `gives descriptors back, and none twice`() async throws {
    // In a process of its own, where nobody else opens files.
    await #expect(processExitsWith: .success) {
      let place = try Place(.posix)
      let file = try place.system.open(place.path("a"), .createNew(permissions: 0o644))
      #expect(dex_open_count() == 1)
      var others: [any StoreFile] = []
      for _ in 0..<200 { others.append(try place.system.open(file.path, .readOnly)) }
      #expect(dex_open_count() == 201)
      others = []
      #expect(dex_open_count() == 1)
      file.close()
      file.close()
      #expect(dex_open_count() == 0)
    }
  }

  @Test func `closes a file in the middle of other threads' reads`() throws {
    let path = place.path("a")
    try system.open(path, .createNew(permissions: 0o644)).write([1, 2, 3], at: 0)
    for _ in 0..<50 {
      let file = try system.open(path, .readOnly)
      let threads = (0..<2).map { _ in
        TestThread {
          // Until the file is closed; what is read is never another file's.
          while let bytes = try? file.bytes(at: 0, count: 3) {
            if bytes != [1, 2, 3] { return false }
          }
          return true
        }
      }
      file.close()
      for thread in threads { #expect(thread.join()) }
    }
  }

  @Test func `takes no number of a standard stream`() async {
    await #expect(processExitsWith: .success) {
      let place = try Place(.posix)
      close(0)
      let file = try place.system.open(place.path("a"), .createNew(permissions: 0o644))
      try file.write([1], at: 0)
      // Others of the process may have taken the number meanwhile, the file has not.
      var standard = stat()
      if fstat(0, &standard) != 0 { return }
      var own = stat()
      #expect(stat(place.path("a"), &own) == 0)
      #expect((standard.st_dev, standard.st_ino) != (own.st_dev, own.st_ino))
    }
  }

  @Test func `belongs to the process that opened it`() async {
    await #expect(processExitsWith: .success) {
      let place = try Place(.posix)
      let path = place.path("a")
      let file = try place.system.open(path, .createNew(permissions: 0o644))
      try file.write([1], at: 0)
      #expect(try file.tryLock(LockByte(0), .exclusive))
      var ends: [Int32] = [0, 0]
      #expect(pipe(&ends) == 0)
      let child = dex_fork_for_tests()
      if child == 0 {
        var answer: UInt8 = 1
        do { _ = try file.byteCount() } catch {
          if error as? StoreError == .forked(path: path) { answer = 0 }
        }
        file.close()
        if dex_open_count() != 0 { answer = 2 }
        if (try? place.system.open(path, .readOnly).contents()) != [1] { answer = 3 }
        _ = Glibc.write(ends[1], &answer, 1)
        // Lives on, without keeping the lock.
        while true { pause() }
      }
      var answer: UInt8 = 9
      #expect(Glibc.read(ends[0], &answer, 1) == 1)
      #expect(answer == 0)
      let other = try place.system.open(path, .readWrite)
      #expect(try !other.tryLock(LockByte(0), .exclusive))
      file.close()
      #expect(try other.tryLock(LockByte(0), .exclusive))

      var status: Int32 = 0
      #expect(place.system.isResponding(child))
      _ = Glibc.kill(child, SIGSTOP)
      #expect(waitpid(child, &status, WUNTRACED) == child)
      #expect(!place.system.isResponding(child))
      _ = Glibc.kill(child, SIGKILL)
      var information = siginfo_t()
      #expect(waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) == 0)
      #expect(!place.system.isResponding(child), "a zombie does not respond")
      #expect(waitpid(child, &status, 0) == child)
      #expect(!place.system.isResponding(child))
    }
  }

  @Test func `meets the limit of file sizes with an error and no signal`() async {
    await #expect(processExitsWith: .success) {
      let place = try Place(.posix)
      var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
      #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let file = try place.system.open(place.path("a"), .createNew(permissions: 0o644))
      try file.write([UInt8](repeating: 1, count: 99_000), at: 0)
      #expect(throws: StoreError.system(.write, path: file.path, errno: EFBIG)) {
        try file.write([UInt8](repeating: 1, count: 2000), at: 99_000)
      }
      let before = try file.byteCount()
      #expect(throws: StoreError.system(.allocate, path: file.path, errno: EFBIG)) {
        try file.allocate(to: 200_000)
      }
      #expect(try file.byteCount() == before)
    }
  }

  @Test func `meets a full disk with an error, and is as long as before`() async {
    await #expect(processExitsWith: .success) {
      let place = try Place(.posix)
      // Needs the right to mount; without it there is nothing to see.
      guard dex_mount_memory_for_tests(place.folder, 256 << 10) == 0 else { return }
      let file = try place.system.open(place.path("a"), .createNew(permissions: 0o644))
      try file.write([1, 2, 3], at: 0)
      #expect(throws: StoreError.system(.allocate, path: file.path, errno: ENOSPC)) {
        try file.allocate(to: 1 << 20)
      }
      #expect(try file.byteCount() == 3)
      try file.allocate(to: 100 << 10)
      #expect(throws: StoreError.system(.write, path: file.path, errno: ENOSPC)) {
        try file.write([UInt8](repeating: 1, count: 1 << 20), at: 0)
      }
      try file.truncate(to: 3)
      try file.write([4], at: 3)
      #expect(try file.contents() == [1, 1, 1, 4])
    }
  }
}

/// A file system to try things on, and a folder in it.
final class Place: Sendable {
  enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case posix
    case memory
    case simulated

    var testDescription: String { rawValue }
  }

  let system: any FileSystem
  let folder: String
  private let isOnDisk: Bool

  init(_ kind: Kind) throws {
    isOnDisk = kind == .posix
    switch kind {
    case .posix:
      system = PosixFileSystem()
      var template = Array("/tmp/dex-tests-XXXXXX".utf8CString)
      guard let made = mkdtemp(&template) else {
        throw StoreError.system(.open, path: "/tmp", errno: errno)
      }
      folder = String(cString: made)
    case .memory:
      system = MemoryFileSystem()
      folder = ""
    case .simulated:
      system = SimulatedSystem(SimulatedDisk())
      folder = ""
    }
  }

  deinit { if isOnDisk { Self.removeFolder(folder) } }

  /// Removes a folder with all that is in it.
  private static func removeFolder(_ path: String) {
    if let listing = opendir(path) {
      while let entry = readdir(listing) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name == "." || name == ".." { continue }
        if entry.pointee.d_type == 4 { removeFolder(path + "/" + name) }
        unlink(path + "/" + name)
      }
      closedir(listing)
    }
    rmdir(path)
  }

  func path(_ name: String) -> String { folder + "/" + name }
}

/// A thread of the operating system, and what its body answers.
final class TestThread: Sendable {
  private let answer = Mutex<Bool?>(nil)
  private let number = Mutex<pthread_t>(0)
  private let body: @Sendable () -> Bool

  init(_ body: @escaping @Sendable () -> Bool) {
    self.body = body
    var number = pthread_t()
    let context = Unmanaged.passRetained(self).toOpaque()
    pthread_create(
      &number, nil,
      { context in
        if let context {
          let thread = Unmanaged<TestThread>.fromOpaque(context).takeRetainedValue()
          let answer = thread.body()
          thread.answer.withLock { $0 = answer }
        }
        return nil
      }, context)
    self.number.withLock { $0 = number }
  }

  func join() -> Bool {
    pthread_join(number.withLock { $0 }, nil)
    return answer.withLock { $0 } ?? false
  }
}
