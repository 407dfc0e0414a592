import Glibc

/// A log file as replay sees it: a window of bytes that moves over the file.
///
/// It reads ahead a mebibyte at a time. Where the device refuses, it reads around the bad place in
/// steps of 4096 bytes and puts zeros there, which check as no frame.
@safe final class LogWindow {
  private static let readByteCount = 1 << 20
  private static let sectorByteCount = 4096

  private let log: LogFile
  private var memory: UnsafeMutableRawBufferPointer
  /// The part of the file that is in `memory` now.
  private var range = 0..<0

  /// A window on `log`.
  init(_ log: LogFile) {
    self.log = log
    // Safe: deallocated in deinit, and replaced only in grow.
    unsafe memory = .allocate(byteCount: Self.readByteCount, alignment: 16)
  }

  deinit {
    // Safe: allocated by this object.
    unsafe memory.deallocate()
  }

  /// The `byteCount` bytes at `offset` of the file, valid until the next call.
  ///
  /// Reads ahead up to `end`. Bytes past the end of the file are zeros.
  func bytes(
    _ byteCount: Int, at offset: Int, readingUpTo end: Int
  ) throws(StoreError) -> UnsafeRawBufferPointer {
    precondition(offset + byteCount <= end, "\(byteCount) bytes at \(offset), up to \(end)")
    if offset < range.lowerBound || offset + byteCount > range.upperBound {
      try move(to: offset..<min(end, offset + max(byteCount, Self.readByteCount)))
    }
    let start = offset - range.lowerBound
    // Safe: the range asked for lies within the range in memory.
    return unsafe UnsafeRawBufferPointer(rebasing: memory[start..<(start + byteCount)])
  }

  /// As many bytes at `offset` as are at hand, `minimum` at least, valid until the next call.
  func bytes(
    atLeast minimum: Int, at offset: Int, readingUpTo end: Int
  ) throws(StoreError) -> UnsafeRawBufferPointer {
    // Safe: given on as they are.
    _ = try unsafe bytes(minimum, at: offset, readingUpTo: end)
    return try unsafe bytes(min(range.upperBound, end) - offset, at: offset, readingUpTo: end)
  }

  private func move(to newRange: Range<Int>) throws(StoreError) {
    range = 0..<0
    // Safe: memory is replaced before it is sliced, and nothing points into it between calls.
    if unsafe memory.count < newRange.count {
      unsafe memory.deallocate()
      unsafe memory = .allocate(byteCount: newRange.count, alignment: 16)
    }
    let target = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[..<newRange.count])
    do {
      let count = try unsafe log.read(into: target, at: newRange.lowerBound)
      unsafe zero(target, from: count)
    } catch .system(.read, _, EIO) {
      try unsafe readAround(into: target, at: newRange.lowerBound)
    }
    range = newRange
  }

  /// Reads sector by sector, and puts zeros for those that cannot be read.
  private func readAround(
    into target: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(StoreError) {
    var done = 0
    // Safe: each slice ends within the target.
    while done < target.count {
      let place = offset + done
      let sectorEnd = (place / Self.sectorByteCount + 1) * Self.sectorByteCount
      let end = min(target.count, done + sectorEnd - place)
      let sector = unsafe UnsafeMutableRawBufferPointer(rebasing: target[done..<end])
      do {
        let count = try unsafe log.read(into: sector, at: place)
        unsafe zero(sector, from: count)
      } catch .system(.read, _, EIO) {
        unsafe zero(sector, from: 0)
      }
      done = end
    }
  }

  private func zero(_ bytes: UnsafeMutableRawBufferPointer, from start: Int) {
    // Safe: the slice is checked.
    _ = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start...]).initializeMemory(
      as: UInt8.self, repeating: 0)
  }
}
