/// Walks one whole tree and says everything that is wrong with it.
///
/// Reads each page of the file itself, whatever was verified before, and goes on after damage with
/// the page's siblings. Believes nothing: it neither traps nor goes deeper than a tree may be, and
/// a page that was reached before is not entered again where the caller says so.
///
/// Of each page it checks the checksum, its own and in the parent's pointer, the structure, level
/// and table, a birth that is not after the parent's, and keys within the range that the separators
/// above give it; of each value with a run of its own, the birth and the checksum.
struct TreeChecker {
  /// What a walk found.
  struct Report: Equatable, Sendable {
    /// The rows of all leaves that could be read.
    var rowCount = 0
    /// The pages at each level, leaves first, whether they could be read or not.
    var pageCounts: [Int] = []
    /// The pages of all overflow runs.
    var overflowPageCount = 0
    /// The first damages, at most `damageLimit`.
    var damages: [Damage] = []
    /// How many damages there were in all.
    var damageCount = 0
  }

  /// How many damages a report keeps.
  static let damageLimit = 1000

  private let reader: TreeReader
  private let table: UInt32
  private let name: String
  private let newest: TransactionNumber
  private var report = Report()
  /// The branches from the root down to the page that is being checked, the root first.
  private var path: [Frame] = []

  /// A branch whose children are being checked.
  private struct Frame {
    let page: PageBytes
    let level: Int
    let range: KeyRange
    var next = 0
  }

  /// A checker of the tree that `reader` reads.
  ///
  /// - Parameters:
  ///   - reader: the tree.
  ///   - table: the table's number, which every page must carry.
  ///   - name: the table's name, for the damages.
  ///   - newest: the transaction whose state this is; no page may be younger.
  init(_ reader: TreeReader, table: UInt32, name: String, newest: TransactionNumber) {
    self.reader = reader
    self.table = table
    self.name = name
    self.newest = newest
  }

  /// Walks the tree.
  ///
  /// - Parameter use: is given each page and each run that the tree uses, in no particular order;
  ///   false where it was used before, so that it is not entered. Of a page that cannot be read the
  ///   birth is a guess.
  /// - Returns: what was found.
  /// - Throws: what is no damage, as when the store has been closed.
  mutating func check(_ use: (PageRun) -> Bool) throws(StoreError) -> Report {
    report = Report()
    let root = reader.root
    if root.isEmpty { return report }
    if !(0..<StoreLimits.levelCount).contains(root.level) {
      note(.field("level", UInt64(truncatingIfNeeded: root.level)), root.page)
      return report
    }
    report.pageCounts = Array(repeating: 0, count: root.level + 1)
    // One page for each level. Pages of the path stay as they are while their children are read.
    let size = reader.map.pageByteCount
    let memory = UnsafeMutableRawPointer.allocate(byteCount: (root.level + 1) * size, alignment: 64)
    defer {
      path = []
      // Safe: the path, which held views into it, is gone.
      unsafe memory.deallocate()
    }
    // Safe: there is a page for every level up to the root's.
    let buffer = { (level: Int) in unsafe MutablePageBytes(memory + level * size) }
    try enter(
      root.page, root.checksum, level: root.level, range: KeyRange(), birth: newest,
      buffer: buffer(root.level), use)
    while let last = path.indices.last {
      let frame = path[last]
      let branch = BranchPage(frame.page)
      let index = frame.next
      if index == branch.count {
        path.removeLast()
        continue
      }
      path[last].next += 1
      try enter(
        branch.child(index), branch.checksum(index), level: frame.level - 1,
        range: frame.range.child(index, of: branch),
        birth: frame.page.birth, buffer: buffer(frame.level - 1), use)
    }
    return report
  }

