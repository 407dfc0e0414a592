internal import CDexShim
internal import Synchronization

/// A pinned state: the pages of its trees stay as they are until the last reference goes.
final class SnapshotPin: Sendable {
  let core: StoreCore
  let map: PageMap
  let state: TreeState
  private let pin: ReaderSlots.Pin

  init(_ core: StoreCore, map: PageMap, state: TreeState, pin: ReaderSlots.Pin) {
    self.core = core
    self.map = map
    self.state = state
    self.pin = pin
  }

  deinit { core.unpin(pin) }
}

extension StoreCore {
  /// Pins the newest state that this process may see.
  func pinSnapshot() throws(StoreError) -> SnapshotPin {
    // Counted before it looks whether the store is open: whoever closes it looks the other way round,
    // so that either this finds it closed or that finds a snapshot.
    snapshotCount.add(1, ordering: .sequentiallyConsistent)
    do throws(StoreError) {
      return try pinCounted()
    } catch {
      if dex_fork_generation() == generation { releaseSnapshot() }
      throw error
    }
  }

  private func pinCounted() throws(StoreError) -> SnapshotPin {
    try checkOpen()
    if options.durability != .immediate && access == .readWrite {
      let isBehind = commits.withLock {
        $0.tip.transaction > $0.published.transaction && $0.poison == nil
      }
      if isBehind { try publishTip() }
    }
    if access == .unregistered { try followMetas() }
    let pin = try slots.pin()
    do throws(StoreError) {
      // Another process may have let the file outgrow what this one has addresses for.
      try map.checkRoom(forPages: pin.state.pageCount)
    } catch {
      slots.unpin(pin)
      throw error
    }
    map.noteState(pin.state.transaction)
    if let replayed = replayed.withLock({ $0 }) {
      if pin.state.transaction == replayed.durable {
        return SnapshotPin(self, map: replayed.map, state: replayed.state, pin: pin)
      }
      self.replayed.withLock { $0 = nil }
    }
    return SnapshotPin(self, map: map, state: TreeState(pin.state), pin: pin)
  }

  /// Gives a pin back; the last one of a closed store closes its files.
  fileprivate func unpin(_ pin: ReaderSlots.Pin) {
    // A forked child shares the slots with its parent, whose pin this is.
    if dex_fork_generation() != generation { return }
    slots.unpin(pin)
    releaseSnapshot()
  }

  /// Moves on to the durable state that the meta pages name now.
  ///
  /// A reader that cannot register sees durable states only; the lock that it holds keeps all those
  /// alive that were durable since.
  private func followMetas() throws(StoreError) {
    let metas = try readMetas()
    let meta = metas.newest
    // The mirror is written once the first one is durable.
    if !metas.areEqual { try makeVisible(nil) }
    // Threads that read the meta pages at different times must not publish past each other.
    try following.withLock { newest throws(StoreError) in
      if meta.transaction > (try shared.published()).transaction {
        try shared.publish(TreeState(meta, nextTableID: 1).published)
        newest = meta.transaction
      }
    }
  }
}
