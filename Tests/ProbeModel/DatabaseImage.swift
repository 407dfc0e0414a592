import CDexShim
import PageStore

/// The bytes of a database at rest, to be damaged in ways that its checksums do or do not show.
package struct DatabaseImage: Sendable {
  package var bytes: [UInt8]

  /// What a page holds.
  package enum Kind: Equatable, Sendable { case meta, map, branch, leaf, overflow, free }

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package func u16(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
  package func u32(_ offset: Int) -> Int { u16(offset) | u16(offset + 2) << 16 }

  package mutating func setU32(_ offset: Int, _ value: Int) {
    for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
  }

  package var pageByteCount: Int { u32(40) }
  package var pageCount: Int { bytes.count / pageByteCount }
  package func start(_ page: Int) -> Int { page * pageByteCount }

  package func checksum(_ range: Range<Int>) -> Int {
    let crc = bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return UInt32(0) }
      return dex_crc32c(0, start + range.lowerBound, range.count)
    }
    return crc == 0 ? 1 : Int(crc)
  }

  // MARK: Trees

  package func slots(_ page: Int) -> Int {
    start(page) + 32 + (Int(bytes[start(page) + 28]) + 7) / 8 * 8
  }
  package func level(_ page: Int) -> Int { Int(bytes[start(page) + 5]) }
  package func count(_ page: Int) -> Int { u16(start(page) + 6) }

  /// Where child `index` of branch `page` is named, and where its checksum stands.
  package func child(_ page: Int, _ index: Int) -> (number: Int, checksum: Int) {
    let capacity = u16(start(page) + 30)
    return (slots(page) + (capacity + index) * 4, slots(page) + (2 * capacity + index) * 4)
  }

  /// Where the value of slot `index` of leaf `page` stands; nil for its length where it is a run.
  package func value(_ page: Int, _ index: Int) -> (offset: Int, count: Int?) {
    let slot = slots(page) + 8 * index
    let cell = start(page) + u16(slot + 4)
    let count = u16(cell)
    return (cell + 2 + u16(slot + 6), count == 0xFFFF ? nil : count)
  }

  /// The pages of the tree under `root`, and of its runs.
  package func tree(_ root: Int) -> [(page: Int, kind: Kind)] {
    if level(root) > 0 {
      return [(root, .branch)] + (0..<count(root)).flatMap { tree(u32(child(root, $0).number)) }
    }
    var pages: [(page: Int, kind: Kind)] = [(root, .leaf)]
    for index in 0..<count(root) {
      let (offset, count) = value(root, index)
      if count != nil { continue }
      let length = (u32(offset + 4) + pageByteCount - 1) / pageByteCount
      pages += (0..<length).map { (u32(offset) + $0, .overflow) }
    }
    return pages
  }

  package var catalogRoot: Int { u32(48) }

  /// Where the records of the tables stand.
  package var records: [Int] {
    func records(_ page: Int) -> [Int] {
      if level(page) > 0 {
        return (0..<count(page)).flatMap { records(u32(child(page, $0).number)) }
      }
      return (0..<count(page)).map { value(page, $0).offset }
    }
    return catalogRoot == 0 ? [] : records(catalogRoot)
  }

  /// Every page of the state, with what it holds.
  package var livePages: [(page: Int, kind: Kind)] {
    var pages: [(page: Int, kind: Kind)] = [(0, .meta), (1, .meta)]
    pages += (0..<u32(88)).map { (u32(60) + $0, .map) }
    if catalogRoot != 0 { pages += tree(catalogRoot) }
    for record in records where u32(record + 4) != 0 { pages += tree(u32(record + 4)) }
    return pages
  }

  /// The bytes of `page` that mean something.
  package func range(of page: Int, _ kind: Kind) -> Range<Int> {
    switch kind {
    case .meta: return start(page)..<start(page) + 512
    case .map: return start(page)..<min(start(page + 1), start(u32(60)) + u32(64))
    default: return start(page)..<start(page + 1)
    }
  }

  // MARK: Sealing

  /// Makes every checksum fit again, from the leaves up to the meta pages.
  package mutating func seal() {
    if catalogRoot != 0 {
      for record in records where u32(record + 4) != 0 {
        setU32(record + 8, seal(u32(record + 4)))
      }
      setU32(52, seal(catalogRoot))
    }
    sealMetas()
  }

  private mutating func seal(_ page: Int) -> Int {
    if level(page) > 0 {
      for index in 0..<count(page) {
        let place = child(page, index)
        setU32(place.checksum, seal(u32(place.number)))
      }
    }
    return sealPage(page)
  }

  /// Makes the checksum of one page fit, and returns it.
  package mutating func sealPage(_ page: Int) -> Int {
    let sum = checksum(start(page) + 4..<start(page + 1))
    setU32(start(page), sum)
    return sum
  }

  /// Makes the checksums in the first meta page fit, and the second like it.
  package mutating func sealMetas() {
    setU32(68, checksum(start(u32(60))..<start(u32(60)) + u32(64)))
    setU32(0, checksum(4..<512))
    for index in 0..<512 { bytes[pageByteCount + index] = bytes[index] }
  }

  // MARK: The map

  /// Changes the map of space.
  package mutating func editMap(_ body: (inout SpaceMap) -> Void) throws(StoreError) {
    let place = start(u32(60))
    var map = try SpaceMap(
      untrusted: Array(bytes[place..<place + u32(64)]), path: "", page: PageID(UInt32(u32(60))),
      maximumPageCount: pageCount)
    body(&map)
    let encoded = map.encoded()
    bytes.replaceSubrange(place..<place + encoded.count, with: encoded)
    setU32(64, encoded.count)
    sealMetas()
  }
}
