import Testing

/// When a page may be written again: one writer, its publisher, its checkpointer, two readers.
///
/// The tree has two cells, each in a page of its own, and each transaction moves one cell to a
/// free page. So the transaction's number names the version of the page that it wrote, and a state
/// sees, of each cell, the newest version up to itself. Memory is taken as sequentially
/// consistent: a fence is the order of two steps.
struct PageReuseModel: ProtocolModel {
  enum Repair: CaseIterable {
    case sealedStatesLive
    case scanIsTagged
    case pinsStay
    case readersRecheck
    case recheckFollowsStore
    case durableStateLives
    case checkpointLives
    case bothMetasFirst
  }

  /// By transaction: the cell that it changed times eight, plus the page that it took.
  private var history = Row(0, 0, 8 + 1)
  private var tip = 2
  /// By page: the version that the writer keeps in it, 0 when it is free.
  private var owners = Row(1, 2)
  /// By page: the version that the main file holds.
  private var content = Row(1, 2)
  /// The states that were sealed, as far back as the scan reaches: the published ones among them.
  private var sealed = SmallSet(2)
  /// The sealed state whose pages the publisher wrote and whose root it didn't publish yet, or 0.
  private var written = 0
  private var published = 2

  private var metaA = 2
  private var metaB = 2
  /// The durable state as the writer knows it.
  private var durable = 2
  /// The state that the running checkpoint captured, or 0.
  private var captured = 0

  private var scan = Scan()
  private var slots = Row()
  private var readers: [Reader]
  private let pageCount: Int
  private let lastTransaction: Int

  /// What the writer knows of the readers: their pins, and what was published before it looked.
  private struct Scan: Hashable {
    var tag = 2
    var nextSlot = 2
    var pins = SmallSet()
    var isComplete: Bool { nextSlot == 2 }
  }

  private struct Reader: Hashable {
    enum Phase { case idle, loaded, checked, stored, pinned, moving }
    var phase = Phase.idle
    var state = 0
    var slot: Int
  }

  /// A store whose two cells lie in pages 0 and 1, nothing in motion.
  init(readerCount: Int, pageCount: Int, lastTransaction: Int) {
    self.pageCount = pageCount
    readers = (0..<readerCount).map { Reader(slot: 1 - $0) }
    self.lastTransaction = lastTransaction
  }

  static var milestones: [(name: String, isReached: (Self) -> Bool)] {
    [
      ("reuse beside an older reader", { $0.isReused && $0.readers[0].phase == .pinned }),
      ("reuse while a checkpoint runs", { $0.isReused && $0.captured != 0 }),
      ("reuse of a middle state's page", { $0.tip == 5 && $0.sealed.within(3..<5).isEmpty }),
      ("readers behind", \.isFarBehind),
    ]
  }

  private var isReused: Bool {
    (0..<pageCount).contains { content[$0] != 0 && owners[$0] > content[$0] }
  }

  private var isFarBehind: Bool {
    readers.allSatisfy { $0.phase == .pinned && $0.state != durable && $0.state != published }
  }

  // MARK: The tree

  private func version(of cell: Int, in state: Int) -> Int {
    var number = state
    while number > 0, history[number] / 8 != cell { number -= 1 }
    return number
  }

  /// The transaction that replaced `version`, or nil while the tip sees it.
  private func end(of version: Int) -> Int? {
    var number = version + 1
    while number <= tip, history[number] / 8 != history[version] / 8 { number += 1 }
    return number <= tip ? number : nil
  }

  private func holds(_ state: Int) -> Bool {
    for cell in 0..<2 {
      let version = version(of: cell, in: state)
      if content[history[version] % 8] != version { return false }
    }
    return true
  }

  func violation(under rules: Rules<Repair>) -> String? {
    for reader in readers where reader.phase == .pinned || reader.phase == .moving {
      if !holds(reader.state) { return "a reader's page changed under it" }
    }
    if !holds(published) { return "a page of the published state was overwritten" }
    if !holds(metaA) || !holds(metaB) { return "a meta page names an overwritten state" }
    return nil
  }

  func steps(under rules: Rules<Repair>) -> [Step<Self>] {
    var steps: [Step<Self>] = []
    addWriterSteps(to: &steps, rules)
    addPublisherSteps(to: &steps)
    addCheckpointSteps(to: &steps, rules)
    for index in readers.indices { addReaderSteps(to: &steps, index, rules) }
    return steps
  }

  private func add(
    _ name: String, to steps: inout [Step<Self>], _ change: (inout Self) -> Void
  ) {
    var next = self
    change(&next)
    next.sealed = next.sealed.within(next.scan.tag..<16)
    steps.append(Step(name: name, state: next))
  }

  // MARK: The writer

  private func addWriterSteps(to steps: inout [Step<Self>], _ rules: Rules<Repair>) {
    guard scan.isComplete else {
      add("scan slot \(scan.nextSlot)", to: &steps) {
        if slots[scan.nextSlot] != 0 { $0.scan.pins.insert(slots[scan.nextSlot]) }
        $0.scan.nextSlot += 1
      }
      return
    }
    // Freeing and taking are one step, since both happen in the writer's own memory.
    let reusable = reusablePages(rules)
    let page = (0..<pageCount).first { owners[$0] == 0 || reusable.contains($0) }
    guard let page else {
      return add("scan begins", to: &steps) { $0.scan = Scan(tag: published, nextSlot: 0) }
    }
    for cell in 0..<2 where tip < lastTransaction {
      add("commit \(tip + 1) to page \(page)", to: &steps) {
        $0.tip += 1
        $0.history[$0.tip] = cell * 8 + page
        $0.owners[page] = $0.tip
      }
    }
  }

