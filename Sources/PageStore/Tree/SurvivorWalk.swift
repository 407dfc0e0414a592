/// Walks what can be read of one tree, and goes on beside what cannot.
///
/// Reads every page from the file, whatever was verified before, and believes nothing: a page that
/// does not fit its parent's pointer is a loss, together with all that lies below it.
struct SurvivorWalk {
  /// A page that cannot be read, and the keys that are missing with it.
  struct Loss {
    let page: PageID
    let level: Int
    /// The missing keys are not below `lower` and are below `upper`, where there are bounds.
    let lower: [UInt8]?
    let upper: [UInt8]?
    let problem: Damage.Problem
  }

  let map: PageMap
  let table: UInt32
  /// One past the last page that a pointer may name.
  let pageCount: Int

  /// Walks the tree under `root`, in the order of the keys.
  ///
  /// - Parameters:
  ///   - root: The tree; it is not empty.
  ///   - enter: Is given each page that is about to be read; false where it was read before.
  ///   - leaf: Is given each leaf; its bytes are good for the call.
  ///   - loss: Is given each page that cannot be read.
  /// - Throws: What is no damage, and what the closures throw.
  func walk(
    _ root: TreeRoot, enter: (PageID) -> Bool,
    leaf: (LeafPage) throws(StoreError) -> Void, loss: (Loss) throws(StoreError) -> Void
  ) throws(StoreError) {
    if root.isEmpty { return }
    if !(0..<StoreLimits.levelCount).contains(root.level) {
      let problem = Damage.Problem.field("level", UInt64(truncatingIfNeeded: root.level))
      try loss(
        Loss(page: root.page, level: 1, lower: nil, upper: nil, problem: problem))
      return
    }
    let size = map.pageByteCount
    let memory = UnsafeMutableRawPointer.allocate(byteCount: (root.level + 1) * size, alignment: 64)
    // Safe: nothing keeps a view of the memory, which has a page for every level.
    defer { unsafe memory.deallocate() }
    let buffer = { (level: Int) in unsafe MutablePageBytes(memory + level * size) }
    try visit(
      (root.page, root.checksum, root.level), lower: nil, upper: nil, buffer, enter, leaf, loss)
  }

  private func visit(
    _ pointer: (page: PageID, checksum: UInt32, level: Int), lower: [UInt8]?, upper: [UInt8]?,
    _ buffer: (Int) -> MutablePageBytes, _ enter: (PageID) -> Bool,
    _ leaf: (LeafPage) throws(StoreError) -> Void, _ loss: (Loss) throws(StoreError) -> Void
  ) throws(StoreError) {
    let level = pointer.level
    let bytes = buffer(level)
    if let problem = try problem(of: pointer, in: bytes, enter) {
      try loss(
        Loss(page: pointer.page, level: level, lower: lower, upper: upper, problem: problem))
      return
    }
    if level == 0 {
      try leaf(LeafPage(bytes.reading))
      return
    }
    let branch = BranchPage(bytes.reading)
    for index in 0..<branch.count {
      try visit(
        (branch.child(index), branch.checksum(index), level - 1),
        lower: index > 0 ? branch.separator(index - 1) : lower,
        upper: index < branch.separatorCount ? branch.separator(index) : upper,
        buffer, enter, leaf, loss)
    }
  }

  /// Reads the page behind `pointer` into `bytes`, and says what is wrong with it.
  private func problem(
    of pointer: (page: PageID, checksum: UInt32, level: Int), in bytes: MutablePageBytes,
    _ enter: (PageID) -> Bool
  ) throws(StoreError) -> Damage.Problem? {
    let id = pointer.page
    if id < .firstAfterMetas || id.index >= min(pageCount, map.pageLimit) {
      return .outOfBounds(id, pageCount: pageCount)
    }
    if !enter(id) { return .usedTwice(id) }
    do throws(StoreError) {
      try map.read(id, into: bytes)
    } catch {
      guard case .corrupt(let damage) = error else { throw error }
      return damage.problem
    }
    let page = bytes.reading
    if let problem = page.problem(
      asPage: id, checksum: pointer.checksum, pageByteCount: map.pageByteCount, pageLimit: Int.max)
    {
      return problem
    }
    if page.level != pointer.level {
      return .wrongKind(UInt8(page.kind), level: UInt8(page.level))
    }
    if page.table != table { return .field("table", UInt64(page.table)) }
    return nil
  }
}
