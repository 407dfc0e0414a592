internal import Index
internal import PageStore

/// Compares all indexes of an entity with its records, which are read once for all of them.
///
/// It tells only whether an index agrees; where one does not, or a record cannot be read, somebody
/// else has to look closer.
struct IndexAgreement {
  /// One index, or what makes a field unique.
  struct Part {
    enum Kind {
      case everything
      case unique
      case index(FieldIndex)
    }

    let kind: Kind
    /// Nil is the index of all records.
    let field: FieldDefinition?
    let table: String
    /// The numbers of the fields whose values are looked at.
    fileprivate let numbers: [Int]
    /// Nil for what makes a field unique, and where the table of an index is missing.
    fileprivate var comparison: IndexComparison?
    /// The pairs of a unique value and its record.
    fileprivate var owners = PairSum()
  }

  private let layout: EntityLayout
  private(set) var parts: [Part]
  /// False where a record could not be read, which has been reported.
  private(set) var isPossible = true
  private var rowCount = 0

  /// - Throws: What the store throws.
  init(_ layout: EntityLayout, _ source: RowSource) throws(DatabaseError) {
    self.layout = layout
    let entity = layout.name
    let everyName = IndexMaintenance.everyName(entity: entity)
    parts = [
      Part(
        kind: .everything, field: nil, table: everyName, numbers: [],
        comparison: IndexComparison(TermIndex(everyName)))
    ]
    for field in layout.schema.fields {
      if field.isUnique {
        let table = UniqueValues.tableName(entity: entity, field: field.name)
        parts.append(Part(kind: .unique, field: field, table: table, numbers: [field.number]))
      }
      guard let kind = field.heldIndex else { continue }
      let table = IndexMaintenance.tableName(entity: entity, field: field.name)
      let maintenance = IndexMaintenance(layout)
      let fields = kind == .words ? maintenance.fields(searchedBy: field) : [field]
      var part = Part(
        kind: .index(kind), field: field, table: table, numbers: fields.map(\.number))
      switch kind {
      case .terms: part.comparison = IndexComparison(TermIndex(table))
      case .numbers: part.comparison = IndexComparison(NumericIndex(table))
      case .words:
        part.comparison = try source.withTable(table) { rows throws(DatabaseError) in
          try maintenance.indexing(field.name) { () throws(IndexError) in
            try IndexComparison(NameIndex(table), in: rows)
          }
        }
      }
      parts.append(part)
    }
  }

  /// Notes that a record cannot be read, so that nothing can be said.
  mutating func giveUp() { isPossible = false }

  /// Notes a record, whose values stand at the numbers of their fields.
  mutating func add(_ id: EntityID, _ values: [FieldValue?]) {
    rowCount += 1
    for place in parts.indices {
      switch parts[place].kind {
      case .everything: parts[place].comparison?.add(id.row, .terms([[]]))
      case .unique: addUnique(id, values, at: place)
      case .index(let kind):
        guard let number = parts[place].numbers.first else { continue }
        switch kind {
        case .terms:
          parts[place].comparison?.add(
            id.row, .terms(Array(IndexTerms.terms(of: values[number]))))
        case .numbers:
          parts[place].comparison?.add(id.row, .number(IndexTerms.key(of: values[number])))
        case .words:
          let texts = parts[place].numbers.flatMap { IndexTerms.texts(of: values[$0]) }
          parts[place].comparison?.add(id.row, .names(texts))
        }
      }
    }
  }

  private mutating func addUnique(_ id: EntityID, _ values: [FieldValue?], at place: Int) {
    guard let field = parts[place].field else { return }
    do throws(DatabaseError) {
      let unique = UniqueValues(layout: layout, field: field)
      guard let key = try unique.key(of: values[field.number], id) else { return }
      parts[place].owners.add(TermHash.start.folding(key), id.rawValue)
    } catch {
      giveUp()
    }
  }

  /// True where the index holds what came, and nothing else.
  ///
  /// - Throws: What the store throws, and what `meter` throws, which counts the rows.
  func holds(
    for part: Part, _ source: RowSource, _ meter: CheckMeter
  ) throws(DatabaseError) -> Bool {
    guard isPossible else { return false }
    var visited = 0
    let holds = try source.withTable(part.table) { table throws(DatabaseError) in
      try IndexMaintenance(layout).indexing(part.field?.name ?? "*") {
        () throws(IndexError) in
        func visit() throws(StoreError) {
          // There may be more lists than rows.
          if visited == rowCount { return try meter.ask() }
          visited += 1
          try meter.note()
        }
        if let comparison = part.comparison { return try comparison.agrees(in: table, visit) }
        guard case .unique = part.kind else { return false }
        do throws(StoreError) {
          return try owners(in: table, visit) == part.owners
        } catch {
          throw .store(error)
        }
      }
    }
    guard holds == true else { return false }
    do throws(StoreError) {
      try meter.note(rowCount - visited)
    } catch {
      throw .store(error)
    }
    return true
  }

  /// The pairs in a table of unique values; nil where one of them names no record.
  private func owners(
    in table: Table, _ visit: () throws(StoreError) -> Void
  ) throws(StoreError) -> PairSum? {
    var sum = PairSum()
    var cursor = table.cursor()
    while try cursor.next() {
      try visit()
      guard let id = EntityID(key: try cursor.value) else { return nil }
      sum.add(TermHash.start.folding(cursor.key), id.rawValue)
    }
    return sum
  }
}
