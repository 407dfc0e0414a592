/// The order of an answer's records: sort keys, then the best matches, then the record's number.
struct SortOrder: Sendable {
  struct Key: Sendable {
    enum Source: Sendable {
      case sum(NumericSum)
      case value(FieldAccess)
    }
    let source: Source
    let isDescending: Bool
  }

  let keys: [Key]
  /// Without keys, records whose text begins with what was searched come first.
  let searches: [TextTest]

  init(
    _ order: [SortKey], searches: [TextTest], in layout: EntityLayout
  ) throws(DatabaseError) {
    var keys: [Key] = []
    for key in order {
      if case .column(let column) = key.source, !column.isField {
        throw .invalidQuery("only groups are sorted by \(column.title)")
      }
      let source: Key.Source
      if key.fields.count == 1 {
        source = .value(try FieldAccess.resolve(key.fields[0], in: layout))
      } else {
        source = .sum(try NumericSum(key.fields, in: layout))
      }
      keys.append(Key(source: source, isDescending: key.isDescending))
    }
    self.keys = keys
    self.searches = order.isEmpty ? searches : []
  }

  /// True where records come in the order of their numbers.
  var isByID: Bool { keys.isEmpty && searches.isEmpty }

  /// What a record is sorted by.
  struct Place: Sendable {
    let id: EntityID
    let values: [SortValue?]
    let rank: Int
  }

  func place(of row: inout RecordRow) throws(DatabaseError) -> Place {
    var values: [SortValue?] = []
    values.reserveCapacity(keys.count)
    for key in keys {
      switch key.source {
      case .sum(let sum): values.append(try sum.value(of: &row).map { .number($0) })
      case .value(let access): values.append(SortValue(try row.value(access), access.kind))
      }
    }
    var rank = searches.isEmpty ? 0 : 1
    for search in searches where rank == 1 {
      if try search.matchesAtStart(&row) { rank = 0 }
    }
    return Place(id: row.id, values: values, rank: rank)
  }

  func precedes(_ left: Place, _ right: Place) -> Bool {
    for (index, key) in keys.enumerated() {
      let order = SortOrder.compare(
        left.values[index], right.values[index], isDescending: key.isDescending)
      if order != 0 { return order < 0 }
    }
    if left.rank != right.rank { return left.rank < right.rank }
    return left.id < right.id
  }

  /// -1, 0 or 1; a missing value comes last in both directions.
  static func compare(_ left: SortValue?, _ right: SortValue?, isDescending: Bool) -> Int {
    guard let left else {
      guard case nil = right else { return 1 }
      return 0
    }
    guard let right else { return -1 }
    let order = left.compared(to: right)
    return isDescending ? -order : order
  }
}
