extension Row {
  /// The ratio that is aimed at beside the peer of that name, or nil where there is no aim.
  func target(beside peer: String) -> Double? { Row.targets[name]?[peer] }

  /// The peers beside which a ratio is aimed at, each with that ratio: at least so many times better.
  ///
  /// "A size of at most 0.9 of LMDB's" is a ratio of 1.11, and "a third of its time" one of 3.
  private static let targets: [String: [String: Double]] = [
    "get": ["lmdb": 2],
    "get-2-threads": ["lmdb": 2],
    "get-hot": ["lmdb": 3],
    "multi-get-16": ["lmdb": 4.5],
    "scan-sorted": ["lmdb": 4],
    "scan-random": ["lmdb": 4],
    "range-10": ["lmdb": 2.3],
    "load-sorted": ["lmdb": 1.1],
    "load-random": ["lmdb": 2],
    "commit-durable": ["leveldb": 1.5],
    "commit-durable-8-threads": ["leveldb": 2],
    "commit-eventual": ["leveldb": 2],
    "delete-half": ["lmdb": 2],
    "open": ["lmdb": 3],
    "size-random": ["lmdb": 1 / 0.9],
    "filter-two-types": ["croaring": 1, "sqlite": 50],
    "filter-three-types": ["croaring": 1, "sqlite": 50],
    "filter-type-prefix": ["croaring": 1, "sqlite": 50],
    "filter-type-range": ["croaring": 1, "sqlite": 50],
    "prefix-1": ["sqlite": 10],
    "prefix-2": ["sqlite": 10],
    "prefix-3": ["sqlite": 10],
    "prefix-4": ["sqlite": 10],
    "prefix-5": ["sqlite": 10],
    "prefix-6": ["sqlite": 10],
    "prefix-7": ["sqlite": 10],
    "prefix-8": ["sqlite": 10],
    "portrait-read": ["liblz4": 0.8, "libpng": 5],
    "record-get": ["sqlite": 3],
    "browse-keystroke": ["16-ms": 1],
    "quests": ["c": 0.95],
    "quests-committed-2-threads": ["no-database": 0.8],
  ]
}
