/// Counts records together by the values of fields.
///
/// A record with several values in a field counts in each of them; one without a value in a group of
/// its own. Without fields, all records are one group.
struct Grouping {
  private let execution: QueryExecution
  private let groups: [(path: FieldPath, access: FieldAccess)]
  private let columns: [ResultColumn]
  private let parts: [Part]
  private let order: [(part: Part, isDescending: Bool)]

  /// What stands in a column.
  private enum Part: Equatable {
    case key(Int)
    case count
    case aggregate(Aggregate, Int)
  }

  /// The fields of which something is made.
  private let measured: [NumericSum]

  init(_ execution: QueryExecution) throws(DatabaseError) {
    self.execution = execution
    let query = execution.query
    let layout = execution.layout
    var groups: [(path: FieldPath, access: FieldAccess)] = []
    for path in query.groups {
      let access = try FieldAccess.resolve(path, in: layout)
      switch access.kind {
      case .bytes, .translations: throw .invalidQuery("\(path.name) cannot be grouped by")
      default: groups.append((path, access))
      }
    }
    self.groups = groups
    var shown = query.columns
    if shown.isEmpty { shown = [.count] }
    let keys = query.groups.map { Column.field($0) }
    shown = keys + shown.filter { !keys.contains($0) }
    var measured: [NumericSum] = []
    var paths: [FieldPath] = []
    var parts: [Part] = []
    var columns: [ResultColumn] = []
    func part(_ column: Column) throws(DatabaseError) -> Part {
      switch column {
      case .count: return .count
      case .field(let path):
        guard let place = query.groups.firstIndex(of: path) else {
          throw .invalidQuery("\(path.title) is neither a group nor made of one")
        }
        return .key(place)
      case .aggregate(let aggregate, let path):
        if let place = paths.firstIndex(of: path) { return .aggregate(aggregate, place) }
        measured.append(try NumericSum([path], in: layout))
        paths.append(path)
        return .aggregate(aggregate, paths.count - 1)
      }
    }
    for column in shown {
      parts.append(try part(column))
      columns.append(try Grouping.resultColumn(column, in: layout))
    }
    var order: [(part: Part, isDescending: Bool)] = []
    for key in query.order {
      order.append((try part(try Grouping.column(of: key)), key.isDescending))
    }
    self.measured = measured
    self.parts = parts
    self.columns = columns
    self.order = order
  }

  /// What a sort key means for groups: one of their keys, or what is made of them.
  private static func column(of key: SortKey) throws(DatabaseError) -> Column {
    switch key.source {
    case .column(let column): return column
    case .fields(let paths):
      if paths.count != 1 { throw .invalidQuery("groups have no sums") }
      return .field(paths[0])
    }
  }

  private static func resultColumn(
    _ column: Column, in layout: EntityLayout
  ) throws(DatabaseError) -> ResultColumn {
    switch column {
    case .count: return ResultColumn(column, title: column.title, kind: .integer)
    case .field(let path):
      let access = try FieldAccess.resolve(path, in: layout)
      return ResultColumn(column, title: column.title, kind: access.kind, unit: access.unit)
    case .aggregate(let aggregate, let path):
      let access = try FieldAccess.resolve(path, in: layout)
      return ResultColumn(
        column, title: column.title, kind: aggregate == .average ? .real : access.kind,
        unit: access.unit)
    }
  }

  // MARK: Counting

  private struct Measure {
    var count = 0
    var sum: Int128 = 0
    var realSum = 0.0
    var least: ExactNumber?
    var greatest: ExactNumber?

    mutating func add(_ number: ExactNumber) {
      count += 1
      switch number {
      case .fraction(let parts, _): sum += parts
      case .real(let real): realSum += real
      }
      if least.map({ number.compared(to: $0) < 0 }) ?? true { least = number }
      if greatest.map({ number.compared(to: $0) > 0 }) ?? true { greatest = number }
    }
  }

  private struct Group {
    var keys: [FieldValue?]
    var count = 0
    var measures: [Measure]
  }

