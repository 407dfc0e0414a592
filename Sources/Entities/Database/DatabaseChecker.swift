internal import Index
internal import PageStore

/// Reads every record, and compares every index with the records.
struct DatabaseChecker {
  let context: ReadingContext
  private let meter: CheckMeter
  private(set) var report = DatabaseReport()

  init(_ context: ReadingContext, _ progress: ((CheckProgress) -> Bool)?) {
    self.context = context
    meter = CheckMeter(progress)
  }

  mutating func run() throws(DatabaseError) -> DatabaseReport {
    try countRows()
    for name in context.schemas.names {
      let layout = try context.schemas.layout(named: name)
      var agreement = try IndexAgreement(layout, context.source)
      try checkRecords(layout, &agreement)
      for part in agreement.parts {
        if try agreement.holds(for: part, context.source, meter) {
          report.indexCount += 1
        } else {
          meter.total += report.recordCounts[name] ?? 0
          let count = report.problemCount
          try findDifferences(layout, part)
          // The two look in different ways, so the one may see what the other does not.
          if report.problemCount == count && agreement.isPossible {
            report.note(
              .init(
                entity: name, field: part.field?.name ?? "*",
                "the index does not add up, and no row tells why"))
          }
        }
      }
    }
    return report
  }

  /// Compares an index with the records one by one, and notes what differs.
  private mutating func findDifferences(
    _ layout: EntityLayout, _ part: IndexAgreement.Part
  ) throws(DatabaseError) {
    switch (part.kind, part.field) {
    case (.unique, let field?): try checkUnique(layout, field)
    case (.index(let kind), let field?): try checkIndex(layout, field, kind)
    default: try checkIndex(layout, "*", [], IndexChecker(everything(layout))) { _ in .terms([[]]) }
    }
  }

  /// Counts how often a row will be looked at: once as a record, and once for each index.
  private func countRows() throws(DatabaseError) {
    for name in context.schemas.names {
      let layout = try context.schemas.layout(named: name)
      let count =
        try context.source.withTable(name) { table throws(DatabaseError) in table.count } ?? 0
      let passCount = layout.schema.fields.reduce(2) {
        $0 + ($1.isUnique ? 1 : 0) + ($1.heldIndex == nil ? 0 : 1)
      }
      meter.total += count * passCount
    }
  }

  private func everything(_ layout: EntityLayout) -> TermIndex {
    TermIndex(IndexMaintenance.everyName(entity: layout.name))
  }

  // MARK: Records

  private mutating func checkRecords(
    _ layout: EntityLayout, _ agreement: inout IndexAgreement
  ) throws(DatabaseError) {
    var found = report
    var count = 0
    var next = EntityID(0)
    var values: [FieldValue?] = []
    try forEachRow(layout, &found) { id, bytes, found throws(DatabaseError) in
      count += 1
      next = EntityID(id.rawValue + 1)
      var reader = RecordReader(untrusted: bytes, layout: layout)
      reader.read(into: &values)
      if let (number, damage) = reader.damage {
        let field = layout.name(ofField: number)
        agreement.giveUp()
        found.note(.init(entity: layout.name, id: id, field: field, "\(damage)"))
        return
      }
      try check(id, values, layout, &found)
      agreement.add(id, values)
    }
    found.recordCounts[layout.name] = count
    if try context.nextID(layout) < next {
      found.note(
        .init(entity: layout.name, "the next number is one that has been given out already"))
    }
    report = found
  }

  private func check(
    _ id: EntityID, _ values: [FieldValue?], _ layout: EntityLayout,
    _ found: inout DatabaseReport
  ) throws(DatabaseError) {
    for field in layout.ruled {
      for rule in field.rules {
        if let reason = RecordValidation.problem(values[field.number], rule) {
          found.note(.init(entity: layout.name, id: id, field: field.name, "\(reason)"))
        }
      }
    }
    for (field, entity) in layout.references {
      guard case .integer(let number) = values[field.number] else { continue }
      let target = EntityID(UInt64(bitPattern: number))
      if let targets = context.schemas.layoutIfPresent(named: entity), target <= .limit,
        try context.contains(targets, target)
      {
        continue
      }
      found.note(
        .init(
          entity: layout.name, id: id, field: field.name, "refers to \(entity) \(target), not there"
        ))
    }
  }

  /// Calls `body` with each row that has the key of a record.
  private func forEachRow(
    _ layout: EntityLayout, _ found: inout DatabaseReport,
    _ body: (EntityID, RawSpan, inout DatabaseReport) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let isThere: Void? = try context.source.withTable(layout.name) { table throws(DatabaseError) in
      try table.forEachRow { key, value throws(DatabaseError) in
        try meter.noteRow()
        if let id = EntityID(key: key) {
          try body(id, value, &found)
        } else {
          found.note(
            .init(entity: layout.name, "a row has a key of \(key.byteCount.counted("byte"))"))
        }
        return true
      }
    }
    if isThere == nil { found.note(.init(entity: layout.name, "the table of records is missing")) }
  }

  // MARK: Unique values

