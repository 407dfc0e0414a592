import PageStore
import Testing

@testable import Index

@Suite struct `A plan` {
  private let universe = IndexQuery.term(index: "all", [])

  private func fire(_ type: Int) -> IndexQuery {
    .term(index: "type", SyntheticRows.typeTerm(type))
  }

  @Test func `starts from the smallest set and subtracts last`() throws {
    let rows = SyntheticRows(count: 20_000, seed: 1)
    let store = try rows.store()
    let snapshot = try store.snapshot()
    let some = PostingSet((0..<50).map { RowID(rawValue: UInt64($0 * 300)) })
    let query = IndexQuery.all([
      .not(fire(3)), fire(1), .all([.rows(some), .everything]), .not(.not(fire(2))),
      .range(index: "stat", from: NumericKey(5), through: nil),
    ])
    let plan = try query.plan(in: snapshot, universe: universe)
    let steps = plan.steps.map(\.operation)
    #expect(steps.first == "given rows")
    #expect(steps.last == "term 'type 3' of type")
    #expect(steps.count == 5)
    let estimates = plan.steps.dropLast().map(\.estimate)
    #expect(estimates == estimates.sorted())
    let expected = rows.types.indices.filter { row in
      row % 300 == 0 && row < 15_000 && rows.types[row] & 0b1110 == 0b0110 && rows.stats[row] >= 5
    }
    let (found, run) = try query.explained(in: snapshot, universe: universe)
    #expect(found.map(\.rawValue) == expected.map { UInt64($0) })
    #expect(run.rowCount == expected.count)
    #expect(run.description.contains("given rows: about 50, found 50"))
    #expect(run.description.split(separator: "\n").count == 6)
  }

  @Test func `estimates lists and narrow ranges exactly`() throws {
    let rows = SyntheticRows(count: 20_000, seed: 2)
    let store = try rows.store()
    let snapshot = try store.snapshot()
    let plan = try fire(4).plan(in: snapshot, universe: universe)
    #expect(plan.estimate == rows.types.count { $0 >> 4 & 1 == 1 })
    #expect(plan.rowCount == nil)
    let range = try IndexQuery.range(index: "stat", from: NumericKey(10), through: NumericKey(99))
      .plan(in: snapshot, universe: universe)
    #expect(range.estimate == rows.stats.count { $0 >= 10 && $0 <= 99 })
    let all = try IndexQuery.everything.plan(in: snapshot, universe: universe)
    #expect(all.estimate == 20_000)
  }

  @Test func `stops reading once there are enough rows`() throws {
    let rows = SyntheticRows(count: 400_000, seed: 3)
    let store = try rows.store()
    let snapshot = try store.snapshot()
    let query = IndexQuery.all([fire(1), fire(2)])
    let whole = try query.explained(in: snapshot, universe: universe)
    let part = try query.explained(limit: 20, in: snapshot, universe: universe)
    #expect(part.rows.map { $0 } == whole.rows.prefix(20))
    #expect(part.rows.count == 20)
    // 49 containers in each list, of which the first few have enough.
    #expect(whole.plan.totalCellCount >= 98)
    #expect(part.plan.totalCellCount <= 16, "\(part.plan)")
  }

  @Test func `reads no containers that cannot matter`() throws {
    let rows = SyntheticRows(count: 400_000, seed: 4)
    let store = try rows.store()
    let snapshot = try store.snapshot()
    let far = IndexQuery.rows(PostingSet([5, 399_990].map { RowID(rawValue: $0) }))
    for query in [fire(1), .range(index: "stat", from: NumericKey(3), through: nil)] {
      let (found, plan) = try IndexQuery.all([far, query])
        .explained(in: snapshot, universe: universe)
      let estimateOnly = try query.plan(in: snapshot, universe: universe).totalCellCount
      #expect(plan.totalCellCount - estimateOnly < 60, "\(plan)")
      #expect(found.count <= 2)
    }
  }

  @Test func `counts without fetching where heads know`() throws {
    let rows = SyntheticRows(count: 20_000, seed: 5)
    let store = try rows.store()
    let snapshot = try store.snapshot()
    var step = try PlanStep(fire(1), universe: universe, in: snapshot)
    let count = try step.count(in: snapshot)
    #expect(count == rows.types.count { $0 >> 1 & 1 == 1 })
    #expect(step.cost.cellCount == 1)
  }

  @Test func `reads a transaction's own changes`() throws {
    let store = try Store.inMemory()
    let counts = try store.write { (transaction) throws(IndexError) in
      let index = TermIndex("t")
      let table = try index.create(in: &transaction)
      var counts: [Int] = []
      for row in 0..<3 {
        try index.insert(RowID(rawValue: UInt64(row)), [1], in: table, of: &transaction)
        counts.append(
          try IndexQuery.term(index: "t", [1]).count(in: transaction, universe: .nothing))
      }
      return counts
    }
    #expect(counts == [1, 2, 3])
    let snapshot = try store.snapshot()
    #expect(throws: IndexError.store(.noSuchTable("u"))) {
      try IndexQuery.term(index: "u", [1]).count(in: snapshot, universe: .nothing)
    }
  }
}
