/// Where the parts of a log file lie: a header, then two halves with fixed starts.
///
/// A half grows in place up to `halfCapacity`; what it does not use yet is a hole in the file, or
/// lies past its end. Stores use `standard`; tests that want many switches use smaller halves.
package struct LogGeometry: Equatable, Sendable {
  /// The length of the header, and the grain in which a log is read around a bad sector.
  package static let headerByteCount = 4096

  /// Halves that start at 1 MiB and may grow to 64 MiB.
  package static let standard = LogGeometry(initialHalf: 1 << 20, halfCapacity: 64 << 20)

  /// The length of a half at the log's creation.
  package let initialHalfByteCount: Int
  /// The length that no half outgrows.
  package let halfCapacity: Int

  /// Halves of `initialHalf` bytes that grow up to `halfCapacity`; both are multiples of 4096.
  package init(initialHalf: Int, halfCapacity: Int) {
    precondition(
      initialHalf > 0 && initialHalf % 4096 == 0 && halfCapacity % 4096 == 0
        && initialHalf <= halfCapacity && halfCapacity <= 64 << 20,
      "halves of \(initialHalf) to \(halfCapacity) bytes")
    initialHalfByteCount = initialHalf
    self.halfCapacity = halfCapacity
  }

  /// The offset in the file at which `half` starts.
  package func start(ofHalf half: Int) -> Int {
    precondition(half == 0 || half == 1, "half \(half)")
    return Self.headerByteCount + half * halfCapacity
  }

  /// The offset in the file of `position`.
  package func fileOffset(of position: LogPosition) -> Int {
    start(ofHalf: position.half) + position.offset
  }

  /// How much of `half` may hold frames in a file of `fileByteCount` bytes.
  package func extent(ofHalf half: Int, fileByteCount: Int) -> Int {
    max(0, min(halfCapacity, fileByteCount - start(ofHalf: half)))
  }

  /// The length that a recycled half of `byteCount` bytes should grow to.
  package func grown(_ byteCount: Int) -> Int { min(2 * byteCount, halfCapacity) }
}
