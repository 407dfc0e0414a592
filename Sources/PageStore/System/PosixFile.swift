import CDexShim
import Glibc
import Synchronization

/// A file behind a descriptor of the operating system.
///
/// Invariants:
/// 1. The descriptor is closed once, by whoever finds the file closed and no call under way.
/// 2. No call uses the descriptor's number after it was closed, in this process or in a forked
///    child, where the number may be another file's by then.
package final class PosixFile: StoreFile {
  package let path: String

  private let descriptor: Int32
  /// The fork generation in which the descriptor was opened.
  private let generation: UInt32
  /// How many names the file has, where its file system does not know.
  private let linkCount: LinkCount?
  /// How many calls are under way, with `closed` added once the file is closed.
  ///
  /// Acquiring and releasing, so that the call that closes comes after all others.
  private let calls = Atomic<Int>(0)
  private static let closed = 1 << 62

  /// Takes `descriptor`, from one of the shim's opening calls, as the file at `path`.
  init(path: String, descriptor: Int32, linkCount: LinkCount? = nil) {
    self.path = path
    self.descriptor = descriptor
    self.linkCount = linkCount
    generation = dex_fork_generation()
  }

  deinit { close() }

  package func close() {
    var before = calls.load(ordering: .relaxed)
    repeat {
      if before & Self.closed != 0 { return }
      let (exchanged, original) = calls.compareExchange(
        expected: before, desired: before | Self.closed, ordering: .acquiringAndReleasing)
      if exchanged { break }
      before = original
    } while true
    if before == 0 { closeDescriptor() }
  }

  private func closeDescriptor() {
    // The child of a fork has closed its copy already.
    if generation == dex_fork_generation() { _ = dex_close(descriptor) }
  }

  /// Calls `body` with the descriptor, which stays open for so long.
  ///
  /// - Throws: `.forked` in a child, `.closed`, or `.system(call, …)` where the answer is negative.
  private func perform<Number: BinaryInteger>(
    _ call: SystemCall, _ body: (Int32) -> Number
  ) throws(StoreError) -> Number {
    guard generation == dex_fork_generation() else { throw .forked(path: path) }
    var before = calls.load(ordering: .relaxed)
    repeat {
      guard before & Self.closed == 0 else { throw .closed(path: path) }
      let (exchanged, original) = calls.compareExchange(
        expected: before, desired: before + 1, ordering: .acquiringAndReleasing)
      if exchanged { break }
      before = original
    } while true
    let answer = body(descriptor)
    let (_, after) = calls.subtract(1, ordering: .acquiringAndReleasing)
    if after == Self.closed { closeDescriptor() }
    return try StoreError.checked(answer, call, path)
  }

  // MARK: Size and state

  package func byteCount() throws(StoreError) -> Int { Int(try rawStatus().byte_count) }

  package func status() throws(StoreError) -> FileStatus {
    let status = try rawStatus()
    return FileStatus(
      device: status.device, inode: status.inode, permissions: status.permissions,
      linkCount: linkCount?.current ?? Int(status.link_count))
  }

  private func rawStatus() throws(StoreError) -> dex_status {
    var status = dex_status()
    // Safe: the structure is the callee's for the call.
    _ = try perform(.status) { unsafe dex_stat($0, &status) }
    return status
  }

  // MARK: Bytes

  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(StoreError) -> Int {
    var done = 0
    while done < buffer.count {
      // Safe: `done` is below the count.
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      guard let base = rest.baseAddress else { break }
      // Safe: `rest` is the caller's buffer behind what is read already.
      let count = try perform(.read) {
        unsafe dex_pread($0, base, rest.count, Int64(offset + done))
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StoreError) {
    var done = 0
    while done < bytes.count {
      // Safe: `done` is below the count.
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
      guard let base = rest.baseAddress else { break }
      // Safe: `rest` is the caller's bytes behind what is written already.
      let count = try perform(.write) {
        unsafe dex_pwrite($0, base, rest.count, Int64(offset + done))
      }
      // A system that takes nothing and gives no reason has no room.
      guard count > 0 else { throw .system(.write, path: path, errno: ENOSPC) }
      done += count
    }
  }

  package func nextData(from offset: Int) throws(StoreError) -> Int? {
    do throws(StoreError) {
      return Int(try perform(.read) { dex_next_data($0, Int64(offset)) })
    } catch {
      switch error {
      case .system(.read, _, ENXIO): return nil
      // A file system that knows no holes.
      case .system(.read, _, EINVAL): return offset
      default: throw error
      }
    }
  }

  package func sync() throws(StoreError) { _ = try perform(.sync) { dex_fdatasync($0) } }

  package func startWriting(_ range: Range<Int>) {
    do throws(StoreError) {
      _ = try perform(.sync) { dex_start_writing($0, Int64(range.lowerBound), Int64(range.count)) }
    } catch {
      // It is only advice: the sync will meet the same error.
    }
  }

  package func truncate(to byteCount: Int) throws(StoreError) {
    _ = try perform(.truncate) { dex_ftruncate($0, Int64(byteCount)) }
  }

  package func allocate(to byteCount: Int) throws(StoreError) {
    _ = try perform(.allocate) { dex_allocate($0, Int64(byteCount)) }
  }

  package func discard(_ range: Range<Int>) throws(StoreError) {
    _ = try perform(.allocate) { dex_discard($0, Int64(range.lowerBound), Int64(range.count)) }
  }

  package func map(byteCount: Int, writable: Bool) throws(StoreError) -> any FileMapping {
    var base: UnsafeMutableRawPointer?
    // Safe: the callee sets `base` to a mapping of this length, or fails.
    _ = try perform(.map) { unsafe dex_map($0, byteCount, writable, &base) }
    // Safe: as above.
    guard let base = unsafe base else { throw .system(.map, path: path, errno: ENOMEM) }
    return unsafe PosixMapping(path: path, base: base, byteCount: byteCount)
  }

  // MARK: Locks

  package func tryLock(_ byte: LockByte, _ kind: LockKind) throws(StoreError) -> Bool {
    try perform(.lock) { dex_lock($0, kind.number, byte.offset) } == 0
  }

  package func unlock(_ byte: LockByte) throws(StoreError) {
    _ = try perform(.lock) { dex_lock($0, 0, byte.offset) }
  }

  package func isLockedElsewhere(
    _ byte: LockByte, against kind: LockKind
  ) throws(StoreError) -> Bool {
    try perform(.lock) { dex_lock_conflicts($0, kind.number, byte.offset) } == 1
  }

  /// Gives a file that has no name the name `path`.
  func giveName(_ path: String) throws(StoreError) {
    do throws(StoreError) {
      // Safe: the string lives through the call.
      _ = try perform(.rename) { unsafe dex_give_name($0, path) }
    } catch {
      guard case .system(let call, _, let errno) = error else { throw error }
      throw .system(call, path: path, errno: errno)
    }
  }

  // MARK: Opening again

  /// The descriptor of another open file on the same file, also where it has no name any more.
  ///
  /// Where /proc is not mounted it is the same open file, and so its locks do not conflict.
  func reopen(writable: Bool) throws(StoreError) -> Int32 {
    try perform(.open) { descriptor in
      let opened = dex_reopen(descriptor, writable)
      return opened == -ENOENT || opened == -ENOTDIR ? dex_duplicate(descriptor) : opened
    }
  }
}

/// How many names a file has that no directory of the system holds.
final class LinkCount: Sendable {
  private let count: Atomic<Int>

  /// A file with one name.
  init() { count = Atomic(1) }

  var current: Int { count.load(ordering: .relaxed) }

  /// Notes that the file's name is gone.
  func drop() { count.store(0, ordering: .relaxed) }
}

extension LockKind {
  /// The shim's number for this kind.
  fileprivate var number: Int32 {
    switch self {
    case .shared: 1
    case .exclusive: 2
    }
  }
}

extension StoreError {
  /// `answer`, unless it is a negated `errno`.
  static func checked<Number: BinaryInteger>(
    _ answer: Number, _ call: SystemCall, _ path: String
  ) throws(StoreError) -> Number {
    guard answer >= 0 else {
      throw .system(call, path: path, errno: Int32(truncatingIfNeeded: 0 - Int(answer)))
    }
    return answer
  }
}