  /// Checks a page, and puts it on the path where it is a branch with children to check.
  private mutating func enter(
    _ id: PageID, _ checksum: UInt32, level: Int, range: KeyRange, birth: TransactionNumber,
    buffer: MutablePageBytes, _ use: (PageRun) -> Bool
  ) throws(StoreError) {
    if !isInBounds(PageRun(first: id, birth: birth)) {
      note(.outOfBounds(id, pageCount: reader.pageCount), id)
      return
    }
    report.pageCounts[level] += 1
    let read = try page(id, checksum, into: buffer)
    let page = read.page
    if let problem = read.problem {
      note(problem, id)
    } else if page.level != level {
      note(.wrongKind(UInt8(page.kind), level: UInt8(page.level)), id)
    } else {
      if page.table != table { note(.field("table", UInt64(page.table)), id) }
      if page.birth > birth { note(.field("birth", page.birth.rawValue), id) }
      let isNew = use(PageRun(first: id, birth: page.birth))
      if !range.holds(page) { note(.range, id) }
      if !isNew { return }
      if level == 0 {
        try checkCells(of: LeafPage(page), id, use)
      } else {
        path.append(Frame(page: page, level: level, range: range))
      }
      return
    }
    _ = use(PageRun(first: id, birth: birth))
  }

  /// Reads a page, from private memory or the file, and checks what it says of itself.
  private func page(
    _ id: PageID, _ checksum: UInt32, into buffer: MutablePageBytes
  ) throws(StoreError) -> (page: PageBytes, problem: Damage.Problem?) {
    let map = reader.map
    // Each pointer is checked when it is followed, so that a wrong one harms no other.
    let limit = Int.max
    if reader.seesPrivatePages, let page = reader.view.privatePage(id) {
      let problem = page.structureProblem(
        asPage: id, pageByteCount: map.pageByteCount, pageLimit: limit, isWritten: false)
      return (page, problem)
    }
    do throws(StoreError) {
      try map.read(id, into: buffer)
    } catch {
      guard case .corrupt(let damage) = error else { throw error }
      return (buffer.reading, damage.problem)
    }
    // A private parent does not know the checksum of a child that was written after it was made.
    let isUnknown = reader.seesPrivatePages && checksum == 0
    let expected = isUnknown ? reader.view.verifiedChecksum(of: id) : checksum
    let problem = buffer.reading.problem(
      asPage: id, checksum: expected, pageByteCount: map.pageByteCount, pageLimit: limit)
    return (buffer.reading, problem)
  }

  private func isInBounds(_ run: PageRun) -> Bool {
    let limit = min(reader.pageCount, reader.map.pageLimit)
    return run.first >= .firstAfterMetas && run.indices.upperBound <= limit
  }

  /// Counts the rows of a leaf and checks its overflow runs.
  private mutating func checkCells(
    of leaf: LeafPage, _ id: PageID, _ use: (PageRun) -> Bool
  ) throws(StoreError) {
    report.rowCount += leaf.count
    for index in 0..<leaf.count where leaf.isOverflow(index) {
      let reference = leaf.overflow(index)
      let run = PageRun(reference, pageByteCount: reader.map.pageByteCount)
      if !isInBounds(run) {
        note(.outOfBounds(run.first, pageCount: reader.pageCount), id)
        continue
      }
      report.overflowPageCount += run.pageCount
      if run.birth > leaf.page.birth { note(.field("overflow birth", run.birth.rawValue), id) }
      if use(run), let problem = try problem(of: reference) { note(problem, run.first) }
    }
  }

  /// What is wrong with an overflow run that is in bounds, or nil.
  private func problem(of reference: OverflowReference) throws(StoreError) -> Damage.Problem? {
    if reader.seesPrivatePages, let run = reader.view.privateRun(reference.first) {
      if run.pageCount != reference.pageCount(pageByteCount: reader.map.pageByteCount) {
        return .usedTwice(reference.first)
      }
      let computed = Checksum.of(run.bytes.bytes(0, reference.valueByteCount))
      if computed == reference.checksum { return nil }
      return .checksum(stored: reference.checksum, computed: computed)
    }
    do throws(StoreError) {
      try reader.map.verifyRun(reference)
      return nil
    } catch {
      guard case .corrupt(let damage) = error else { throw error }
      return damage.problem
    }
  }

  private mutating func note(_ problem: Damage.Problem, _ id: PageID) {
    report.damageCount += 1
    if report.damages.count == TreeChecker.damageLimit { return }
    report.damages.append(Damage(path: reader.map.file.path, page: id, table: name, problem))
  }
}
