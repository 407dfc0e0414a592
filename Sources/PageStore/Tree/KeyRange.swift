/// The keys that the pages above give to a page: from `lower` on and below `upper`, where there are
/// bounds.
struct KeyRange {
  var lower: [UInt8]?
  var upper: [UInt8]?

  /// What is left of the range for child `index` of `branch`.
  func child(_ index: Int, of branch: BranchPage) -> KeyRange {
    KeyRange(
      lower: index > 0 ? branch.separator(index - 1) : lower,
      upper: index < branch.separatorCount ? branch.separator(index) : upper)
  }

  /// True where the keys or separators of `page` lie in the range.
  func holds(_ page: PageBytes) -> Bool {
    if page.level == 0 {
      let leaf = LeafPage(page)
      if leaf.count == 0 { return true }
      return holds(first: leaf.key(0), last: leaf.key(leaf.count - 1), areSeparators: false)
    }
    let branch = BranchPage(page)
    if branch.separatorCount == 0 { return true }
    let (first, last) = (branch.separator(0), branch.separator(branch.separatorCount - 1))
    return first.withBytes { first in
      last.withBytes { holds(first: first, last: $0, areSeparators: true) }
    }
  }

  /// Separators may not be `lower` itself, since the child before them would have no keys.
  private func holds(first: ByteView, last: ByteView, areSeparators: Bool) -> Bool {
    let order = lower.map { $0.withBytes { first.compare($0) } } ?? 1
    let isBelow = upper.map { $0.withBytes { last.compare($0) < 0 } } ?? true
    return isBelow && (areSeparators ? order > 0 : order >= 0)
  }
}
