internal import Index
internal import PageStore

/// References between entities: looked at when a record is written, followed when one is deleted.
extension DatabaseTransaction {
  /// The most records that deleting one may delete with it.
  public static let cascadeLimit = 1_000_000

  /// Throws where a reference that `bytes` sets leads to no record.
  ///
  /// References that the record had before stay as they are: of a deletion that clears others, none
  /// may fail when some are done already.
  func checkTargets(
    _ bytes: [UInt8], old: [UInt8]?, _ id: EntityID, _ layout: EntityLayout
  ) throws(DatabaseError) {
    if layout.references.isEmpty { return }
    var reader = RecordReader(untrusted: bytes.rawSpan, layout: layout)
    // No bytes are a record without any reference.
    let old = old ?? []
    var before = RecordReader(untrusted: old.rawSpan, layout: layout)
    for (field, entity) in layout.references {
      guard let target = reader.referenceIfPresent(field.number) else { continue }
      if before.referenceIfPresent(field.number) == target { continue }
      if entity == layout.name && target == id { continue }
      if let targets = schemas.layoutIfPresent(named: entity), target <= .limit,
        try context.contains(targets, target)
      {
        continue
      }
      throw .invalid(
        entity: layout.name, id: id, field: field.name, .noSuchTarget(entity: entity, target))
    }
  }

  /// Deletes record `id` and what its referrers' rules delete with it; false where there is none.
  ///
  /// What is to be done is gathered first, so that a rule that forbids it changes nothing. A record
  /// is visited once, so circles end.
  mutating func remove(_ id: EntityID, _ layout: EntityLayout) throws(DatabaseError) -> Bool {
    guard try context.contains(layout, id) else { return false }
    if schemas.referrers[layout.name] == nil {
      try erase(id, layout)
      return true
    }
    let work = try deletion(of: id, layout)
    for (target, field) in work.cleared where !work.isDeleted(target) {
      try clear(field, target)
    }
    for target in work.deleted { try erase(target.id, target.layout) }
    return true
  }

  private func deletion(
    of id: EntityID, _ layout: EntityLayout
  ) throws(DatabaseError) -> Deletion {
    var work = Deletion()
    work.add(Target(layout: layout, id: id))
    var restricted: [(target: Target, by: Target, field: FieldDefinition)] = []
    var next = 0
    while next < work.deleted.count {
      let target = work.deleted[next]
      next += 1
      for referrer in schemas.referrers[target.layout.name] ?? [] {
        for row in try rows(referrer, leadingTo: target.id) {
          let by = Target(layout: referrer.layout, id: row)
          switch referrer.rule {
          case .restrict: restricted.append((target, by, referrer.field))
          case .clear: work.cleared.append((by, referrer.field))
          case .cascade: work.add(by)
          }
          if work.deleted.count + work.cleared.count + restricted.count > Self.cascadeLimit {
            throw .cascadeTooLarge(entity: layout.name, limit: Self.cascadeLimit)
          }
        }
      }
    }
    // Whoever is deleted as well forbids nothing.
    if let (target, by, field) = restricted.first(where: { !work.isDeleted($0.by) }) {
      throw .restricted(
        entity: target.layout.name, id: target.id, by: by.layout.name, byID: by.id,
        field: field.name)
    }
    return work
  }

  func rows(
    _ referrer: SchemaSet.Referrer, leadingTo id: EntityID
  ) throws(DatabaseError) -> [EntityID] {
    let name = IndexMaintenance.tableName(
      entity: referrer.layout.name, field: referrer.field.name)
    let found = try context.source.withTable(name) { table throws(DatabaseError) in
      do throws(IndexError) {
        return try TermIndex(name).rows(with: id.key, in: table).map { EntityID($0.rawValue) }
      } catch {
        throw DatabaseError(error, entity: referrer.layout.name, field: referrer.field.name)
      }
    }
    return found ?? []
  }

  private mutating func clear(_ field: FieldDefinition, _ target: Target) throws(DatabaseError) {
    guard var record = try context.record(target.layout, target.id) else { return }
    record[field.name] = nil
    try replace(
      target.id, try RecordCoding.encode(record, target.id, target.layout), target.layout)
  }
}

/// A record that a deletion comes to.
private struct Target: Hashable {
  let layout: EntityLayout
  let id: EntityID

  static func == (left: Target, right: Target) -> Bool {
    left.id == right.id && left.layout === right.layout
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(ObjectIdentifier(layout))
  }
}

/// What deleting one record comes to.
private struct Deletion {
  private(set) var deleted: [Target] = []
  private var known = Set<Target>()
  var cleared: [(Target, FieldDefinition)] = []

  mutating func add(_ target: Target) {
    if known.insert(target).inserted { deleted.append(target) }
  }

  func isDeleted(_ target: Target) -> Bool { known.contains(target) }
}
