internal import CDexShim

// The border to the loops over containers, which are C: here lengths are checked, and addresses are
// taken for the time of a call.

extension Span where Element: FixedWidthInteger & BitwiseCopyable {
  /// The bytes of the numbers, which are little-endian on every machine that this runs on.
  var memory: RawSpan {
    @_lifetime(copy self) get {
      // Safe: integers have no padding.
      unsafe bytes
    }
  }
}

extension RawSpan {
  /// The byte at `offset`, which must lie within.
  @inline(__always) func byte(at offset: Int) -> UInt8 {
    precondition(offset >= 0 && offset < byteCount, "byte \(offset) of \(byteCount)")
    // Safe: just checked.
    return unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
  }

  /// The number of 16 bits at `index`, little-endian.
  @inline(__always) func uint16(at index: Int) -> UInt16 {
    precondition(index >= 0 && 2 * index + 2 <= byteCount, "number \(index) in \(byteCount) bytes")
    // Safe: just checked.
    return unsafe UInt16(
      littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: 2 * index, as: UInt16.self))
  }

  /// The bytes as an array of their own.
  var array: [UInt8] {
    // Safe: copied within the call.
    unsafe withUnsafeBytes { unsafe Array($0) }
  }

  /// Less than, equal to or greater than 0 as the bytes sort before, with or after the others.
  func compare(_ other: RawSpan) -> Int {
    let count = min(byteCount, other.byteCount)
    for offset in 0..<count {
      let (left, right) = (byte(at: offset), other.byte(at: offset))
      if left != right { return left < right ? -1 : 1 }
    }
    return byteCount - other.byteCount
  }

  /// True where the first bytes are `prefix`.
  func starts(with prefix: [UInt8]) -> Bool {
    if byteCount < prefix.count { return false }
    for offset in prefix.indices where byte(at: offset) != prefix[offset] { return false }
    return true
  }
}

extension Container {
  /// Lends the container as C sees it, for the time of `body`.
  @inline(__always) func withShape<Result>(_ body: (dex_container) -> Result) -> Result {
    let byteCount =
      switch kind {
      case .array: 2 * count
      case .bitmap: Container.bitmapByteCount
      case .runs: 4 * count
      }
    precondition(byteCount <= bytes.byteCount, "\(byteCount) of \(bytes.byteCount) bytes")
    let (count, kind) = (UInt32(count), self.kind.rawValue)
    // Safe: the bytes are as long as the container says, and the pointer stays within the call.
    return unsafe bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("a container of no bytes") }
      return unsafe body(dex_container(bytes: start, count: count, kind: kind))
    }
  }

  /// True where the numbers ascend and are below 8192.
  var isSound: Bool {
    // Safe: `withShape` has checked the length.
    unsafe withShape { unsafe dex_container_is_sound($0) }
  }

  /// How many rows the container has, counted.
  var codedRowCount: Int {
    // Safe: as above.
    unsafe withShape { unsafe Int(dex_container_count($0)) }
  }

  /// Sets the container's bits in a bitmap.
  func add(to words: inout [UInt64]) {
    precondition(words.count == Container.bitmapWordCount, "a bitmap of \(words.count) words")
    // Safe: 128 words are there.
    unsafe withShape { shape in
      unsafe words.withUnsafeMutableBufferPointer { words in
        guard let start = words.baseAddress else { return }
        unsafe dex_container_add(shape, start)
      }
    }
  }

  /// Puts what `operation` makes of two containers into `words` from `start` on.
  ///
  /// - Returns: Whether that is an array or a bitmap, and how many rows it has.
  @inline(__always) static func combine(
    _ left: Container, _ operation: SetOperation, _ right: Container,
    into words: inout [UInt64], at start: Int
  ) -> (kind: Kind, rowCount: Int) {
    precondition(
      start >= 0 && start + Container.bitmapWordCount <= words.count,
      "word \(start) of \(words.count)")
    var kind: UInt8 = 0
    // Safe: there is room for a bitmap, as was just checked.
    let rowCount = unsafe left.withShape { left in
      unsafe right.withShape { right in
        unsafe words.withUnsafeMutableBufferPointer { words in
          unsafe dex_container_combine(
            operation.code, left, right, words.baseAddress.map { unsafe $0 + start }, &kind)
        }
      }
    }
    return (Kind(rawValue: kind) ?? .bitmap, Int(rowCount))
  }

  /// Takes the container as a slice of numbers: one step of comparing them with two bounds.
  ///
  /// - Parameters:
  ///   - lowerBit: The slice's bit of the lower bound.
  ///   - upperBit: The slice's bit of the upper bound.
  ///   - atLeast: The rows whose lower bits are at least those of the lower bound.
  ///   - atMost: The rows whose lower bits are at most those of the upper bound.
  func compareSlice(
    lowerBit: Bool, upperBit: Bool, atLeast: inout [UInt64], atMost: inout [UInt64]
  ) {
    precondition(
      atLeast.count == Container.bitmapWordCount && atMost.count == Container.bitmapWordCount,
      "bitmaps of \(atLeast.count) and \(atMost.count) words")
    // Safe: both bitmaps have 128 words.
    unsafe withShape { shape in
      unsafe atLeast.withUnsafeMutableBufferPointer { atLeast in
        unsafe atMost.withUnsafeMutableBufferPointer { atMost in
          guard let lower = atLeast.baseAddress, let upper = atMost.baseAddress else { return }
          unsafe dex_container_compare_slice(shape, lowerBit, upperBit, lower, upper)
        }
      }
    }
  }

  /// How many rows `operation` leaves of two containers.
  static func countOf(
    _ left: Container, _ operation: SetOperation, _ right: Container
  ) -> Int {
    var kind: UInt8 = 0
    // Safe: without an output nothing is written but the kind.
    let rowCount = unsafe left.withShape { left in
      unsafe right.withShape { right in
        unsafe dex_container_combine(operation.code, left, right, nil, &kind)
      }
    }
    return Int(rowCount)
  }
}