  func result() throws(DatabaseError) -> QueryResult {
    var places: [[FieldValue?]: Int] = [:]
    var found: [Group] = []
    if groups.isEmpty {
      found = [Group(keys: [], measures: measured.map { _ in Measure() })]
      places[[]] = 0
    }
    try execution.forEachMatch { row throws(DatabaseError) in
      var numbers: [ExactNumber?] = []
      for sum in measured { numbers.append(try sum.value(of: &row)) }
      for keys in try keys(of: &row) {
        let place = places[keys] ?? found.count
        if place == found.count {
          places[keys] = place
          found.append(Group(keys: keys, measures: measured.map { _ in Measure() }))
        }
        found[place].count += 1
        for (index, number) in numbers.enumerated() {
          if let number { found[place].measures[index].add(number) }
        }
      }
      return true
    }
    return QueryResult(columns: columns, rows: rows(found))
  }

  /// The groups to which a record belongs.
  private func keys(of row: inout RecordRow) throws(DatabaseError) -> [[FieldValue?]] {
    var keys: [[FieldValue?]] = [[]]
    for (_, access) in groups {
      let value = try row.value(access)
      var choices: [FieldValue?] = [value]
      if case .names(let names) = value {
        choices = names.isEmpty ? [nil] : Set(names).map { .text($0) }
      }
      keys = keys.flatMap { key in choices.map { key + [$0] } }
    }
    return keys
  }

  // MARK: Rows

  private func rows(_ found: [Group]) -> [ResultRow] {
    let sorted = found.map { group in
      (
        group: group,
        values: order.map { sortValue($0.part, group) },
        keys: groups.indices.map { sortValue(.key($0), group) }
      )
    }.sorted { left, right in
      for (index, key) in order.enumerated() {
        let comparison = SortOrder.compare(
          left.values[index], right.values[index], isDescending: key.isDescending)
        if comparison != 0 { return comparison < 0 }
      }
      for index in groups.indices {
        let comparison = SortOrder.compare(
          left.keys[index], right.keys[index], isDescending: false)
        if comparison != 0 { return comparison < 0 }
      }
      return false
    }
    let page = sorted.dropFirst(execution.query.offset).prefix(execution.query.limit ?? .max)
    return page.map { entry in
      ResultRow(id: nil, values: parts.map { value($0, entry.group) })
    }
  }

  private func sortValue(_ part: Part, _ group: Group) -> SortValue? {
    switch part {
    case .key(let place):
      var kind = groups[place].access.kind
      if case .names(let list?) = kind { kind = .vocabulary(list) }
      return SortValue(group.keys[place], kind)
    case .count: return .number(.fraction(Int128(group.count), over: 1))
    case .aggregate(let aggregate, let place):
      return number(aggregate, group.measures[place], of: measured[place]).map { .number($0) }
    }
  }

  private func value(_ part: Part, _ group: Group) -> FieldValue? {
    switch part {
    case .key(let place): return group.keys[place]
    case .count: return .integer(Int64(group.count))
    case .aggregate(let aggregate, let place):
      switch number(aggregate, group.measures[place], of: measured[place]) {
      case nil: return nil
      case .real(let real): return .real(real)
      case .fraction(let parts, let over):
        if aggregate == .average { return .real(Double(parts) / Double(over)) }
        return Int64(exactly: parts).map { .integer($0) } ?? .real(Double(parts) / Double(over))
      }
    }
  }

  private func number(
    _ aggregate: Aggregate, _ measure: Measure, of sum: NumericSum
  ) -> ExactNumber? {
    if measure.count == 0 { return nil }
    let denominator = Int128(sum.terms[0].kind.denominator ?? 1)
    let isReal = sum.terms[0].kind == .real
    let isOver = isReal && !measure.realSum.isFinite
    switch aggregate {
    case .minimum: return measure.least
    case .maximum: return measure.greatest
    // A sum beyond all numbers is none.
    case .sum where isOver, .average where isOver: return nil
    case .sum: return isReal ? .real(measure.realSum) : .fraction(measure.sum, over: denominator)
    case .average:
      if isReal { return .real(measure.realSum / Double(measure.count)) }
      return .fraction(measure.sum, over: denominator * Int128(measure.count))
    }
  }
}
