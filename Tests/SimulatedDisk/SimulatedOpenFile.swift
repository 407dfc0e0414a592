import Glibc
import PageStore
import Synchronization

/// A file that a simulated process has open.
final class SimulatedOpenFile: StoreFile {
  let path: String
  private let system: SimulatedSystem
  private let process: Int
  private let handle: Int
  private let file: Int
  private let isClosed = Atomic<Bool>(false)

  init(system: SimulatedSystem, process: Int, path: String, handle: Int, file: Int) {
    self.path = path
    self.system = system
    self.process = process
    self.handle = handle
    self.file = file
  }

  deinit { close() }

  func close() {
    if isClosed.exchange(true, ordering: .relaxed) { return }
    let handle = handle
    system.disk.state.withLock { if !$0.hasCrashed { $0.close(handle) } }
  }

  /// Does a call on the file.
  private func perform<Value: Sendable>(
    _ call: SystemCall, offset: Int = 0, byteCount: Int = 0, writing: Bool = false,
    _ body: (inout DiskState, inout SimulatedFile, inout Int, Fault?) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    if isClosed.load(ordering: .relaxed) { throw .closed(path: path) }
    return try system.perform(call, path, offset: offset, byteCount: byteCount) {
      (state, fault) throws(StoreError) -> Value in
      guard let open = state.handles[handle] else { throw .closed(path: path) }
      if writing && !open.isWritable {
        throw .system(call, path: path, errno: call == .map ? EACCES : EBADF)
      }
      // Out of the state for the call, so that both can be changed.
      guard var opened = state.files.removeValue(forKey: file) else {
        preconditionFailure("open file \(file) is gone")
      }
      var room = state.room
      defer {
        state.files[file] = opened
        state.room = room
      }
      return try body(&state, &opened, &room, fault)
    }
  }

  // MARK: Size and state

  func byteCount() throws(StoreError) -> Int {
    try perform(.status) { (_, file, _, _) throws(StoreError) in file.byteCount }
  }

  func status() throws(StoreError) -> FileStatus {
    try perform(.status) { (state, file, _, _) throws(StoreError) in
      FileStatus(
        device: 1, inode: file.number, permissions: file.permissions,
        linkCount: state.linkCount(of: self.file))
    }
  }

  // MARK: Bytes

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(StoreError) -> Int {
    try perform(.read, offset: offset, byteCount: buffer.count) {
      (_, file, _, _) throws(StoreError) in
      let count = max(0, min(buffer.count, file.byteCount - offset))
      guard count > 0 else { return 0 }
      UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
        .copyMemory(from: file.bytes(offset..<offset + count))
      return count
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StoreError) {
    try perform(.write, offset: offset, byteCount: bytes.count, writing: true) {
      (_, file, room, fault) throws(StoreError) in
      switch fault {
      case .lostWrite:
        if offset + bytes.count > file.byteCount { file.setSize(offset + bytes.count) }
      case .partialWrite(let count, let errno):
        let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
        _ = file.write(part, at: offset, room: &room)
        throw .system(.write, path: path, errno: errno)
      case .misdirectedWrite(let distance):
        try write(bytes, at: max(0, offset + distance), of: &file, room: &room)
      default:
        try write(bytes, at: offset, of: &file, room: &room)
      }
    }
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, of file: inout SimulatedFile,
    room: inout Int
  ) throws(StoreError) {
    let count = file.write(bytes, at: offset, room: &room)
    guard count < bytes.count else { return }
    let isTooLong = offset + count >= file.maximumByteCount
    throw .system(.write, path: path, errno: isTooLong ? EFBIG : ENOSPC)
  }

  func sync() throws(StoreError) {
    try perform(.sync) { (_, file, _, fault) throws(StoreError) in
      if case .failedSync(let failure) = fault {
        file.failSync(failure)
        throw .system(.sync, path: path, errno: EIO)
      }
      file.sync()
    }
  }

  func truncate(to byteCount: Int) throws(StoreError) {
    try perform(.truncate, byteCount: byteCount, writing: true) {
      (_, file, room, _) throws(StoreError) in
      guard byteCount <= file.maximumByteCount else {
        throw .system(.truncate, path: path, errno: EFBIG)
      }
      file.truncate(to: byteCount, room: &room)
    }
  }

  func discard(_ range: Range<Int>) throws(StoreError) {
    try perform(.allocate, offset: range.lowerBound, byteCount: range.count, writing: true) {
      (_, file, room, _) throws(StoreError) in file.discard(range, room: &room)
    }
  }

  func allocate(to byteCount: Int) throws(StoreError) {
    try perform(.allocate, byteCount: byteCount, writing: true) {
      (_, file, room, _) throws(StoreError) in
      guard byteCount <= file.maximumByteCount else {
        throw .system(.allocate, path: path, errno: EFBIG)
      }
      guard file.allocate(to: byteCount, room: &room) else {
        throw .system(.allocate, path: path, errno: ENOSPC)
      }
    }
  }

  func map(byteCount: Int, writable: Bool) throws(StoreError) -> any FileMapping {
    try perform(.map, byteCount: byteCount, writing: writable) {
      (state, file, _, _) throws(StoreError) in
      let mapping = try SimulatedMapping(
        path: path, owner: file.owner, byteCount: byteCount, writable: writable)
      if writable {
        file.mapForWriting()
        state.writableMappings.append(
          WeakMapping(mapping: mapping, process: process, file: self.file))
      }
      return mapping
    }
  }

  // MARK: Locks

  func tryLock(_ byte: LockByte, _ kind: LockKind) throws(StoreError) -> Bool {
    try perform(.lock, offset: Int(byte.offset), writing: kind == .exclusive) {
      (state, _, _, _) throws(StoreError) in
      if isLocked(byte, against: kind, in: state) { return false }
      state.locks[file, default: [:]][byte.offset, default: [:]][handle] = kind
      return true
    }
  }

  func unlock(_ byte: LockByte) throws(StoreError) {
    try perform(.lock, offset: Int(byte.offset)) { (state, _, _, _) throws(StoreError) in
      state.locks[file]?[byte.offset]?[handle] = nil
    }
  }

  func isLockedElsewhere(
    _ byte: LockByte, against kind: LockKind
  ) throws(StoreError) -> Bool {
    try perform(.lock, offset: Int(byte.offset)) { (state, _, _, _) throws(StoreError) in
      isLocked(byte, against: kind, in: state)
    }
  }

  private func isLocked(_ byte: LockByte, against kind: LockKind, in state: DiskState) -> Bool {
    let holders = state.locks[file]?[byte.offset] ?? [:]
    return holders.contains { $0.key != handle && (kind == .exclusive || $0.value == .exclusive) }
  }
}
