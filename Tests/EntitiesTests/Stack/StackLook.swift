import Entities
import Glibc
import PageStore
import SimulatedDisk

/// Opens what a crash, a kill or a fault left of a stack, and looks whether it may be.
struct StackLook {
  let workload: StackWorkload
  let history: [UInt64]
  let findings: StackFindings

  /// Looks whether `disk` holds the contents after one of the steps in `possible`.
  ///
  /// With `mayBeDamaged`, an error that says what is wrong is as good: only wrong contents are not.
  func look(
    _ disk: SimulatedDisk, _ possible: ClosedRange<Int>, mayBeDamaged: Bool = false,
    _ place: @autoclosure () -> String
  ) {
    findings.noteLook()
    do {
      let digest = try digest(disk)
      let possible = possible.clamped(to: 0...history.count - 1)
      if history[possible].contains(digest) { return }
      let other = history.lastIndex(of: digest).map { "those after step \($0)" } ?? "none of ours"
      findings.note("\(place()): contents are \(other), not those after \(possible)")
    } catch let error as StackDigest.Wrong {
      findings.note("\(place()): \(error)")
    } catch {
      if !mayBeDamaged { findings.note("\(place()): \(error)") }
    }
  }

  /// The contents, found by a program that knows no types; and again after closing and opening.
  func digest(_ disk: SimulatedDisk) throws -> UInt64 {
    var options = workload.options
    options.createsFile = false
    var digests: [UInt64] = []
    for process in 0..<2 {
      let system = SimulatedSystem(disk, processID: 50 + Int32(process), seed: UInt64(process))
      do {
        let store = try Store(path: StackWorkload.path, options: options, fileSystem: system)
        let database = try Database(store)
        digests.append(try StackDigest.of(database))
        try database.close()
      } catch StoreError.system(.open, _, ENOENT) {
        digests.append(StackDigest.nothing)
      }
    }
    guard digests[0] == digests[1] else {
      throw StackDigest.Wrong("opening again finds other contents")
    }
    return digests[0]
  }
}

/// Counts what was looked at, and keeps the first things that were wrong.
final class StackFindings: Sendable {
  private let state = Guarded((count: 0, wrong: [String]()))
  var count: Int { state.withLock { $0.count } }
  var wrong: [String] { state.withLock { $0.wrong } }
  func noteLook() { state.withLock { $0.count += 1 } }
  func note(_ text: String) {
    state.withLock { if $0.wrong.count < 10 { $0.wrong.append(text) } }
  }
}
