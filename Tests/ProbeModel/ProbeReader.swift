import CDexShim
import PageStore

/// A reader that opens snapshots of the history, hashes each again and again, and lets it go.
///
/// Each must be a state of the history when it comes, and the same when it goes.
public struct ProbeReader {
  private let store: Store
  private var state: UInt64
  private var held: [(snapshot: Snapshot, hash: UInt64)] = []
  /// How often a snapshot was hashed.
  public private(set) var lookCount = 0
  /// How many snapshots there were.
  public private(set) var snapshotCount = 0

  /// A reader of `store`; `seed` decides which snapshot is looked at or dropped next.
  public init(_ store: Store, seed: UInt64) {
    self.store = store
    state = seed
  }

  /// Reads for so long.
  ///
  /// - Returns: What was wrong, or nil.
  public mutating func run(milliseconds: Int) throws(StoreError) -> String? {
    let end = dex_nanoseconds() + UInt64(milliseconds) * 1_000_000
    while dex_nanoseconds() < end {
      let draw = next()
      if held.isEmpty || (held.count < 6 && draw % 4 == 0) {
        let snapshot = try store.snapshot()
        if let problem = try ProbeHistory.problem(in: snapshot) { return problem }
        held.append((snapshot, try ProbeHistory.hash(of: snapshot)))
        snapshotCount += 1
        continue
      }
      let index = Int(next() % UInt64(held.count))
      lookCount += 1
      if try ProbeHistory.hash(of: held[index].snapshot) != held[index].hash {
        return "the snapshot of \(held[index].snapshot.transaction) has changed"
      }
      if draw % 8 == 1 { held.remove(at: index) }
    }
    held = []
    return nil
  }

  private mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }
}
