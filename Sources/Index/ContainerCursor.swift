internal import PageStore

/// A place among the containers of one list, moving forward.
struct ContainerCursor: ~Copyable, ~Escapable {
  private var cursor: Cursor
  private let list: PostingList
  /// The list's prefix, then a number: the key that a seek looks for.
  private var seekKey: [UInt8]
  private let prefixByteCount: Int
  /// The number of the container that the cursor is on.
  private(set) var number: UInt64 = 0
  /// How many cells the cursor has been on.
  private(set) var cellCount = 0

  /// How many containers further on a seek is faster than a few steps.
  private static let stepLimit: UInt64 = 8

  /// A cursor before the first container whose number is at least `number`.
  @_lifetime(copy table)
  init(_ list: PostingList, in table: Table, from number: UInt64) {
    let prefix = list.containerPrefix
    self.list = list
    prefixByteCount = prefix.count
    seekKey = prefix + number.containerKeyBytes
    cursor = table.cursor(from: seekKey, to: prefix.endOfPrefix)
  }

  /// Moves to the next container; false where there is none.
  @_lifetime(self: copy self)
  mutating func next() throws(IndexError) -> Bool {
    let isThere: Bool
    do throws(StoreError) {
      isThere = try cursor.next()
    } catch {
      throw .store(error)
    }
    return try follow(isThere)
  }

  /// Moves forward to the first container whose number is at least `target`.
  @_lifetime(self: copy self)
  mutating func advance(to target: UInt64) throws(IndexError) -> Bool {
    if target <= number { return true }
    if target - number <= ContainerCursor.stepLimit {
      while try next() {
        if number >= target { return true }
      }
      return false
    }
    for place in 0..<PostingList.numberByteCount {
      let shift = UInt64(8 * (PostingList.numberByteCount - 1 - place))
      seekKey[prefixByteCount + place] = UInt8(truncatingIfNeeded: target >> shift)
    }
    let isThere: Bool
    do throws(StoreError) {
      isThere = try cursor.seek(seekKey)
    } catch {
      throw .store(error)
    }
    return try follow(isThere)
  }

  @_lifetime(self: copy self)
  private mutating func follow(_ isThere: Bool) throws(IndexError) -> Bool {
    if !isThere { return false }
    cellCount += 1
    let key = cursor.key
    guard key.byteCount == prefixByteCount + PostingList.numberByteCount else {
      throw list.corrupt(.form("key of a container"))
    }
    guard let number = key.containerNumber(at: prefixByteCount) else {
      throw list.corrupt(.form("number of a container"))
    }
    self.number = number
    return true
  }

  /// The container that the cursor is on, where it lies.
  var container: Container {
    @_lifetime(copy self) get throws(IndexError) {
      let value: RawSpan
      do throws(StoreError) {
        value = try cursor.value
      } catch {
        throw .store(error)
      }
      guard let container = Container(untrusted: value) else {
        throw list.corrupt(.container(number: number))
      }
      return container
    }
  }
}
