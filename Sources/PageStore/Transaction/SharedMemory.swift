import Synchronization

/// The mapped lock file as words that processes load and store atomically.
///
/// Invariant: every offset below `readableByteCount` lies in the file, with its blocks written, so
/// touching it cannot fault. Nothing in the words is believed here; only their places are.
final class SharedMemory: Sendable {
  /// Where things stand in the file, in bytes.
  ///
  /// All words are of 64 bits unless said otherwise.
  enum Layout {
    static let magic = 0
    static let version = 8
    static let identity = 16  // 2 words
    static let instance = 32
    static let rowCount = 40  // rows that were ever used
    static let rowCapacity = 48  // rows whose bytes were written
    static let published = 64  // the sequence of the published cell; its low bit chooses the cell
    static let cells = 128  // 2, each of `cellByteCount`
    static let holderRow = 384  // row + 1 of the holder of the right to write; 0: nobody
    static let holderProcess = 392
    static let tip = 408
    static let isRightWanted = 416  // 1 while somebody waits for the right to write
    static let wanted = 448  // UInt32, as are the next three
    static let handedOver = 512
    static let publishedBell = 576
    static let publishedWaiters = 640
    static let headerByteCount = 4096

    static let cellByteCount = 96
    static let rowByteCount = 1024
    static let rowHeaderByteCount = 64
    static let rowProcess = 0
    static let rowGeneration = 8
    static let rowOpened = 16
    static let rowFlags = 24
    static let slotByteCount = 16  // transaction + 1, or 0; nanoseconds when pinned
    static let slotsPerRow = 60
    static let maximumRowCount = 4096
    static let rowsPerGrowth = 16
    static let reservedByteCount = 8 << 20

    /// "dexlock" and a zero, as a little-endian number.
    static let magicValue: UInt64 = 0x006B_636F_6C78_6564
    static let currentVersion: UInt64 = 1

    static func cell(_ sequence: UInt64) -> Int { cells + Int(sequence & 1) * 128 }
    static func row(_ row: Int) -> Int { headerByteCount + row * rowByteCount }
    static func slot(_ slot: Int, ofRow row: Int) -> Int {
      self.row(row) + rowHeaderByteCount + slot * slotByteCount
    }
  }

  private let mapping: any FileMapping
  private let address: UInt

  /// The words of `mapping`, which covers all that the lock file may ever hold.
  init(_ mapping: any FileMapping) {
    precondition(mapping.byteCount >= Layout.reservedByteCount, "\(mapping.byteCount) bytes")
    self.mapping = mapping
    // Safe: the number is only turned back while `mapping` is held.
    address = UInt(bitPattern: unsafe mapping.base)
  }

  /// The word at `offset`, in order with every other access.
  func load(_ offset: Int) -> UInt64 {
    // Safe: `word` checks the offset, and the mapping lives as long as this object.
    unsafe word(offset).pointee.load(ordering: .sequentiallyConsistent)
  }

  /// Sets the word at `offset`, after all that this thread did before.
  func store(_ value: UInt64, at offset: Int) {
    // Safe: as in `load`.
    unsafe word(offset).pointee.store(value, ordering: .releasing)
  }

  /// Sets the word at `offset`, in order with every other access.
  func storeInOrder(_ value: UInt64, at offset: Int) {
    // Safe: as in `load`.
    unsafe word(offset).pointee.store(value, ordering: .sequentiallyConsistent)
  }

  /// Sets the word at `offset` to `value` if it is `expected`; true where it was.
  func exchange(_ expected: UInt64, for value: UInt64, at offset: Int) -> Bool {
    // Safe: as in `load`.
    unsafe word(offset).pointee.compareExchange(
      expected: expected, desired: value, ordering: .sequentiallyConsistent
    ).exchanged
  }

  /// Raises the word at `offset` to `value` unless it is higher.
  func raise(_ offset: Int, to value: UInt64) {
    // Safe: as in `load`.
    _ = unsafe word(offset).pointee.max(value, ordering: .sequentiallyConsistent)
  }

  /// The 32-bit word at `offset`, for processes to sleep on.
  func sharedWord(_ offset: Int) -> SharedWord {
    precondition(offset % 4 == 0 && offset + 4 <= Layout.headerByteCount, "offset \(offset)")
    // Safe: aligned, and inside the header, which was written before the file was mapped.
    guard
      let pointer = unsafe UnsafeMutablePointer<Atomic<UInt32>>(
        bitPattern: address + UInt(offset))
    else { preconditionFailure("a mapping has an address") }
    return unsafe SharedWord(pointer)
  }

  private func word(_ offset: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
    precondition(offset % 8 == 0 && offset >= 0, "offset \(offset)")
    precondition(offset <= Layout.reservedByteCount - 8, "offset \(offset)")
    // Safe: aligned, and inside the mapping; an atomic word is laid out as the word itself.
    guard
      let pointer = unsafe UnsafeMutablePointer<Atomic<UInt64>>(
        bitPattern: address + UInt(offset))
    else { preconditionFailure("a mapping has an address") }
    return unsafe pointer
  }
}

extension SharedWord {
  /// The word's value, in order with every other access.
  var value: UInt32 {
    // Safe: whoever made the word keeps it mapped.
    unsafe pointer.pointee.load(ordering: .sequentiallyConsistent)
  }

  /// Adds `difference` to the word, around its end.
  func add(_ difference: UInt32) {
    // Safe: as in `value`.
    _ = unsafe pointer.pointee.wrappingAdd(difference, ordering: .sequentiallyConsistent)
  }
}