  /// The pages that no living state sees.
  private func reusablePages(_ rules: Rules<Repair>) -> [Int] {
    var living = scan.pins
    living.insert(tip)
    if rules.keep(.durableStateLives) { living.insert(durable) }
    if rules.keep(.checkpointLives), captured != 0 { living.insert(captured) }
    let oldest = rules.keep(.scanIsTagged) ? scan.tag : published
    let newest = rules.keep(.sealedStatesLive) ? tip : published
    living.formUnion(sealed.within(oldest..<newest + 1))
    return (0..<pageCount).filter { page in
      guard owners[page] != 0, let end = end(of: owners[page]) else { return false }
      return living.within(owners[page]..<end).isEmpty
    }
  }

  // MARK: The publisher

  private func addPublisherSteps(to steps: inout [Step<Self>]) {
    if !sealed.contains(tip) {
      add("seal \(tip)", to: &steps) { $0.sealed.insert(tip) }
    }
    if written != 0 {
      add("publish \(written)", to: &steps) {
        $0.published = written
        $0.written = 0
      }
    } else if let next = sealed.within(published + 1..<16).members.first {
      add("write the pages of \(next)", to: &steps) {
        for cell in 0..<2 {
          let page = history[version(of: cell, in: next)] % 8
          $0.content[page] = owners[page] == 0 ? content[page] : owners[page]
        }
        $0.written = next
      }
    }
  }

  // MARK: The checkpointer

  private func addCheckpointSteps(to steps: inout [Step<Self>], _ rules: Rules<Repair>) {
    if captured == 0 {
      // Capturing takes the right to write, so it never falls into a scan.
      guard scan.isComplete, tip > durable else { return }
      add("capture \(tip)", to: &steps) {
        $0.captured = tip
        $0.sealed.insert(tip)
      }
    } else if metaA != captured {
      guard published >= captured else { return }
      add("meta A", to: &steps) {
        $0.metaA = captured
        if !rules.keep(.bothMetasFirst) { $0.durable = captured }
      }
    } else if metaB != captured {
      add("meta B", to: &steps) { $0.metaB = captured }
    } else {
      add("checkpoint ends", to: &steps) {
        $0.durable = captured
        $0.captured = 0
      }
    }
  }

  // MARK: The readers

  private func addReaderSteps(
    to steps: inout [Step<Self>], _ index: Int, _ rules: Rules<Repair>
  ) {
    let reader = readers[index]
    func add(_ name: String, _ change: (inout Self) -> Void) {
      self.add("reader \(index) \(name)", to: &steps, change)
    }
    func pin(_ model: inout Self) { model.readers[index].phase = .pinned }
    func giveUp(_ model: inout Self) {
      if reader.phase != .loaded { model.slots[reader.slot] = 0 }
      model.readers[index] = Reader(slot: 1 - index)
    }
    switch reader.phase {
    case .idle:
      add("loads \(published)") {
        $0.readers[index].phase = .loaded
        $0.readers[index].state = published
      }
    case .loaded where !rules.keep(.recheckFollowsStore):
      guard published == reader.state else { return add("gives up", giveUp) }
      add("checks too early") { $0.readers[index].phase = .checked }
    case .loaded, .checked:
      guard slots[reader.slot] == 0 else { return }
      add("stores \(reader.state)") {
        $0.slots[reader.slot] = reader.state
        $0.readers[index].phase = .stored
      }
    case .stored:
      let isChecked = rules.keep(.readersRecheck) && rules.keep(.recheckFollowsStore)
      if isChecked && published != reader.state {
        add("gives up", giveUp)
      } else {
        add("pins", pin)
      }
    case .pinned:
      add("unpins", giveUp)
      if !rules.keep(.pinsStay), slots[1 - reader.slot] == 0 {
        add("copies its pin") {
          $0.slots[1 - reader.slot] = reader.state
          $0.readers[index].phase = .moving
        }
      }
    case .moving:
      add("clears its old slot") {
        $0.slots[reader.slot] = 0
        $0.readers[index].slot = 1 - reader.slot
        $0.readers[index].phase = .pinned
      }
    }
  }
}

@Suite struct `Reusing pages` {
  @Test(arguments: [(1, 4, 5), (2, 3, 4)])
  func `changes nothing that anyone may read`(readers: Int, pages: Int, last: Int) {
    let start = PageReuseModel(readerCount: readers, pageCount: pages, lastTransaction: last)
    let result = Explorer.explore(from: start, limit: 200_000)
    #expect(result.isComplete && result.violation == nil, "\(result)")
    #expect(result.missed.allSatisfy { last == 4 && $0.contains("middle") })
  }

  @Test(arguments: PageReuseModel.Repair.allCases)
  func `goes wrong without`(repair: PageReuseModel.Repair) {
    let start = PageReuseModel(readerCount: 1, pageCount: 4, lastTransaction: 5)
    let result = Explorer.explore(from: start, without: [repair], limit: 200_000)
    #expect(result.violation != nil, "\(result)")
  }
}
