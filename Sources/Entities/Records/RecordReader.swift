/// The fields of one record, to be read by their numbers.
///
/// Nothing is decoded before it is asked for. Asking in ascending order of the numbers is one pass
/// over the record; going back starts anew. Where something cannot be read, a zero or an empty value
/// is returned, and the database throws the whole value away afterwards.
@safe public struct RecordReader: ~Escapable {
  let layout: EntityLayout
  var bytes: ByteReader
  /// Where the bits stand that say which fields are there.
  private let presenceStart: Int
  private let presenceCount: Int
  private let valuesStart: Int
  /// The number of the field whose value comes next, if it is there.
  private var next = 1
  /// What is wrong with a field: not with the bytes, but with how it was asked for.
  private var refusal: (number: Int, damage: RecordDamage)?
  private var last = 0

  @_lifetime(copy bytes)
  init(untrusted bytes: RawSpan, layout: EntityLayout) {
    self.layout = layout
    var reader = ByteReader(untrusted: bytes)
    let version = reader.variable()
    if version > layout.version { reader.fail(.schemaVersion(version)) }
    let count = reader.length()
    presenceStart = reader.offset
    presenceCount = count
    reader.skip(count)
    valuesStart = reader.offset
    self.bytes = reader
  }

  /// What is wrong with the record, and in which field, as far as it was read.
  var damage: (number: Int, damage: RecordDamage)? {
    if let damage = bytes.damage { return (last, damage) }
    return refusal
  }

  // MARK: Walking

  /// True where the field has a value.
  @inline(__always) public func has(_ number: Int) -> Bool {
    let bit = number &- 1
    guard bit >= 0, bit >> 3 < presenceCount else { return false }
    return bytes.byte(at: presenceStart &+ (bit >> 3)) & (1 << UInt8(truncatingIfNeeded: bit & 7))
      != 0
  }

  /// Goes to the value of the field; false where there is none or it is of another kind.
  @inline(__always) @_lifetime(self: copy self)
  private mutating func seek(_ number: Int, _ wire: WireKind) -> Bool {
    guard number > 0, number < layout.wires.count, layout.wires[number] == wire else {
      refuse(number, .wrongKind)
      return false
    }
    return seek(number)
  }

  @inline(__always) @_lifetime(self: copy self)
  mutating func seek(_ number: Int) -> Bool {
    guard has(number) else { return false }
    last = number
    if number != next { walk(to: number) }
    next = number &+ 1
    return bytes.damage == nil
  }

  @_lifetime(self: copy self)
  private mutating func walk(to number: Int) {
    if number < next {
      bytes.move(to: valuesStart)
      next = 1
    }
    while next < number {
      if has(next) {
        guard next < layout.wires.count, let wire = layout.wires[next] else {
          bytes.fail(.unknownField(next))
          return
        }
        bytes.skip(wire)
      }
      next &+= 1
    }
  }

  @_lifetime(self: copy self)
  mutating func refuse(_ number: Int, _ damage: RecordDamage) {
    if refusal == nil { refusal = (number, damage) }
  }

  @_lifetime(self: copy self)
  private mutating func required<Value>(_ number: Int, _ value: Value?, else empty: Value) -> Value
  {
    guard let value else {
      refuse(number, .missing)
      return empty
    }
    return value
  }

  /// Looks whether the record ends where its last value does, and has no fields that nobody knows.
  @_lifetime(self: copy self)
  mutating func finish() {
    let last = presenceCount * 8
    for number in stride(from: layout.wires.count, through: last, by: 1) where has(number) {
      bytes.fail(.unknownField(number))
    }
    if bytes.damage == nil { walk(to: last + 1) }
    next = last + 1
    if bytes.damage == nil && bytes.remaining > 0 { bytes.fail(.trailingBytes(bytes.remaining)) }
  }

  // MARK: Values

  /// The flag, or nil where it is absent.
  @_lifetime(self: copy self)
  public mutating func flagIfPresent(_ number: Int) -> Bool? {
    guard seek(number, .flag) else { return nil }
    let byte = bytes.byte()
    if byte > 1 { bytes.fail(.invalidFlag(byte)) }
    return byte == 1
  }

  /// The flag.
  @_lifetime(self: copy self)
  public mutating func flag(_ number: Int) -> Bool {
    required(number, flagIfPresent(number), else: false)
  }

  /// The integer, the parts of a decimal, the milliseconds of a date; nil where it is absent.
  @inline(__always) @_lifetime(self: copy self)
  public mutating func integerIfPresent(_ number: Int) -> Int? {
    guard seek(number, .integer) else { return nil }
    return Int(bytes.zigzag())
  }

  /// The integer, the parts of a decimal, or the milliseconds of a date.
  @inline(__always) @_lifetime(self: copy self)
  public mutating func integer(_ number: Int) -> Int {
    required(number, integerIfPresent(number), else: 0)
  }

  /// The record that a reference leads to; nil where it is absent.
  @_lifetime(self: copy self)
  public mutating func referenceIfPresent(_ number: Int) -> EntityID? {
    integerIfPresent(number).map { EntityID(UInt64(bitPattern: Int64($0))) }
  }

  /// The record that a reference leads to.
  @_lifetime(self: copy self)
  public mutating func reference(_ number: Int) -> EntityID {
    required(number, referenceIfPresent(number), else: EntityID(0))
  }

  /// The real number; nil where it is absent.
  @_lifetime(self: copy self)
  public mutating func realIfPresent(_ number: Int) -> Double? {
    guard seek(number, .real) else { return nil }
    let value = bytes.real()
    if !value.isFinite { bytes.fail(.notFinite) }
    return value
  }

  /// The real number.
  @_lifetime(self: copy self)
  public mutating func real(_ number: Int) -> Double {
    required(number, realIfPresent(number), else: 0)
  }

  /// The text; nil where it is absent.
  @_lifetime(self: copy self)
  public mutating func textIfPresent(_ number: Int) -> String? {
    guard seek(number, .bytes) else { return nil }
    return bytes.text()
  }

  /// The text.
  @_lifetime(self: copy self)
  public mutating func text(_ number: Int) -> String {
    required(number, textIfPresent(number), else: "")
  }

  /// The bytes; nil where they are absent.
  @_lifetime(self: copy self)
  public mutating func bytesIfPresent(_ number: Int) -> [UInt8]? {
    guard seek(number, .bytes) else { return nil }
    return bytes.byteArray()
  }

  /// The bytes.
  @_lifetime(self: copy self)
  public mutating func bytes(_ number: Int) -> [UInt8] {
    required(number, bytesIfPresent(number), else: [])
  }

  /// The bytes where they lie, to be read without copying; empty where they are absent.
  @_lifetime(self: copy self) @_lifetime(copy self)
  public mutating func span(_ number: Int) -> RawSpan {
    guard seek(number, .bytes) else { return RawSpan() }
    return bytes.take(bytes.length())
  }
}