extension SetOperation {
  fileprivate var code: Int32 {
    switch self {
    case .intersection: Int32(DEX_AND)
    case .union: Int32(DEX_OR)
    case .subtraction: Int32(DEX_AND_NOT)
    }
  }
}

extension [UInt8] {
  /// Appends the bytes of `span`.
  mutating func append(copying span: RawSpan) {
    // Safe: copied within the call.
    unsafe span.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}

extension [UInt64] {
  /// The numbers of the bits that are set, where the words are a bitmap.
  var bitmapNumbers: [UInt16] {
    precondition(count == Container.bitmapWordCount, "a bitmap of \(count) words")
    // Safe: a bitmap has no more numbers than there is room for.
    return unsafe [UInt16](unsafeUninitializedCapacity: Container.rowCount) { numbers, count in
      guard let numbers = numbers.baseAddress else { return }
      unsafe withUnsafeBytes { words in
        guard let words = words.baseAddress else { return }
        count = unsafe Int(dex_bitmap_extract(words, numbers))
      }
    }
  }

  /// How many runs of set bits a bitmap has.
  var bitmapRunCount: Int {
    precondition(count == Container.bitmapWordCount, "a bitmap of \(count) words")
    // Safe: 128 words are there, and nothing is written.
    return unsafe withUnsafeBufferPointer { words in
      guard let words = words.baseAddress else { return 0 }
      return unsafe Int(dex_bitmap_runs(words, nil))
    }
  }

  /// The runs of a bitmap of at most 256 of them: first numbers and how many follow each.
  var bitmapRuns: [UInt16] {
    let runCount = bitmapRunCount
    precondition(runCount <= Container.arrayLimit / 2, "\(runCount) runs")
    var runs = [UInt16](repeating: 0, count: 2 * runCount)
    // Safe: there is room for all runs.
    unsafe withUnsafeBufferPointer { words in
      unsafe runs.withUnsafeMutableBufferPointer { runs in
        guard let words = words.baseAddress, let runs = runs.baseAddress else { return }
        _ = unsafe dex_bitmap_runs(words, runs)
      }
    }
    return runs
  }

  /// How many bits are set among the 128 words.
  var bitmapRowCount: Int { Container(.bitmap, count: 0, bytes: span.memory).codedRowCount }
}
