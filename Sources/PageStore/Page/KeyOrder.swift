/// How keys compare: byte by byte, unsigned, and a key before those that it begins.
///
/// Eight bytes are taken at a time. A *head* is the 32-bit big-endian integer of a key's first bytes
/// after a page's common prefix, padded with zeros: heads order as their keys do, up to ties.
extension ByteView {
  @inline(__always) private func word(_ offset: Int) -> UInt64 {
    // Safe: callers leave eight bytes after `offset`.
    unsafe UInt64(bigEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The head after the first `skip` bytes.
  @inline(__always) func head(after skip: Int) -> UInt32 {
    let rest = count &- skip
    if rest >= 4 {
      // Safe: four bytes are left after `skip`.
      return unsafe UInt32(
        bigEndian: start.loadUnaligned(fromByteOffset: skip, as: UInt32.self))
    }
    if rest <= 0 { return 0 }
    var head: UInt32 = 0
    var index = 0
    while index < rest {
      head |= UInt32(self[skip &+ index]) &<< UInt32(24 &- 8 &* index)
      index &+= 1
    }
    return head
  }

  /// Negative, zero or positive as the key sorts before, with or after `other`.
  @inline(__always) func compare(_ other: ByteView) -> Int {
    let common = count < other.count ? count : other.count
    var index = 0
    while index &+ 8 <= common {
      let mine = word(index)
      let theirs = other.word(index)
      if mine != theirs { return mine < theirs ? -1 : 1 }
      index &+= 8
    }
    while index < common {
      let mine = self[index]
      let theirs = other[index]
      if mine != theirs { return mine < theirs ? -1 : 1 }
      index &+= 1
    }
    return count &- other.count
  }

  /// True where the bytes are the same.
  @inline(__always) func equals(_ other: ByteView) -> Bool {
    count == other.count && hasSameStart(as: other, count)
  }

  /// True where the first `length` bytes are the same; both have as many.
  @inline(__always) func hasSameStart(as other: ByteView, _ length: Int) -> Bool {
    if length >= 8 {
      var index = 0
      while index &+ 8 <= length {
        if word(index) != other.word(index) { return false }
        index &+= 8
      }
      return word(length &- 8) == other.word(length &- 8)
    }
    var index = 0
    while index < length {
      if self[index] != other[index] { return false }
      index &+= 1
    }
    return true
  }

  /// True where the key begins with `prefix`.
  @inline(__always) func begins(with prefix: ByteView) -> Bool {
    count >= prefix.count && hasSameStart(as: prefix, prefix.count)
  }

  /// How many bytes both keys share at their start.
  func commonPrefixCount(with other: ByteView) -> Int {
    let limit = count < other.count ? count : other.count
    var index = 0
    while index &+ 8 <= limit {
      let difference = word(index) ^ other.word(index)
      if difference != 0 { return index &+ difference.leadingZeroBitCount &>> 3 }
      index &+= 8
    }
    while index < limit && self[index] == other[index] { index &+= 1 }
    return index
  }
}
