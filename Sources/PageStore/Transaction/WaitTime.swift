/// How long somebody waits for a turn: since when, and until when.
///
/// Both are points of the file system's clock, in nanoseconds. A wait has stations, such as a queue,
/// the gate and the right to write; they share it, so that an error tells the whole of it.
struct WaitTime: Sendable {
  let start: UInt64
  let deadline: UInt64

  static let unlimited = WaitTime(start: 0, deadline: .max)

  /// The milliseconds that have passed at `now`.
  func milliseconds(at now: UInt64) -> Int {
    now > start ? Int(clamping: (now - start) / 1_000_000) : 0
  }
}

extension StoreCore {
  /// A wait that begins now and lasts as long as a writer waits, or for `nanoseconds`.
  func waitTime(nanoseconds: UInt64? = nil) -> WaitTime {
    let now = fileSystem.nanoseconds()
    let limit = nanoseconds ?? options.busyTimeout.nanoseconds
    return WaitTime(
      start: now, deadline: now.addingReportingOverflow(limit).overflow ? .max : now + limit)
  }
}