  private mutating func checkUnique(
    _ layout: EntityLayout, _ field: FieldDefinition
  ) throws(DatabaseError) {
    let unique = UniqueValues(layout: layout, field: field)
    var found = report
    var expected = 0
    let source = context.source
    let maintenance = IndexMaintenance(layout)
    try forEachReadable(layout) { id, bytes throws(DatabaseError) in
      let value = try maintenance.values(id, bytes, of: [field])[field.name]
      guard let key = try unique.key(of: value, id) else { return }
      expected += 1
      let owner = try unique.owner(of: key, source)
      if owner != id {
        let other = owner.map { "record \($0)" } ?? "no record"
        found.note(
          .init(
            entity: layout.name, id: id, field: field.name, "its unique value is that of \(other)"))
      }
    }
    let count =
      try source.withTable(unique.tableName) { table throws(DatabaseError) in table.count } ?? 0
    if count != expected {
      found.note(
        .init(
          entity: layout.name, field: field.name,
          "\(count.counted("unique value")) for \(expected.counted("record"))"))
    }
    found.indexCount += 1
    report = found
  }

  // MARK: Indexes

  private mutating func checkIndex(
    _ layout: EntityLayout, _ field: FieldDefinition, _ kind: FieldIndex
  ) throws(DatabaseError) {
    let name = IndexMaintenance.tableName(entity: layout.name, field: field.name)
    let maintenance = IndexMaintenance(layout)
    let checker =
      switch kind {
      case .terms: IndexChecker(TermIndex(name))
      case .words: IndexChecker(NameIndex(name))
      case .numbers: IndexChecker(NumericIndex(name))
      }
    let fields = kind == .words ? maintenance.fields(searchedBy: field) : [field]
    try checkIndex(layout, field.name, fields, checker) { record in
      switch kind {
      case .terms: .terms(Array(IndexTerms.terms(of: record[field.name])))
      case .words: .names(fields.flatMap { IndexTerms.texts(of: record[$0.name]) })
      case .numbers: .number(IndexTerms.key(of: record[field.name]))
      }
    }
  }

  private mutating func checkIndex(
    _ layout: EntityLayout, _ field: String, _ fields: [FieldDefinition],
    _ checker: IndexChecker, _ value: (Record) -> IndexedValue
  ) throws(DatabaseError) {
    var checker = checker
    let name = IndexMaintenance.tableName(entity: layout.name, field: field)
    let maintenance = IndexMaintenance(layout)
    let context = context
    let found = try context.source.withTable(name) { table throws(DatabaseError) in
      try forEachReadable(layout) { id, bytes throws(DatabaseError) in
        let expected = value(try maintenance.values(id, bytes, of: fields))
        try maintenance.indexing(field) { () throws(IndexError) in
          try checker.visit(id.row, expected, in: table)
        }
      }
      return try checker.finish(in: table) { row throws(DatabaseError) in
        let id = EntityID(row.rawValue)
        let record = try context.withRecord(layout, id) { bytes throws(DatabaseError) in
          try maintenance.values(id, bytes, of: fields)
        }
        return value(record ?? Record())
      }
    }
    report.indexCount += 1
    guard let found else {
      return report.note(.init(entity: layout.name, field: field, "the index is missing"))
    }
    for problem in found.problems {
      report.note(.init(entity: layout.name, id: problem.id, field: field, "\(problem)"))
    }
    report.note(found.problemCount - found.problems.count)
  }

  /// Calls `body` with each record that can be read; the others have been reported.
  private func forEachReadable(
    _ layout: EntityLayout, _ body: (EntityID, RawSpan) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    var ignored = DatabaseReport()
    try forEachRow(layout, &ignored) { id, bytes, _ throws(DatabaseError) in
      do throws(DatabaseError) {
        try body(id, bytes)
      } catch {
        guard case .corruptRecord = error else { throw error }
      }
    }
  }
}

extension IndexReport.Problem {
  fileprivate var id: EntityID? {
    switch self {
    case .missing(let row, _), .extra(let row, _): EntityID(row.rawValue)
    case .damaged: nil
    }
  }
}

extension DatabaseReading where Self: ~Copyable {
  /// Reads every record and compares every index with the records; changes nothing.
  ///
  /// The pages underneath are checked by `Store.check`.
  ///
  /// - Parameter progress: Called now and then; false gives up, and `.store(.cancelled)` is thrown.
  /// - Returns: What was read, and what is wrong with records and indexes.
  /// - Throws: What keeps it from reading on.
  public func check(
    progress: ((CheckProgress) -> Bool)? = nil
  ) throws(DatabaseError) -> DatabaseReport {
    try withReader { reader throws(DatabaseError) in
      var checker = DatabaseChecker(reader.context, progress)
      return try checker.run()
    }
  }
}

extension Database {
  /// Reads every record and compares every index with the records; changes nothing.
  ///
  /// - Parameter progress: Called now and then; false gives up, and `.store(.cancelled)` is thrown.
  /// - Returns: What was read, and what is wrong with records and indexes.
  /// - Throws: What keeps it from reading on.
  public func check(
    progress: ((CheckProgress) -> Bool)? = nil
  ) throws(DatabaseError) -> DatabaseReport { try snapshot().check(progress: progress) }
}
