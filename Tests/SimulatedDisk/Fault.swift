import PageStore

/// A call to the simulated system.
package struct Operation: Sendable {
  /// Its number among all calls to this disk.
  package let index: Int
  /// The simulated process that calls.
  package let processID: Int32
  package let call: SystemCall
  package let path: String
  package let offset: Int
  package let byteCount: Int
  /// How a file is being opened.
  package let mode: OpenMode?

  /// True where the call can change what is on the medium, or what would be after a crash.
  package var changesDisk: Bool {
    switch call {
    case .write, .sync, .truncate, .allocate, .rename, .remove, .directorySync: true
    case .open: mode != .readOnly && mode != .readWrite
    default: false
    }
  }
}

/// What can go wrong with one call.
package enum Fault: Sendable {
  /// The call fails and changes nothing.
  case error(errno: Int32)
  /// A sync, of a file or of a folder, fails.
  case failedSync(SyncFailure)
  /// A write fails after its first `byteCount` bytes.
  case partialWrite(byteCount: Int, errno: Int32)
  /// A write is reported as done, but its bytes are nowhere.
  case lostWrite
  /// A write is reported as done, but lands this many bytes further on.
  case misdirectedWrite(by: Int)
}

/// A fault that waits for its call.
struct FaultRule: Sendable {
  let fault: Fault
  let matches: @Sendable (Operation) -> Bool
  /// How many more calls it meets.
  var remainingCount: Int
}
