/// Keys of one length, side by side in memory in the order in which they are asked for.
///
/// The memory lives as long as the process.
struct Keys: Sendable {
  /// The bytes of one key.
  let byteCount: Int
  private nonisolated(unsafe) let start: UnsafeRawPointer
  let count: Int

  /// The address of the key at `place`.
  @inline(__always)
  subscript(place: Int) -> UnsafeRawPointer { start + place &* byteCount }

  /// The keys at `places`.
  subscript(places: Range<Int>) -> Keys {
    Keys(start: self[places.lowerBound], byteCount: byteCount, count: places.count)
  }

  /// The part of the keys that thread number `thread` of `threadCount` handles.
  func share(of thread: Int, in threadCount: Int) -> Keys {
    self[count * thread / threadCount..<count * (thread + 1) / threadCount]
  }

  /// The keys `%016d` of `numbers`.
  init(_ numbers: some Collection<Int>) {
    byteCount = 16
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(numbers.count, 1) * byteCount, alignment: 64)
    for (place, number) in numbers.enumerated() {
      var rest = number
      for digit in stride(from: byteCount - 1, through: 0, by: -1) {
        memory.storeBytes(
          of: UInt8(48 + rest % 10), toByteOffset: place * byteCount + digit, as: UInt8.self)
        rest /= 10
      }
    }
    start = UnsafeRawPointer(memory)
    count = numbers.count
  }

  init(start: UnsafeRawPointer, byteCount: Int, count: Int) {
    self.start = start
    self.byteCount = byteCount
    self.count = count
  }
}

/// Keys and values of one length each, in the order in which they are written.
///
/// The memory lives as long as the process.
struct Rows: Sendable {
  let keys: Keys
  let valueByteCount: Int
  private nonisolated(unsafe) let values: UnsafeRawPointer

  var count: Int { keys.count }

  /// The address of the value at `place`.
  @inline(__always)
  func value(_ place: Int) -> UnsafeRawPointer { values + place &* valueByteCount }

  /// The rows of `numbers`: the first half of a value is random by its number, and the second half
  /// repeats it, so that values compress 2:1.
  init(_ numbers: some Collection<Int>, valueByteCount: Int) {
    let half = valueByteCount / 2
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(numbers.count, 1) * valueByteCount, alignment: 64)
    for (place, number) in numbers.enumerated() {
      var random = SplitMix64(seed: UInt64(number))
      let value = memory + place * valueByteCount
      for offset in 0..<half {
        value.storeBytes(
          of: UInt8(truncatingIfNeeded: random.next() >> 32), toByteOffset: offset, as: UInt8.self)
      }
      for offset in half..<valueByteCount {
        value.storeBytes(
          of: value.load(fromByteOffset: offset - half, as: UInt8.self), toByteOffset: offset,
          as: UInt8.self)
      }
    }
    keys = Keys(numbers)
    values = UnsafeRawPointer(memory)
    self.valueByteCount = valueByteCount
  }

  /// Rows whose keys and values are random bytes.
  init(randomCount: Int, keyByteCount: Int, valueByteCount: Int, seed: UInt64) {
    func randomBytes(_ count: Int, seed: UInt64) -> UnsafeRawPointer {
      var random = SplitMix64(seed: seed)
      let memory = UnsafeMutableRawPointer.allocate(byteCount: count + 8, alignment: 64)
      for offset in stride(from: 0, to: count, by: 8) {
        memory.storeBytes(of: random.next(), toByteOffset: offset, as: UInt64.self)
      }
      return UnsafeRawPointer(memory)
    }
    keys = Keys(
      start: randomBytes(randomCount * keyByteCount, seed: seed), byteCount: keyByteCount,
      count: randomCount)
    values = randomBytes(randomCount * valueByteCount, seed: seed + 1)
    self.valueByteCount = valueByteCount
  }

  /// The rows at `places`.
  subscript(places: Range<Int>) -> Rows {
    Rows(
      keys: keys[places], values: value(places.lowerBound), valueByteCount: valueByteCount)
  }

  private init(keys: Keys, values: UnsafeRawPointer, valueByteCount: Int) {
    self.keys = keys
    self.values = values
    self.valueByteCount = valueByteCount
  }

  /// The rows at `places`, with the values of the rows `shift` places on.
  func updates(at places: Range<Int>, valuesFrom shift: Int) -> Rows {
    Rows(
      keys: keys[places], values: value((places.lowerBound + shift) % (count - places.count + 1)),
      valueByteCount: valueByteCount)
  }

  /// The keys, each with the value of the row as far from the end as it is from the beginning.
  func withValuesReversed() -> Rows {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(count, 1) * valueByteCount, alignment: 64)
    for place in 0..<count {
      (memory + place * valueByteCount).copyMemory(
        from: value(count - 1 - place), byteCount: valueByteCount)
    }
    return Rows(keys: keys, values: UnsafeRawPointer(memory), valueByteCount: valueByteCount)
  }

  /// The part of the rows that thread number `thread` of `threadCount` handles.
  func share(of thread: Int, in threadCount: Int) -> Rows {
    Rows(
      keys: keys.share(of: thread, in: threadCount), values: value(count * thread / threadCount),
      valueByteCount: valueByteCount)
  }
}

/// A small random generator; equal seeds give equal workloads.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
