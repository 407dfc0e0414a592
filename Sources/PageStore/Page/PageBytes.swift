internal import CDexShim

/// The bytes of one page, to be read.
///
/// Offsets count from the page's start. Whoever reads through this view has established, once and
/// before, that the offsets lie within the page: see `LeafPage.validate` and `BranchPage.validate`.
@safe struct PageBytes {
  let start: UnsafeRawPointer

  // Safe: whoever makes a view keeps the bytes for as long.
  init(_ start: UnsafeRawPointer) { unsafe self.start = start }

  @inline(__always) func u8(_ offset: Int) -> Int {
    // Safe: the page was validated, and its offsets lie within it.
    unsafe Int(start.load(fromByteOffset: offset, as: UInt8.self))
  }

  @inline(__always) func u16(_ offset: Int) -> Int {
    // Safe: as above; pages are little-endian on every machine.
    unsafe Int(UInt16(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }

  @inline(__always) func u32(_ offset: Int) -> UInt32 {
    // Safe: as above.
    unsafe UInt32(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  @inline(__always) func u64(_ offset: Int) -> UInt64 {
    // Safe: as above.
    unsafe UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The `count` bytes from `offset` on.
  @inline(__always) func bytes(_ offset: Int, _ count: Int) -> ByteView {
    // Safe: as above.
    unsafe ByteView(start + offset, count)
  }

  /// Asks for the cache lines from `offset` on, before they are needed.
  @inline(__always) func prefetch(_ offset: Int, lineCount: Int) {
    var line = 0
    while line < lineCount {
      // Safe: a prefetch reads nothing.
      unsafe dex_prefetch(start + offset + line &* 64)
      line &+= 1
    }
  }
}

/// The bytes of one private page, to be changed.
@safe struct MutablePageBytes {
  let start: UnsafeMutableRawPointer

  // Safe: whoever makes a view keeps the bytes for as long.
  init(_ start: UnsafeMutableRawPointer) { unsafe self.start = start }

  // Safe: the same bytes, for as long.
  @inline(__always) var reading: PageBytes { unsafe PageBytes(UnsafeRawPointer(start)) }

  @inline(__always) func setU8(_ offset: Int, _ value: Int) {
    // Safe: offsets lie within the page, since the writer computed them from the page's size.
    unsafe start.storeBytes(
      of: UInt8(truncatingIfNeeded: value), toByteOffset: offset, as: UInt8.self)
  }

  @inline(__always) func setU16(_ offset: Int, _ value: Int) {
    // Safe: as above.
    unsafe start.storeBytes(
      of: UInt16(truncatingIfNeeded: value).littleEndian, toByteOffset: offset, as: UInt16.self)
  }

  @inline(__always) func setU32(_ offset: Int, _ value: UInt32) {
    // Safe: as above.
    unsafe start.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt32.self)
  }

  @inline(__always) func setU64(_ offset: Int, _ value: UInt64) {
    // Safe: as above.
    unsafe start.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt64.self)
  }

  /// Copies `bytes` to `offset`.
  @inline(__always) func copy(_ bytes: ByteView, to offset: Int) {
    // Safe: as above; the source never overlaps the place.
    unsafe (start + offset).copyMemory(from: bytes.start, byteCount: bytes.count)
  }

  /// Moves `count` bytes of the page, which may overlap their new place.
  @inline(__always) func move(from source: Int, to target: Int, count: Int) {
    // Safe: as above; `copyMemory` allows overlaps.
    unsafe (start + target).copyMemory(from: start + source, byteCount: count)
  }

  /// Sets `count` bytes from `offset` on to zero.
  @inline(__always) func clear(_ offset: Int, count: Int) {
    // Safe: as above.
    unsafe _ = (start + offset).initializeMemory(as: UInt8.self, repeating: 0, count: count)
  }
}

/// A run of bytes that lives elsewhere: a key, a value or a separator while it is being looked at.
@safe struct ByteView {
  let start: UnsafeRawPointer
  let count: Int

  @inline(__always) init(_ start: UnsafeRawPointer, _ count: Int) {
    // Safe: whoever makes a view keeps the bytes for as long.
    unsafe self.start = start
    self.count = count
  }

  /// The bytes of `buffer`, which must outlive the view.
  @inline(__always) init(_ buffer: UnsafeRawBufferPointer) {
    // Safe: an empty buffer may have no address, and then any address does.
    unsafe start = buffer.baseAddress ?? UnsafeRawPointer(bitPattern: 8).unsafelyUnwrapped
    count = buffer.count
  }

  /// The first `count` bytes.
  @inline(__always) func prefix(_ count: Int) -> ByteView {
    // Safe: callers pass no more than there are.
    unsafe ByteView(start, count)
  }

  /// The bytes from the `count`-th on.
  @inline(__always) func dropFirst(_ count: Int) -> ByteView {
    // Safe: callers pass no more than there are.
    unsafe ByteView(start + count, self.count &- count)
  }

  /// These bytes and `next`, where it lies right behind them.
  @inline(__always) func joined(with next: ByteView) -> ByteView? {
    // Safe: both views are alive, and there is nothing between them.
    unsafe start + count == next.start ? ByteView(start, count &+ next.count) : nil
  }

  @inline(__always) subscript(_ index: Int) -> UInt8 {
    // Safe: callers stay below `count`.
    unsafe start.load(fromByteOffset: index, as: UInt8.self)
  }

  /// A copy that owns its bytes.
  var array: [UInt8] {
    // Safe: the bytes are alive while the view is used.
    unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  /// The bytes as a buffer.
  @inline(__always) var buffer: UnsafeRawBufferPointer {
    // Safe: start and count belong together.
    unsafe UnsafeRawBufferPointer(start: start, count: count)
  }
}
