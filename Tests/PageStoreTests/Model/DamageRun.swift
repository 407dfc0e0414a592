import PageStore
import SimulatedDisk

/// Damages the files of a small store, one bit or one length at a time, and opens and reads it.
///
/// That must give contents which are right, or an error of the store; never others, a trap, or more
/// work than such a small store is worth.
struct DamageRun {
  /// The files, as they lie on the disk.
  let files: [String: [UInt8]]
  /// The contents that are right.
  let digests: Set<UInt64>
  /// All contents that there ever were: what is right where the log was cut, which cannot be told
  /// from a torn tail.
  let olderDigests: Set<UInt64>
  let options: StoreOptions
  let findings: Findings
  private(set) var openedCount = 0
  private(set) var refusedCount = 0

  /// The files that `workload` leaves: closed, or as they are when its process is killed.
  init(_ workload: Workload, isClosed: Bool, findings: Findings) throws {
    var disk = SimulatedDisk(maximumFileByteCount: 16 << 20)
    let run = WorkloadRun(workload, on: SimulatedSystem(disk, seed: workload.seed))
    try run.run()
    if isClosed, run.store != nil { try run.close() }
    disk = disk.killImage()
    run.finish()
    var files: [String: [UInt8]] = [:]
    for name in disk.names { files[name] = disk.contents(of: name) }
    self.files = files
    // What rots in the very last frame looks like a torn tail.
    digests = Set(run.history.suffix(isClosed ? 1 : 2))
    olderDigests = Set(run.history)
    options = workload.options
    self.findings = findings
  }

  /// Looks at the files with `change` made to the one at `path`.
  mutating func look(
    _ path: String, _ place: @autoclosure () -> String, change: (inout [UInt8]) -> Void
  ) {
    let disk = SimulatedDisk(maximumFileByteCount: 16 << 20)
    for (name, bytes) in files {
      var bytes = bytes
      if name == path { change(&bytes) }
      disk.setContents(of: name, to: bytes)
    }
    var options = options
    options.createsFile = false
    do {
      let store = try Store(
        path: WorkloadRun.path, options: options, fileSystem: SimulatedSystem(disk))
      let digest = try StoreDigest.of(store)
      let isCutLog = path.hasSuffix("-log") && place().contains(" cut to ")
      if !(isCutLog ? olderDigests : digests).contains(digest) {
        findings.note("\(place()): other contents")
      }
      openedCount += 1
      if openedCount % 4 == 0 { try write(store) }
    } catch is StoreError {
      refusedCount += 1
    } catch {
      findings.note("\(place()): \(error)")
    }
    if disk.operationCount > CrashCheck.operationLimit {
      findings.note("\(place()): \(disk.operationCount) operations")
    }
  }

  private func write(_ store: Store) throws {
    for number in 0..<3 {
      try store.write { transaction in
        let table = try transaction.createTableIfNeeded("written afterwards")
        try transaction.put("key \(number)", "value", in: table)
      }
    }
    try store.close()
  }

  /// Flips one bit of the file at `path`, `count` times, wherever the seed says.
  ///
  /// With `repairing`, the checksum of the page is made to fit again.
  mutating func flipBits(of path: String, count: Int, seed: UInt64, repairing: Bool = false) {
    guard let length = files[path]?.count, length > 0 else { return }
    var random = SplitMix64(seed: seed)
    for _ in 0..<count {
      // Half of them near the beginning, where the fields are.
      let offset = random.number(in: 0..<(random.chance(30) ? min(length, 20_000) : length))
      let bit = random.number(in: 0..<8)
      let pageByteCount = options.pageByteCount
      look(path, "bit \(bit) of byte \(offset) of \(path)\(repairing ? ", repaired" : "")") {
        $0[offset] ^= 1 << UInt8(bit)
        if repairing {
          PageRepair.repair(&$0, pageAt: offset / pageByteCount * pageByteCount, pageByteCount)
        }
      }
    }
  }

  /// Cuts the file at `path` to `count` lengths.
  mutating func truncate(_ path: String, count: Int, seed: UInt64) {
    guard let length = files[path]?.count, length > 0 else { return }
    var random = SplitMix64(seed: seed)
    for number in 0..<count {
      let edge = random.number(in: 0..<length / 512 + 1) * 512
      let end = number % 2 == 0 ? min(edge, length) : random.number(in: 0..<length)
      look(path, "\(path) cut to \(end) bytes") { $0.removeLast($0.count - end) }
    }
  }
}

/// Makes the checksums of changed pages fit again.
enum PageRepair {
  static func repair(_ bytes: inout [UInt8], pageAt start: Int, _ pageByteCount: Int) {
    guard start + pageByteCount <= bytes.count else { return }
    let isMeta = start < 2 * pageByteCount
    let end = isMeta ? start + 512 : start + pageByteCount
    var crc = crc32c(bytes[start + 4..<end])
    if crc == 0 { crc = 1 }
    for index in 0..<4 {
      bytes[start + index] = UInt8(truncatingIfNeeded: crc >> UInt32(8 * index))
    }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1 }
  }

  static func crc32c(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var crc = ~UInt32(0)
    for byte in bytes { crc = crc >> 8 ^ table[Int((crc ^ UInt32(byte)) & 0xFF)] }
    return ~crc
  }
}
