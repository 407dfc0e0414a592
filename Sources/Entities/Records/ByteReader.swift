/// Walks over bytes that nobody has checked yet.
///
/// Reading beyond the end gives zeros and sets `damage`, which stays: whoever reads looks at it once,
/// at the end.
@safe struct ByteReader: ~Escapable {
  private let bytes: RawSpan
  private(set) var offset = 0
  private(set) var damage: RecordDamage?

  @_lifetime(copy bytes)
  init(untrusted bytes: RawSpan) { self.bytes = bytes }

  var count: Int { bytes.byteCount }
  var remaining: Int { bytes.byteCount &- offset }

  @_lifetime(self: copy self)
  mutating func fail(_ damage: RecordDamage) {
    if self.damage == nil { self.damage = damage }
    offset = bytes.byteCount
  }

  /// Moves to `offset`, which must be one that this reader has been at.
  @_lifetime(self: copy self)
  mutating func move(to offset: Int) { self.offset = min(offset, bytes.byteCount) }

  /// The byte at `place`, or 0 beyond the end.
  @inline(__always) func byte(at place: Int) -> UInt8 {
    guard place >= 0, place < bytes.byteCount else { return 0 }
    // Safe: the place was just checked.
    return unsafe bytes.unsafeLoad(fromUncheckedByteOffset: place, as: UInt8.self)
  }

  @inline(__always) @_lifetime(self: copy self)
  mutating func byte() -> UInt8 {
    guard offset < bytes.byteCount else {
      fail(.truncated)
      return 0
    }
    defer { offset &+= 1 }
    // Safe: the offset was just checked.
    return unsafe bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
  }

  /// An integer of seven bits a byte, the lowest first.
  @inline(__always) @_lifetime(self: copy self)
  mutating func variable() -> UInt64 {
    let first = byte()
    if first < 0x80 { return UInt64(first) }
    return longVariable(UInt64(first & 0x7F))
  }

  @inline(never) @_lifetime(self: copy self)
  private mutating func longVariable(_ low: UInt64) -> UInt64 {
    var value = low
    var shift: UInt64 = 7
    while offset < bytes.byteCount {
      // Safe: the offset was just checked.
      let next = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
      offset &+= 1
      if shift == 63 && next > 1 {
        fail(.oversizedInteger)
        return 0
      }
      value |= UInt64(next & 0x7F) &<< shift
      if next < 0x80 { return value }
      shift &+= 7
    }
    fail(.truncated)
    return 0
  }

  @inline(__always) @_lifetime(self: copy self)
  mutating func zigzag() -> Int64 {
    let value = variable()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// A length or a count of things of at least one byte each, which so fit in what is left.
  @inline(__always) @_lifetime(self: copy self)
  mutating func length() -> Int {
    let value = variable()
    if value > UInt64(remaining) {
      fail(.truncated)
      return 0
    }
    return Int(value)
  }

  @_lifetime(self: copy self)
  mutating func real() -> Double {
    guard remaining >= 8 else {
      fail(.truncated)
      return 0
    }
    defer { offset &+= 8 }
    // Safe: the length was just checked.
    let bits = unsafe bytes.unsafeLoadUnaligned(
      fromUncheckedByteOffset: offset, as: UInt64.self)
    return Double(bitPattern: UInt64(littleEndian: bits))
  }

  /// Steps over `byteCount` bytes.
  @inline(__always) @_lifetime(self: copy self)
  mutating func skip(_ byteCount: Int) {
    if byteCount > remaining { fail(.truncated) } else { offset &+= byteCount }
  }

  /// The next `byteCount` bytes.
  @_lifetime(self: copy self) @_lifetime(copy self)
  mutating func take(_ byteCount: Int) -> RawSpan {
    if byteCount > remaining {
      fail(.truncated)
      return RawSpan()
    }
    defer { offset &+= byteCount }
    return bytes.extracting(offset..<(offset &+ byteCount))
  }

  /// A text of `byteCount` bytes of UTF-8.
  @_lifetime(self: copy self)
  mutating func text(_ byteCount: Int) -> String {
    let span = Span<UInt8>(_bytes: take(byteCount))
    // Safe: the buffer does not leave the call. One pass checks and copies, unlike with a UTF8Span.
    let text = unsafe span.withUnsafeBufferPointer { buffer in
      unsafe String(validating: buffer, as: UTF8.self)
    }
    if let text { return text }
    fail(.invalidText)
    return ""
  }

  /// A length and a text of it.
  @_lifetime(self: copy self)
  mutating func text() -> String { text(length()) }

  /// A length and bytes of it.
  @_lifetime(self: copy self)
  mutating func byteArray() -> [UInt8] {
    let span = Span<UInt8>(_bytes: take(length()))
    return [UInt8](capacity: span.count) { output in
      for index in span.indices { output.append(span[index]) }
    }
  }

  /// Steps over a value.
  @_lifetime(self: copy self)
  mutating func skip(_ wire: WireKind) {
    switch wire {
    case .flag: skip(1)
    case .integer: _ = variable()
    case .real: skip(8)
    case .bytes: skip(length())
    case .ordinals:
      for _ in 0..<length() { _ = variable() }
    case .texts:
      for _ in 0..<length() { skip(length()) }
    case .translations:
      for _ in 0..<length() {
        skip(length())
        skip(length())
      }
    }
  }
}

extension [UInt8] {
  /// The bytes where they lie.
  var rawSpan: RawSpan {
    // Safe: a byte has no padding.
    @_lifetime(borrow self) get { unsafe span.bytes }
  }
}

extension InlineArray where Element == UInt8 {
  /// The bytes where they lie.
  var rawSpan: RawSpan {
    // Safe: a byte has no padding.
    @_lifetime(borrow self) get { unsafe span.bytes }
  }
}
