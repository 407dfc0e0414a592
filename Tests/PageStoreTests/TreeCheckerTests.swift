import Testing

@testable import PageStore

@Suite struct `The tree checker` {
  private func store() throws -> TreeTestStore {
    let store = try TreeTestStore(pageByteCount: 4096)
    store.begin()
    for number in 0..<3000 {
      let value = [UInt8](repeating: UInt8(number % 251), count: number % 100 == 0 ? 9000 : 100)
      try store.put(TreeTestKeys.number(number), value)
    }
    store.commit()
    try store.publish()
    return store
  }

  private func check(
    _ store: TreeTestStore, table: UInt32 = TreeTestStore.table, newest: UInt64 = 1
  ) throws -> (report: TreeChecker.Report, pageCount: Int) {
    let reader = TreeReader(
      map: store.map, root: store.editor.root, table: table, seesPrivatePages: false,
      pageCount: store.pages.bitmap.pageCount)
    var checker = TreeChecker(
      reader, table: table, name: "beasts", newest: TransactionNumber(newest))
    var pageCount = 0
    let report = try checker.check { run in
      pageCount += run.pageCount
      return true
    }
    return (report, pageCount)
  }

  @Test func `counts rows and pages`() throws {
    let store = try store()
    let (report, pageCount) = try check(store)
    #expect(report.damages == [])
    #expect(report.rowCount == 3000)
    #expect(report.overflowPageCount == 30 * 3)
    #expect(report.pageCounts.count == store.editor.root.level + 1)
    #expect(report.pageCounts.last == 1)
    #expect(pageCount == report.pageCounts.reduce(90, +))
    #expect(pageCount == store.pages.bitmap.usedCount - 2)
  }

  @Test func `names every damaged page and goes on behind it`() throws {
    let store = try store()
    let before = try check(store)
    let root = BranchPage(store.map.view.mapped(store.editor.root.page))
    var lostRows = 0
    var expected: Set<PageID> = []
    var branch = root
    while branch.page.level > 1 { branch = BranchPage(store.map.view.mapped(branch.child(0))) }
    for index in [0, 2, 3] {
      let leaf = LeafPage(store.map.view.mapped(branch.child(index)))
      lostRows += leaf.count
      expected.insert(branch.child(index))
      try store.damage(branch.child(index), at: 50 + index * 700)
    }
    let leaves = (4..<branch.count).map { LeafPage(store.map.view.mapped(branch.child($0))) }
    let runs = leaves.flatMap { leaf in
      (0..<leaf.count).filter { leaf.isOverflow($0) }.map { leaf.overflow($0) }
    }
    let run = try #require(runs.first)
    expected.insert(run.first)
    try store.damage(run.first, at: 8999)
    let (report, pageCount) = try check(store)
    #expect(report.damageCount == 4)
    #expect(Set(report.damages.map(\.page)) == Set(expected.map(Optional.some)))
    #expect(report.damages.allSatisfy { $0.table == "beasts" })
    #expect(report.rowCount == 3000 - lostRows)
    #expect(report.pageCounts == before.report.pageCounts)
    #expect(pageCount <= before.pageCount)
  }

  @Test func `finds pages of another table, and of the future`() throws {
    let store = try store()
    let other = try check(store, table: 8)
    #expect(other.report.damageCount == other.report.pageCounts.reduce(0, +))
    #expect(other.report.rowCount == 3000)
    let young = try check(store, newest: 0)
    #expect(young.report.damages.first?.problem == .field("birth", 1))
    #expect(young.report.damageCount == 1)
  }

  @Test func `finds pages in the wrong place`() throws {
    let store = try store()
    // The second leaf's pointer twice: its keys are not in the first one's range.
    let root = store.editor.root
    #expect(root.level == 1)
    let size = store.map.pageByteCount
    let page = store.pages.scratch()
    defer { store.pages.buffers.giveBack(page) }
    page.copy(store.map.view.mapped(root.page).bytes(0, size), to: 0)
    let branch = BranchPage(page.reading)
    page.setU32(branch.childOffset(0), branch.child(1).rawValue)
    page.setU32(branch.checksumOffset(0), branch.checksum(1))
    page.setU32(branch.childOffset(2), UInt32(store.map.pageLimit) - 1)
    page.setU32(branch.checksumOffset(3), branch.checksum(3) ^ 1)
    let checksum = Checksum.ofPage(page.reading, pageByteCount: size)
    page.setU32(PageHeader.checksum, checksum)
    try store.map.file.write(page.reading.bytes(0, size).buffer, at: root.page.index * size)
    store.newEditor(TreeRoot(page: root.page, checksum: checksum, level: 1))
    let problems = try check(store).report.damages.map(\.problem)
    #expect(problems.count == 3)
    #expect(problems.first == .range)
    let beyond = PageID(UInt32(store.map.pageLimit) - 1)
    #expect(
      problems.contains(.outOfBounds(beyond, pageCount: store.pages.bitmap.pageCount)))
    #expect(
      problems.contains { if case .staleVersion = $0 { true } else { false } })
  }

  @Test func `believes no root`() throws {
    let store = try store()
    for root in [
      TreeRoot(page: PageID(1), checksum: 5, level: 0),
      TreeRoot(page: PageID(.max), checksum: 5, level: 3),
      TreeRoot(page: store.editor.root.page, checksum: store.editor.root.checksum, level: 40),
      TreeRoot(page: store.editor.root.page, checksum: store.editor.root.checksum, level: 0),
      TreeRoot(page: store.editor.root.page, checksum: 1, level: 1),
    ] {
      store.newEditor(root)
      let report = try check(store).report
      #expect(report.damageCount == 1)
      #expect(report.rowCount == 0)
    }
  }
}
