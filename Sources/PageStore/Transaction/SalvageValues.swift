/// Reads values of a damaged file, each run of pages once.
struct ValueReader {
  let source: SalvageSource

  /// The value in slot `index` of `leaf`; nil where it is damaged.
  func value(
    in leaf: LeafPage, at index: Int, _ reached: inout PageSet
  ) throws(StoreError) -> ByteView? {
    if !leaf.isOverflow(index) { return leaf.inlineValue(index) }
    let reference = leaf.overflow(index)
    let run = PageRun(reference, pageByteCount: source.map.pageByteCount)
    if run.first < .firstAfterMetas || run.indices.upperBound > source.filePageCount { return nil }
    var isNew = true
    for index in run.indices where !reached.insert(index) { isNew = false }
    if !isNew { return nil }
    do throws(StoreError) {
      try source.map.verifyRun(reference)
    } catch {
      guard case .corrupt = error else { throw error }
      return nil
    }
    return source.map.view.mapped(reference.first).bytes(0, reference.valueByteCount)
  }
}

extension SalvageReport.Table {
  mutating func noteLost(_ key: [UInt8]) {
    lostKeyCount += 1
    if lostKeys.count < CheckReport.problemLimit { lostKeys.append(key) }
  }

  mutating func note(_ loss: SurvivorWalk.Loss, path: String) {
    if damages.count >= CheckReport.problemLimit { return }
    damages.append(Damage(path: path, page: loss.page, table: name, loss.problem))
    missingRanges.append(SalvageReport.KeyRange(lower: loss.lower, upper: loss.upper))
  }
}
