/// The end of the log, in memory: where the next frame goes, and the frames not written yet.
///
/// The two halves are used in turn. Before the log moves on into the other half, a checkpoint must
/// have covered every frame there. The tail does no input or output: its owner guards it by a
/// lock, takes the unwritten chunks and writes them without the lock.
///
/// Invariants:
/// 1. `position.offset` is at most the length of the current half.
/// 2. Chunks lie in the order in which they were appended, whole frames all of them.
package struct LogTail: Sendable {
  private let salt: LogSalt
  private let geometry: LogGeometry

  /// Where the next frame goes.
  package private(set) var position: LogPosition
  /// The lengths of the halves.
  private var halfByteCounts: [Int]
  /// True where no frame of the other half is needed any more.
  private var otherHalfIsFree: Bool
  /// Where the other half was left, if it was.
  private var endOfOtherHalf: LogPosition?
  private var unwritten: [LogChunk] = []

  /// The tail of a new log, both halves of `geometry`'s initial length.
  package init(salt: LogSalt, geometry: LogGeometry = .standard) {
    self.salt = salt
    self.geometry = geometry
    position = .start
    halfByteCounts = [geometry.initialHalfByteCount, geometry.initialHalfByteCount]
    otherHalfIsFree = true
  }

  /// The length of `half`.
  package func byteCount(ofHalf half: Int) -> Int { halfByteCounts[half] }

  /// The length of the half that the tail is in.
  package var currentHalfByteCount: Int { halfByteCounts[position.half] }

  /// What is left of the current half, for frames with their headers.
  package var remainingByteCount: Int { currentHalfByteCount - position.offset }

  /// Appends the frame of a transaction whose operations are `operations`.
  ///
  /// - Returns: False where the frame does not fit in the rest of the current half; nothing is
  ///   changed then.
  package mutating func append(
    transaction: TransactionNumber, durable: TransactionNumber, operations: UnsafeRawBufferPointer
  ) -> Bool {
    // Safe: the caller lends the operations for this call.
    unsafe append(.commit, transaction, durable, operations)
  }

  /// Appends the frame of a transaction whose operations are `operations`.
  ///
  /// - Returns: False where the frame does not fit in the rest of the current half; nothing is
  ///   changed then.
  package mutating func append(
    transaction: TransactionNumber, durable: TransactionNumber, operations: OperationBuffer
  ) -> Bool {
    // Safe: the bytes are lent for the call.
    unsafe operations.withBytes { bytes in
      unsafe append(.commit, transaction, durable, bytes)
    }
  }

  /// Appends a frame that says only how far the log is durable.
  ///
  /// - Returns: False where it does not fit; a mark is not worth a switch.
  package mutating func appendMark(
    newest transaction: TransactionNumber, durable: TransactionNumber
  ) -> Bool {
    // Safe: no bytes at all.
    unsafe append(.mark, transaction, durable, UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// Takes the mark at `place` back, which could not be written, so that the next frame goes there.
  ///
  /// - Returns: False where a frame has followed; nothing is changed then.
  package mutating func retractMark(at place: LogPosition) -> Bool {
    guard unwritten.isEmpty, position == place.advanced(by: LogFrame.byteCount(body: 0)) else {
      return false
    }
    position = place
    return true
  }

  private mutating func append(
    _ kind: LogFrame.Kind, _ transaction: TransactionNumber, _ durable: TransactionNumber,
    _ body: UnsafeRawBufferPointer
  ) -> Bool {
    // Safe: the caller lends the body.
    let byteCount = LogFrame.byteCount(body: body.count)
    guard byteCount <= remainingByteCount else { return false }
    let frame = unsafe LogFrame(
      kind, transaction: transaction, newestDurable: durable, body: body, at: position, salt: salt)
    let fileOffset = geometry.fileOffset(of: position)
    if unwritten.last?.end != fileOffset {
      unwritten.append(LogChunk(offset: fileOffset, bytes: []))
    }
    unsafe unwritten[unwritten.count - 1].append(frame, body: body, at: position, salt: salt)
    position = position.advanced(by: byteCount)
    return true
  }

  /// True where the log may move on into the other half.
  package var canSwitch: Bool { otherHalfIsFree && position.epoch < .max }

  /// Moves on to the start of the other half, in the next epoch.
  ///
  /// Traps where the other half is not covered.
  package mutating func switchHalf() {
    guard canSwitch, let next = position.startOfNextHalf else {
      preconditionFailure("the half after \(position) is not covered")
    }
    endOfOtherHalf = position
    position = next
    otherHalfIsFree = false
  }

  /// Takes the frames that nobody has written yet: as a rule one chunk, two across a switch.
  package mutating func takeUnwritten() -> [LogChunk] {
    defer { unwritten = [] }
    return unwritten
  }

  /// True where there are frames to write.
  package var hasUnwritten: Bool { !unwritten.isEmpty }

  /// Notes that a checkpoint is durable, mirror and all, from which replay begins at `position`.
  ///
  /// The other half becomes free where it lies entirely before that.
  package mutating func cover(upTo position: LogPosition) {
    if position.epoch == self.position.epoch || position == endOfOtherHalf {
      otherHalfIsFree = true
    }
  }

  /// The half that is free, and so may be grown, or nil where none is.
  package var freeHalf: Int? { otherHalfIsFree ? 1 - position.half : nil }

  /// Notes that the free half is `byteCount` bytes long now, all of them written.
  package mutating func freeHalfGrew(to byteCount: Int) {
    guard let half = freeHalf else { preconditionFailure("no half is free") }
    precondition(
      byteCount >= halfByteCounts[half] && byteCount <= geometry.halfCapacity,
      "a half of \(halfByteCounts[half]) bytes grew to \(byteCount)")
    halfByteCounts[half] = byteCount
  }
}

extension LogTail {
  /// Takes the free half to be as short as it was made, so that its other blocks can be given back.
  ///
  /// - Returns: The half, or nil where none is free or it is that short already.
  package mutating func shortenFreeHalf() -> Int? {
    guard let half = freeHalf, halfByteCounts[half] > geometry.initialHalfByteCount else {
      return nil
    }
    halfByteCounts[half] = geometry.initialHalfByteCount
    return half
  }
}

/// Bytes to be written to the log file at one place.
package struct LogChunk: Sendable {
  /// Where they go, in bytes from the file's start.
  package let offset: Int
  /// The frames.
  package private(set) var bytes: [UInt8]

  /// The chunk of `bytes` that goes to `offset`.
  package init(offset: Int, bytes: [UInt8]) {
    self.offset = offset
    self.bytes = bytes
  }

  /// The first offset after the chunk.
  package var end: Int { offset + bytes.count }

  fileprivate mutating func append(
    _ frame: LogFrame, body: UnsafeRawBufferPointer, at position: LogPosition, salt: LogSalt
  ) {
    if bytes.isEmpty { bytes.reserveCapacity(frame.byteCount) }
    // Safe: the body is lent for the call, the others are local; the padding is under 8 bytes.
    unsafe withUnsafeTemporaryAllocation(byteCount: LogFrame.headerByteCount, alignment: 8) {
      header in
      unsafe frame.store(into: header, at: position, salt: salt)
      unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(header))
    }
    unsafe bytes.append(contentsOf: body)
    let padding = frame.byteCount - LogFrame.headerByteCount - frame.bodyByteCount
    unsafe withUnsafeBytes(of: UInt64(0)) { zeros in
      unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: zeros[..<padding]))
    }
  }
}
