import PageStore

extension FuzzTarget {
  /// Database files: checked, read, saved and written to.
  static let pages = [
    FuzzTarget(
      name: "page-raw", longestInput: 24 * 4096, seeds: { try FuzzedPages.rawSeeds.get() },
      run: { bytes throws(FuzzFinding) in try FuzzedPages.use(bytes) }),
    FuzzTarget(
      name: "page-sealed", longestInput: 24 * 4096, seeds: { try FuzzedPages.rawSeeds.get() },
      run: { bytes throws(FuzzFinding) in try FuzzedPages.use(SealedPages.seal(bytes)) }),
    FuzzTarget(
      name: "page-patched", longestInput: 256, seeds: { FuzzedPages.patchSeeds },
      run: { bytes throws(FuzzFinding) in
        var feed = ByteFeed(bytes)
        let samples = try FuzzedPages.samples()
        let sample = samples[feed.number(below: samples.count)]
        try FuzzedPages.use(SealedPages.seal(FuzzedPages.patch(sample, &feed)))
      }),
    FuzzTarget(
      name: "overflow-sealed", longestInput: 256, seeds: { FuzzedOverflow.seeds },
      run: { bytes throws(FuzzFinding) in try FuzzedOverflow.use(bytes) }),
  ]
}

/// Small databases, and what is asked of one.
enum FuzzedPages {
  static let path = "a.db"

  static var options: StoreOptions {
    var options = StoreOptions()
    options.pageByteCount = 4096
    options.reservedByteCount = 1 << 28
    options.writeBufferByteCount = 1 << 20
    options.busyTimeout = .zero
    return options
  }

  static let rawSeeds = Result { try [make([.tiny]), make([.small, .changedSmall])] }
  private static let allSamples = Result {
    try [make([.tiny]), make([.small, .changedSmall]), make([.deep])]
  }

  /// Databases with all kinds of pages.
  static func samples() throws(FuzzFinding) -> [[UInt8]] {
    switch allSamples {
    case .success(let samples): return samples
    case .failure(let error): throw FuzzFinding("no sample can be made: \(error)")
    }
  }

  /// The bytes of a database after these transactions, each with a checkpoint.
  static func make(_ samples: [FuzzedSample]) throws(StoreError) -> [UInt8] {
    let files = FuzzFiles()
    let store = try Store(path: path, options: options, fileSystem: files)
    for sample in samples {
      try store.write { (transaction) throws(StoreError) in try sample.fill(&transaction) }
      try store.checkpoint()
    }
    try store.close()
    // What is behind the last page in use is room that the writer had asked for.
    let file = LooseBytes(try files.bytes(path))
    return Array(file.slice(0..<file.u32(44) * 4096))
  }

  // MARK: Patches

  /// `sample` with some bytes replaced: page, place, count and bytes for each patch.
  static func patch(_ sample: [UInt8], _ feed: inout ByteFeed) -> [UInt8] {
    var bytes = sample
    while !feed.isEmpty {
      let page = Int(feed.byte()) % (sample.count / 4096)
      let place = feed.u16()
      // Half of the patches go to where headers and slots are.
      let offset = place & 0x8000 != 0 ? place % 128 : place % 4096
      let replacement = feed.take(1 + Int(feed.byte() % 8))
      for (index, byte) in replacement.enumerated() where offset + index < 4096 {
        bytes[page * 4096 + offset + index] = byte
      }
    }
    return bytes
  }

  static let patchSeeds: [[UInt8]] = [
    [0], [1, 2, 6, 128, 1, 9, 0], [1, 0, 48, 128, 3, 2, 0, 0, 0], [2, 5, 40, 128, 3, 1, 2, 3, 4],
    [1, 4, 36, 128, 1, 0, 8, 3, 4, 128, 0, 1, 6, 28, 128, 0, 200],
  ]

  // MARK: Use

  /// Checks, reads, saves and changes the database whose bytes are `bytes`.
  static func use(_ bytes: [UInt8]) throws(FuzzFinding) {
    let files = FuzzFiles()
    do throws(StoreError) {
      try files.place(path, bytes)
    } catch {
      throw FuzzFinding("no file can be made: \(error)")
    }
    var examination = StoreExamination(files)
    try examination.run()
  }
}
