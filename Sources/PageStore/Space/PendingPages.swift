/// Pages that a transaction replaced or dropped, which older states may still see.
package struct PendingPage: Hashable, Sendable {
  /// The first page of the run.
  package var first: PageID
  /// The length of the run: 1 for a page of a tree, more for a run of overflow pages.
  package var pageCount: UInt32
  /// The transaction that wrote it: the oldest state that sees it.
  package var birth: TransactionNumber
  /// The transaction that replaced it: the first state that does not see it any more.
  package var end: TransactionNumber

  /// The run of `pageCount` pages from `first` on, seen by the states in `birth ..< end`.
  package init(
    first: PageID, pageCount: UInt32 = 1, birth: TransactionNumber, end: TransactionNumber
  ) {
    precondition(birth < end, "born at \(birth), ended at \(end)")
    precondition(first >= .firstAfterMetas && pageCount > 0, "\(pageCount) pages from \(first)")
    precondition(UInt64(first.rawValue) + UInt64(pageCount) <= UInt64(UInt32.max), "\(first)")
    self.first = first
    self.pageCount = pageCount
    self.birth = birth
    self.end = end
  }

  /// The pages as indices.
  package var indices: Range<Int> { first.index..<first.index + Int(pageCount) }
}

/// The pending pages of a store, each waiting for the states that see it to die.
///
/// Invariants:
/// 1. A page in the list of state `s` is seen by `s`, and when it was hung there `s` was the newest
///    living state that saw it.
/// 2. Pages born up to `heldBirth`, or that nobody saw when they were read from a map, are in no list
///    until the next release that may look at them.
///
/// A state that is not living never comes to life, but for states newer than every end.
package struct PendingPages: Sendable {
  /// The pages that hang on one state.
  private struct Pinned: Sendable {
    var pages: [PendingPage] = []
    var pageCount = 0

    mutating func append(_ page: PendingPage) {
      pages.append(page)
      pageCount += Int(page.pageCount)
    }
  }

  /// The pages that were born up to here are all kept, since readers of older states may exist that
  /// nobody can name.
  private var heldBirth: TransactionNumber?
  /// True while pages are kept for readers that nobody can name.
  package var isHeld: Bool { heldBirth != nil }
  /// The number of pages, counting each page of a run.
  package private(set) var pageCount = 0
  /// The number of times that a page was compared with the living states.
  package private(set) var lookCount = 0
  private var lists: [TransactionNumber: Pinned] = [:]
  private var unplaced = Pinned()

  /// No pending pages.
  package init() {}

  /// The pending pages `pages`, as read from a map; the next `release` frees what nobody sees.
  ///
  /// - Parameters:
  ///   - pages: The pages, in any order.
  ///   - living: The states that live now.
  ///   - held: Keeps these pages, and all that were born up to there, until `endHold()`.
  package init(
    _ pages: some Sequence<PendingPage>, living: LivingStates, held: TransactionNumber? = nil
  ) {
    heldBirth = held
    for page in pages {
      pageCount += Int(page.pageCount)
      guard held == nil, let state = look(at: page, living) else {
        unplaced.append(page)
        continue
      }
      lists[state, default: Pinned()].append(page)
    }
  }

  /// Adds `page`, or returns true where nobody sees it, so that the caller may free it at once.
  package mutating func add(_ page: PendingPage, living: LivingStates) -> Bool {
    if let heldBirth, page.birth <= heldBirth {
      unplaced.append(page)
    } else {
      guard let state = look(at: page, living) else { return true }
      lists[state, default: Pinned()].append(page)
    }
    pageCount += Int(page.pageCount)
    return false
  }

  /// Takes out the pages that no state in `living` sees, and gives each of them to `free`.
  ///
  /// Looks only at pages whose state has died since, and at none that are held.
  package mutating func release(living: LivingStates, into free: (PendingPage) -> Void) {
    var waiting: [PendingPage] = []
    if !isHeld { swap(&waiting, &unplaced.pages) }
    if !isHeld { unplaced = Pinned() }
    for state in lists.keys.sorted() where !living.contains(state) {
      waiting += lists.removeValue(forKey: state)?.pages ?? []
    }
    for page in waiting {
      if let state = look(at: page, living) {
        lists[state, default: Pinned()].append(page)
      } else {
        pageCount -= Int(page.pageCount)
        free(page)
      }
    }
  }

  /// Ends the hold that the pages were taken over with: the living states name every reader again.
  package mutating func endHold() { heldBirth = nil }

  private mutating func look(at page: PendingPage, _ living: LivingStates) -> TransactionNumber? {
    lookCount += 1
    return living.newest(seeing: page)
  }
}

// MARK: - Questions

extension PendingPages {
  /// True where no page is pending.
  package var isEmpty: Bool { pageCount == 0 }

  /// The number of runs.
  package var count: Int { lists.values.reduce(unplaced.pages.count) { $0 + $1.pages.count } }

  /// The number of pages that wait for `state` to die, as far as the last look tells.
  package func pageCount(pinnedBy state: TransactionNumber) -> Int { lists[state]?.pageCount ?? 0 }

  /// All pending pages, in ascending order of their place.
  package var all: [PendingPage] {
    var pages = unplaced.pages
    for list in lists.values { pages += list.pages }
    pages.sort { $0.first < $1.first }
    return pages
  }

  /// The highest page that is pending.
  ///
  /// - Complexity: O(*n*).
  package var highestPage: PageID? {
    var highest = unplaced.pages.lazy.map(\.indices.upperBound).max() ?? 0
    for list in lists.values {
      highest = max(highest, list.pages.lazy.map(\.indices.upperBound).max() ?? 0)
    }
    return highest == 0 ? nil : PageID(UInt32(highest - 1))
  }
}
