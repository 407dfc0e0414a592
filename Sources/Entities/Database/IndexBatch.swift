internal import Index
internal import PageStore

/// What many new records add to indexes of their entity, gathered in memory and then written.
///
/// An index is written in the order of its keys, each cell once for all of its rows.
struct IndexBatch {
  private let maintenance: IndexMaintenance
  private var parts: [Part]

  /// The most bytes that are gathered.
  private static let byteLimit = 64 << 20

  /// One index's share.
  private struct Part {
    /// Nil is the index of all records.
    let field: FieldDefinition?
    let table: String
    /// The numbers of the fields whose values the index looks at.
    let numbers: [Int]
    let isOfWords: Bool
    var builder: any FieldIndexBuilder
  }

  /// A batch for the indexes of those fields, and for that of all records where it is wanted.
  init(_ maintenance: IndexMaintenance, fields: [FieldDefinition], everything: Bool) {
    self.maintenance = maintenance
    let entity = maintenance.layout.name
    parts = fields.compactMap { field in
      let table = IndexMaintenance.tableName(entity: entity, field: field.name)
      let builder: (any FieldIndexBuilder)? =
        switch field.heldIndex {
        case nil: nil
        case .terms: TermIndexBuilder(TermIndex(table))
        case .words: NameIndexBuilder(NameIndex(table))
        case .numbers: NumericIndexBuilder(NumericIndex(table))
        }
      let isOfWords = field.heldIndex == .words
      let numbers =
        isOfWords ? maintenance.fields(searchedBy: field).map(\.number) : [field.number]
      return builder.map {
        Part(field: field, table: table, numbers: numbers, isOfWords: isOfWords, builder: $0)
      }
    }
    if everything {
      let table = IndexMaintenance.everyName(entity: entity)
      parts.append(
        Part(
          field: nil, table: table, numbers: [], isOfWords: false,
          builder: TermIndexBuilder(TermIndex(table))))
    }
  }

  /// True once `write` should be called.
  var isFull: Bool { parts.reduce(0) { $0 + $1.builder.byteCount } >= IndexBatch.byteLimit }

  /// Notes a record, of which the indexes have nothing yet.
  mutating func add(_ id: EntityID, _ values: Record) throws(DatabaseError) {
    var places = [FieldValue?](repeating: nil, count: maintenance.layout.wires.count)
    for field in maintenance.layout.indexed { places[field.number] = values[field.name] }
    try add(id, places)
  }

  /// Notes a record, whose values stand at the numbers of their fields.
  mutating func add(_ id: EntityID, _ values: [FieldValue?]) throws(DatabaseError) {
    for place in parts.indices {
      do throws(IndexError) {
        guard let number = parts[place].numbers.first else {
          // All records have the same term, which is empty.
          try parts[place].builder.add(id.row, .text(""), texts: [])
          continue
        }
        if parts[place].isOfWords {
          let texts = parts[place].numbers.flatMap { IndexTerms.texts(of: values[$0]) }
          try parts[place].builder.add(id.row, nil, texts: texts)
        } else {
          try parts[place].builder.add(id.row, values[number], texts: [])
        }
      } catch {
        throw DatabaseError(
          error, entity: maintenance.layout.name, field: parts[place].field?.name ?? "*")
      }
    }
  }

  /// Writes what was gathered.
  mutating func write(_ store: inout WriteTransaction) throws(DatabaseError) {
    for place in parts.indices {
      try maintenance.indexing(parts[place].field?.name ?? "*") { () throws(IndexError) in
        let table: TableHandle
        do throws(StoreError) {
          table = try store.createTableIfNeeded(parts[place].table)
        } catch {
          throw .store(error)
        }
        try parts[place].builder.flush(in: table, of: &store)
      }
    }
  }
}

/// Gathers rows for one index, whatever it holds of them.
private protocol FieldIndexBuilder: IndexBuilder {
  /// Adds what the index holds of a value, or of texts where it is one of words.
  mutating func add(_ row: RowID, _ value: FieldValue?, texts: [String]) throws(IndexError)
}

extension TermIndexBuilder: FieldIndexBuilder {
  fileprivate mutating func add(
    _ row: RowID, _ value: FieldValue?, texts: [String]
  ) throws(IndexError) {
    for term in IndexTerms.terms(of: value) { try add(row, term) }
  }
}

extension NameIndexBuilder: FieldIndexBuilder {
  fileprivate mutating func add(
    _ row: RowID, _ value: FieldValue?, texts: [String]
  ) throws(IndexError) {
    add(row, texts)
  }
}

extension NumericIndexBuilder: FieldIndexBuilder {
  fileprivate mutating func add(
    _ row: RowID, _ value: FieldValue?, texts: [String]
  ) throws(IndexError) {
    if let key = IndexTerms.key(of: value) { add(row, key) }
  }
}
