/// Looks for frames in a log, at one place or at all places where one could start.
///
/// Epochs and halves go together: from the start of replay on, each switch takes the other half and
/// the next epoch. So a header tells its own epoch, and its half tells whether that can be.
struct LogScanner {
  /// A frame whose header and body check.
  @safe struct Found {
    let frame: LogFrame
    let position: LogPosition
    /// Valid until the scanner looks again.
    let body: UnsafeRawBufferPointer
  }

  /// What all headers in both halves say together.
  struct Evidence {
    /// The newest transaction that a header calls durable.
    var newestDurable = TransactionNumber.zero
    /// The newest transaction that a header mentions.
    var newestTransaction = TransactionNumber.zero
    /// The newest epoch of a header.
    var newestEpoch: UInt32 = 0
  }

  private let log: LogFile
  private let window: LogWindow
  private let start: LogPosition
  private let fileByteCount: Int

  /// Scans `log` for frames that are not older than `start`.
  init(_ log: LogFile, from start: LogPosition) throws(StoreError) {
    self.log = log
    self.start = start
    fileByteCount = try log.byteCount()
    window = LogWindow(log)
  }

  /// The frame at `position`, or nil where header or body do not check.
  func frame(at position: LogPosition) throws(StoreError) -> Found? {
    guard let frame = try header(at: position) else { return nil }
    // Safe: the window does not move before the body was looked at.
    let body = try unsafe body(of: frame, at: position)
    // Safe: the window does not move before the caller looks again.
    guard unsafe frame.accepts(untrusted: body, at: position, salt: log.salt) else { return nil }
    return unsafe Found(frame: frame, position: position, body: body)
  }

  /// What the headers in both halves say, each looked at once, whatever the bodies are.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the log in bytes.
  func evidence() throws(StoreError) -> Evidence {
    var evidence = Evidence()
    for half in 0...1 {
      var offset = 0
      while let (frame, position) = try nextHeader(inHalf: half, from: offset, epoch: nil) {
        evidence.newestDurable = max(evidence.newestDurable, frame.newestDurable)
        evidence.newestTransaction = max(evidence.newestTransaction, frame.transaction)
        evidence.newestEpoch = max(evidence.newestEpoch, position.epoch)
        offset = position.offset + 8
      }
    }
    return evidence
  }

  /// The first whole commit at `place` or later whose number is at least `transaction`.
  ///
  /// Walks the rest of the half, then the other half in its next epoch, and last, where `place`
  /// is much older than the log, the two newest epochs.
  func firstCommit(
    from transaction: TransactionNumber, at place: LogPosition, newestEpoch: UInt32
  ) throws(StoreError) -> (position: LogPosition, transaction: TransactionNumber)? {
    var place: LogPosition? = place
    while let current = place {
      var offset = current.offset
      while let (frame, position) = try nextHeader(
        inHalf: current.half, from: offset, epoch: current.epoch)
      {
        if frame.kind == .commit, frame.transaction >= transaction,
          try self.frame(at: position) != nil
        {
          return (position, frame.transaction)
        }
        // The header is true, so its length is, and no other frame starts inside.
        offset = position.offset + frame.byteCount
      }
      place = startOfEpoch(after: current, newest: newestEpoch)
    }
    return nil
  }

  /// The start of the next epoch that may still be there, if there is one.
  private func startOfEpoch(after place: LogPosition, newest: UInt32) -> LogPosition? {
    guard place.epoch < newest else { return nil }
    let epoch = max(place.epoch + 1, newest - 1)
    let isSameHalf = (epoch - place.epoch) % 2 == 0
    return LogPosition(half: isSameHalf ? place.half : 1 - place.half, epoch: epoch, offset: 0)
  }

  /// The first header in `half` at or after `offset`: of any possible epoch, or of `epoch` only.
  private func nextHeader(
    inHalf half: Int, from offset: Int, epoch: UInt32?
  ) throws(StoreError) -> (LogFrame, LogPosition)? {
    let extent = extent(ofHalf: half)
    let start = log.geometry.start(ofHalf: half)
    var offset = offset
    while offset + LogFrame.headerByteCount <= extent {
      // Safe: the loop looks at whole headers within the bytes only.
      let bytes = try unsafe window.bytes(
        atLeast: LogFrame.headerByteCount, at: start + offset, readingUpTo: start + extent)
      let candidates = bytes.count - LogFrame.headerByteCount
      var next = 0
      while let shift = unsafe LogFrame.candidate(in: bytes, from: next) {
        next = shift + 8
        let found = unsafe LogFrame.Layout.epoch.load(from: bytes, at: shift)
        guard isPossible(found, inHalf: half), found == epoch ?? found else { continue }
        let position = LogPosition(half: half, epoch: found, offset: offset + shift)
        let header = unsafe UnsafeRawBufferPointer(rebasing: bytes[shift...])
        if let frame = unsafe LogFrame(
          untrusted: header, at: position, salt: log.salt, room: extent - position.offset)
        {
          return (frame, position)
        }
      }
      offset += candidates / 8 * 8 + 8
    }
    return nil
  }

  /// True where `half` may hold frames of `epoch` that replay has not passed already.
  private func isPossible(_ epoch: UInt32, inHalf half: Int) -> Bool {
    epoch >= start.epoch && ((epoch - start.epoch) % 2 == 0) == (half == start.half)
  }

  private func header(at position: LogPosition) throws(StoreError) -> LogFrame? {
    let room = extent(ofHalf: position.half) - position.offset
    guard room >= LogFrame.headerByteCount else { return nil }
    let offset = log.geometry.fileOffset(of: position)
    // Safe: the bytes are used before the window moves.
    let bytes = try unsafe window.bytes(
      LogFrame.headerByteCount, at: offset, readingUpTo: offset + room)
    return unsafe LogFrame(untrusted: bytes, at: position, salt: log.salt, room: room)
  }

  private func body(
    of frame: LogFrame, at position: LogPosition
  ) throws(StoreError) -> UnsafeRawBufferPointer {
    let room = extent(ofHalf: position.half) - position.offset
    let offset = log.geometry.fileOffset(of: position) + LogFrame.headerByteCount
    // Safe: the header promised no more than there is room for.
    return try unsafe window.bytes(
      frame.bodyByteCount, at: offset, readingUpTo: offset + room - LogFrame.headerByteCount)
  }

  private func extent(ofHalf half: Int) -> Int {
    log.geometry.extent(ofHalf: half, fileByteCount: fileByteCount)
  }
}
