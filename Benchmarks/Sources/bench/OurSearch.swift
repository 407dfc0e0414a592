#if HAVE_PAGESTORE
  import Index
  import PageStore

  /// The indexes of this project in a file, read from its mapped pages.
  final class OurFilters: FilterEngine {
    static let name = "ours"
    static let checks = "the checksum of every page, verified when a process first reads it"

    private let store: Store
    private let snapshot: Snapshot
    private let types = TermIndex("types")
    private let numbers = NumericIndex("numbers")
    private let names = NameIndex("names")

    init(_ rows: SearchRows, path: String) throws {
      store = try Store(path: path + "/search.dex")
      let (types, numbers) = (types, numbers)
      try store.write { (transaction) throws(IndexError) in
        let typeTable = try types.create(in: &transaction)
        let numberTable = try numbers.create(in: &transaction)
        var typeBuilder = TermIndexBuilder(types)
        var numberBuilder = NumericIndexBuilder(numbers)
        for number in 0..<rows.count {
          let row = RowID(rawValue: UInt64(number))
          for type in 0..<SearchRows.typeCount where rows.types[number] >> UInt32(type) & 1 == 1 {
            try typeBuilder.add(row, [UInt8(type)])
          }
          numberBuilder.add(row, NumericKey(Int64(rows.numbers[number])))
          if typeBuilder.isFull { try typeBuilder.flush(in: typeTable, of: &transaction) }
          if numberBuilder.isFull { try numberBuilder.flush(in: numberTable, of: &transaction) }
        }
        try typeBuilder.flush(in: typeTable, of: &transaction)
        try numberBuilder.flush(in: numberTable, of: &transaction)
      }
      try store.add(rows, to: names)
      snapshot = try store.snapshot()
    }

    func answer(_ filter: SearchFilter) throws -> PostingSet {
      var parts = filter.types.map { IndexQuery.term(index: types.name, [UInt8($0)]) }
      switch filter.kind {
      case .twoTypes, .threeTypes: break
      case .typeAndPrefix:
        parts.append(.prefix(index: names.name, filter.prefix, at: .anywhere))
      case .typeAndRange:
        parts.append(
          .range(
            index: numbers.name, from: NumericKey(Int64(filter.lower)),
            through: NumericKey(Int64(filter.upper))))
      }
      return try IndexQuery.all(parts).rows(in: snapshot, universe: .nothing)
    }

    func rows(of answer: PostingSet) -> [UInt32] { answer.map { UInt32($0.rawValue) } }
  }

  /// The name index of this project in a file.
  final class OurNames: NameEngine {
    static let name = "ours"
    static let checks = OurFilters.checks

    private let store: Store
    private let snapshot: Snapshot
    private let names = NameIndex("names")

    init(_ rows: SearchRows, path: String) throws {
      store = try Store(path: path + "/names.dex")
      try store.add(rows, to: names)
      snapshot = try store.snapshot()
    }

    func first(_ limit: Int, prefix: String) throws -> [UInt32] {
      let snapshot = snapshot
      let table = try snapshot.table(names.name)
      return try names.first(limit, withPrefix: prefix, in: table).map { UInt32($0.rawValue) }
    }
  }

  extension Store {
    fileprivate func add(_ rows: SearchRows, to names: NameIndex) throws {
      try write { (transaction) throws(IndexError) in
        let table = try names.create(in: &transaction)
        var builder = NameIndexBuilder(names)
        for number in 0..<rows.count {
          builder.add(
            RowID(rawValue: UInt64(number)), [rows.names[number].joined(separator: " ")])
          if builder.isFull { try builder.flush(in: table, of: &transaction) }
        }
        try builder.flush(in: table, of: &transaction)
      }
    }
  }
#endif
