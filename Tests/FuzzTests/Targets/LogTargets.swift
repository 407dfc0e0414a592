import PageStore

extension FuzzTarget {
  /// Replay of a log, in halves of 4096 bytes: what it gives is in order, and each body is read.
  static let logs = [
    FuzzTarget(
      name: "log-raw", longestInput: 4096 * 3, seeds: { try FuzzedLog.seeds() },
      run: { bytes throws(FuzzFinding) in
        var file = bytes
        file += [UInt8](repeating: 0, count: max(0, 4096 * 3 - file.count))
        try FuzzedLog.replay(file, from: 0)
      }),
    FuzzTarget(
      name: "log-sealed", longestInput: 1 + 4096 * 2, seeds: { try FuzzedLog.sealedSeeds() },
      run: { bytes throws(FuzzFinding) in
        guard let first = bytes.first else { return }
        let halves = [UInt8](bytes.dropFirst())
        var file = try FuzzedLog.header()
        for half in 0..<2 {
          let piece = Array(halves.dropFirst(half * 4096).prefix(4096))
          file += SealedLog.sealHalf(piece, half: half, salt: FuzzedLog.salt.rawValue)
          file += [UInt8](repeating: 0, count: 4096 * (2 + half) - file.count)
        }
        try FuzzedLog.replay(file, from: UInt64(first % 4))
      }),
  ]
}

/// A small log, and what is asked of it.
enum FuzzedLog {
  static let identity = StoreIdentity(high: 1, low: 2)
  static let salt = LogSalt(0x0102_0304_0506_0708)
  static let geometry = LogGeometry(initialHalf: 4096, halfCapacity: 4096)
  static let path = "a.db-log"

  /// The first 4096 bytes of such a log.
  static func header() throws(FuzzFinding) -> [UInt8] {
    do throws(StoreError) {
      return Array(try make { _ throws(StoreError) in }.prefix(4096))
    } catch {
      throw FuzzFinding("no log can be made: \(error)")
    }
  }

  /// The bytes of a log to which `append` has added.
  private static func make(
    _ append: (inout LogTail) throws(StoreError) -> Void
  ) throws(StoreError) -> [UInt8] {
    let files = FuzzFiles()
    let log = try LogFile.create(
      in: files, path: path, identity: identity, salt: salt, permissions: 0o600,
      geometry: geometry)
    var tail = LogTail(salt: salt, geometry: geometry)
    try append(&tail)
    for chunk in tail.takeUnwritten() { try log.write(chunk) }
    log.close()
    return try files.bytes(path)
  }

  private static let bodies: [[UInt8]] = [
    [5, 1, 0, 0, 0, 1, 0, 116],
    [1, 1, 0, 0, 0, 3, 0, 5, 0, 0, 0, 107, 101, 121, 118, 97, 108, 117, 101],
    [2, 1, 0, 0, 0, 3, 0, 107, 101, 121], [3, 1, 0, 0, 0, 1, 0, 1, 0, 97, 98],
    [4, 1, 0, 0, 0, 1, 0, 97], [7, 1, 0, 0, 0, 2, 0, 117, 117], [6, 1, 0, 0, 0], [],
  ]

  static func seeds() throws -> [[UInt8]] {
    try [1, 4, 8].map { count in
      try make { tail throws(StoreError) in
        for number in 1...count {
          bodies[number - 1].withUnsafeBytes { body in
            _ = tail.append(
              transaction: TransactionNumber(UInt64(number)),
              durable: TransactionNumber(UInt64(max(0, number - 2))), operations: body)
          }
          if number == 4 { tail.switchHalf() }
        }
        _ = tail.appendMark(
          newest: TransactionNumber(UInt64(count)), durable: TransactionNumber(UInt64(count)))
      }
    }
  }

  /// The same without the header, and behind it the number of the durable state.
  static func sealedSeeds() throws -> [[UInt8]] {
    try seeds().flatMap { seed in
      let halves = [UInt8](seed.dropFirst(4096))
      let end = (halves.lastIndex { $0 != 0 } ?? 0) + 1
      return [[0] + halves[..<end], [2] + halves[..<end]]
    }
  }

  /// Replays the log whose bytes are `file`, strictly and for a salvage.
  static func replay(_ file: [UInt8], from durable: UInt64) throws(FuzzFinding) {
    let files = FuzzFiles()
    do throws(StoreError) {
      try files.place(path, file)
    } catch {
      throw FuzzFinding("no file can be made: \(error)")
    }
    let strict = try replay(files, durable, salvage: false)
    let saved = try replay(files, durable, salvage: true)
    try FuzzFinding.unless(
      saved.starts(with: strict), "a salvage finds \(saved) where replay finds \(strict)")
  }

  /// The numbers of the transactions that replay gives.
  private static func replay(
    _ files: FuzzFiles, _ durable: UInt64, salvage: Bool
  ) throws(FuzzFinding) -> [UInt64] {
    var numbers: [UInt64] = []
    do throws(StoreError) {
      let log = try LogFile.open(
        in: files, path: path, identity: identity, salt: salt, mode: .readOnly,
        geometry: geometry, salvage: salvage)
      defer { log.close() }
      var replay = try LogReplay(
        log, from: .start, after: TransactionNumber(durable), salvage: salvage)
      while let frame = try replay.next() {
        numbers.append(frame.transaction.rawValue)
        readOperations(of: frame)
      }
      _ = replay.newestTransactionSeen
    } catch {
      // An error that says what is wrong is an answer.
    }
    let isInOrder = zip(numbers, numbers.dropFirst()).allSatisfy {
      salvage ? $0 < $1 : $0 + 1 == $1
    }
    try FuzzFinding.unless(
      isInOrder && (salvage || numbers.first ?? durable + 1 == durable + 1),
      "replay from \(durable) gives \(numbers)")
    return numbers
  }

  private static func readOperations(of frame: LogReplay.Frame) {
    do throws(StoreError) {
      var operations = OperationReader(untrusted: frame.body, path: path)
      while try operations.next() != nil {}
    } catch {
      // The body is no operations.
    }
  }
}
