/// A place in the log where a frame starts, or the next one would.
///
/// Invariants:
/// 1. `half` is 0 or 1, and changes together with `epoch`.
/// 2. `epoch` is not 0, so that zeros never look like a frame.
/// 3. `offset` is a multiple of 8.
package struct LogPosition: Hashable, Sendable {
  /// Which half of the log.
  package let half: Int
  /// How many times a half has been started, this one included; counted from 1.
  package let epoch: UInt32
  /// Bytes from the half's start.
  package let offset: Int

  /// The first place of a new log.
  package static let start = LogPosition(half: 0, epoch: 1, offset: 0)

  /// The place at `offset` of `half`, in its `epoch`.
  package init(half: Int, epoch: UInt32, offset: Int) {
    precondition(half == 0 || half == 1, "half \(half)")
    precondition(epoch > 0, "epoch 0")
    precondition(offset >= 0 && offset % 8 == 0, "offset \(offset)")
    self.half = half
    self.epoch = epoch
    self.offset = offset
  }

  /// The place that three fields of a meta page name, or nil where they name none.
  package init?(untrustedHalf half: UInt8, epoch: UInt32, offset: UInt32) {
    guard half < 2, epoch > 0, offset % 8 == 0, offset <= LogGeometry.standard.halfCapacity else {
      return nil
    }
    self.init(half: Int(half), epoch: epoch, offset: Int(offset))
  }

  /// The place `byteCount` bytes further on.
  package func advanced(by byteCount: Int) -> LogPosition {
    LogPosition(half: half, epoch: epoch, offset: offset + byteCount)
  }

  /// Where the log goes on once this half is left, or nil where the epochs are used up.
  package var startOfNextHalf: LogPosition? {
    guard epoch < .max else { return nil }
    return LogPosition(half: 1 - half, epoch: epoch + 1, offset: 0)
  }
}

/// 64 random bits, drawn when a log is created, that seed the checksums of all its frames.
package struct LogSalt: Hashable, Sendable {
  /// The bits.
  package let rawValue: UInt64

  /// The salt made of these bits.
  package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}
