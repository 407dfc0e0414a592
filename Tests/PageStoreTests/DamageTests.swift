import PageStore
import SimulatedDisk
import Testing

@Suite(.serialized) struct `Damaged files` {
  static func workload(seed: UInt64, pageByteCount: Int = 4096) -> Workload {
    Workload(
      name: "small", seed: seed, eventCount: 20, valueByteCounts: [8, 100, 6000],
      pageByteCount: pageByteCount)
  }

  @Test(arguments: [true, false], [4096, 8192])
  func `give right contents or an error, whichever bit is flipped`(
    isClosed: Bool, pageByteCount: Int
  ) throws {
    let findings = Findings()
    var run = try DamageRun(
      Self.workload(seed: 1, pageByteCount: pageByteCount), isClosed: isClosed,
      findings: findings)
    for path in run.files.keys.sorted() {
      run.flipBits(of: path, count: SuiteSize.scaled(700), seed: 3)
      run.flipBits(of: path, count: SuiteSize.scaled(300), seed: 4, repairing: true)
    }
    #expect(findings.wrong == [])
    #expect(run.refusedCount > 0)
    #expect(run.openedCount > 0)
  }

  @Test(arguments: [true, false])
  func `give right contents or an error, however short they are`(isClosed: Bool) throws {
    let findings = Findings()
    var run = try DamageRun(Self.workload(seed: 2), isClosed: isClosed, findings: findings)
    for path in run.files.keys.sorted() {
      run.truncate(path, count: SuiteSize.scaled(300), seed: 5)
    }
    #expect(findings.wrong == [])
  }

  @Test(arguments: UInt64(0)..<4)
  func `give right contents or an error where a write was lost or went astray`(
    seed: UInt64
  ) throws {
    let findings = Findings()
    var workload = Self.workload(seed: seed)
    var run = try DamageRun(workload, isClosed: true, findings: findings)
    workload.eventCount -= 3
    let older = try DamageRun(workload, isClosed: true, findings: findings)
    let oldBytes = older.files[WorkloadRun.path] ?? []
    let pageCount = (run.files[WorkloadRun.path]?.count ?? 0) / 4096
    for page in 2..<pageCount {
      let range = page * 4096..<(page + 1) * 4096
      if range.upperBound <= oldBytes.count {
        run.look(WorkloadRun.path, "page \(page) as it was") {
          $0.replaceSubrange(range, with: oldBytes[range])
        }
      }
      run.look(WorkloadRun.path, "page \(page) over the next one") {
        let bytes = Array($0[range])
        if range.upperBound + 4096 <= $0.count {
          $0.replaceSubrange(range.upperBound..<range.upperBound + 4096, with: bytes)
        }
      }
    }
    #expect(findings.wrong == [])
    #expect(run.refusedCount > 0)
  }

  /// Ways to harm the meta pages of a store whose pages have 4096 bytes.
  enum Harm: String, CaseIterable, Sendable {
    case zeroFirst, zeroSecond, zeroBoth, swap, onesInFirst, onesInBoth
  }

  @Test(arguments: Harm.allCases, [true, false])
  func `are opened by one meta page, and never by none`(harm: Harm, isClosed: Bool) throws {
    let findings = Findings()
    var run = try DamageRun(Self.workload(seed: 6), isClosed: isClosed, findings: findings)
    run.look(WorkloadRun.path, harm.rawValue) { bytes in
      let first = Array(bytes[0..<4096])
      let second = Array(bytes[4096..<8192])
      let zeros = [UInt8](repeating: 0, count: 4096)
      let ones = [UInt8](repeating: 0xFF, count: 4096)
      let (newFirst, newSecond) =
        switch harm {
        case .zeroFirst: (zeros, second)
        case .zeroSecond: (first, zeros)
        case .zeroBoth: (zeros, zeros)
        case .swap: (second, first)
        case .onesInFirst: (ones, second)
        case .onesInBoth: (ones, ones)
        }
      bytes.replaceSubrange(0..<8192, with: newFirst + newSecond)
    }
    #expect(findings.wrong == [])
    #expect(run.refusedCount == (harm == .zeroBoth || harm == .onesInBoth ? 1 : 0))
  }
}
