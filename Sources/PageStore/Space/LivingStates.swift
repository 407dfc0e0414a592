/// The states of the store that somebody sees or will see, as of one scan.
///
/// Built by the caller from the durable state, the one being checkpointed, the pins of every
/// process, the published and sealed states, and the tip.
package struct LivingStates: Equatable, Sendable {
  /// The states, ascending, each once.
  package private(set) var states: [TransactionNumber]

  /// The set of `states`, given in any order and with repetitions.
  package init(_ states: some Sequence<TransactionNumber>) {
    self.states = []
    for state in states.sorted() where state != self.states.last { self.states.append(state) }
  }

  /// The newest living state that is older than `end`.
  ///
  /// - Complexity: O(log *n*).
  package func newest(before end: TransactionNumber) -> TransactionNumber? {
    let index = firstIndex(notBefore: end)
    return index == 0 ? nil : states[index - 1]
  }

  /// The newest living state that sees what was born at `birth` and ended at `end`.
  package func newest(seeing page: PendingPage) -> TransactionNumber? {
    guard let state = newest(before: page.end), state >= page.birth else { return nil }
    return state
  }

  /// True where `state` lives.
  ///
  /// - Complexity: O(log *n*).
  package func contains(_ state: TransactionNumber) -> Bool {
    let index = firstIndex(notBefore: state)
    return index < states.count && states[index] == state
  }

  private func firstIndex(notBefore bound: TransactionNumber) -> Int {
    var low = 0
    var high = states.count
    while low < high {
      let middle = (low + high) / 2
      if states[middle] < bound { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
