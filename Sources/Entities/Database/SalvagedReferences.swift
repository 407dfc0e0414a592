internal import PageStore

/// References that lead to records which were lost.
extension DatabaseTransaction {
  /// Clears the references of an entity that lead nowhere, or deletes the records that cannot be
  /// without them, and what cannot be without those.
  mutating func repairReferences(
    _ layout: EntityLayout, _ report: inout SalvagedDatabase
  ) throws(DatabaseError) {
    if layout.references.isEmpty { return }
    var next: EntityID? = EntityID(0)
    while let first = next {
      var found: [EntityID] = []
      let context = context
      try context.forEachRecord(layout, from: first) { id, bytes throws(DatabaseError) in
        if try !Self.lostReferences(of: id, bytes, layout, context).isEmpty { found.append(id) }
        return found.count < 256
      }
      next = found.count == 256 ? found.last.map { EntityID($0.rawValue + 1) } : nil
      for id in found { try repairReferences(of: id, layout, &report) }
    }
  }

  /// The fields of record `id` that refer to something that is not there.
  private static func lostReferences(
    of id: EntityID, _ bytes: RawSpan, _ layout: EntityLayout, _ context: ReadingContext
  ) throws(DatabaseError) -> [FieldDefinition] {
    var reader = RecordReader(untrusted: bytes, layout: layout)
    var lost: [FieldDefinition] = []
    for (field, entity) in layout.references {
      guard let target = reader.referenceIfPresent(field.number) else { continue }
      if let targets = context.schemas.layoutIfPresent(named: entity), target <= .limit,
        try context.contains(targets, target)
      {
        continue
      }
      lost.append(field)
    }
    return lost
  }

  /// Clears what record `id` refers to and is lost, and follows who refers to what is deleted.
  private mutating func repairReferences(
    of id: EntityID, _ layout: EntityLayout, _ report: inout SalvagedDatabase
  ) throws(DatabaseError) {
    var work = [(layout, id)]
    while let (layout, id) = work.popLast() {
      let context = context
      let lost = try context.withRecord(layout, id) { bytes throws(DatabaseError) in
        try Self.lostReferences(of: id, bytes, layout, context)
      }
      guard let lost, var record = try context.record(layout, id) else { continue }
      guard let field = lost.first(where: { $0.cannotLoseTarget }) else {
        for field in lost {
          record[field.name] = nil
          report.note(.clearedReference, layout.name, field.name)
        }
        try replace(id, try RecordCoding.encode(record, id, layout), layout)
        continue
      }
      report.note(.lostTarget, layout.name, field.name)
      try erase(id, layout)
      for referrer in schemas.referrers[layout.name] ?? [] {
        for row in try rows(referrer, leadingTo: id) { work.append((referrer.layout, row)) }
      }
    }
  }
}

extension FieldDefinition {
  /// True where a record cannot be without the one that this field refers to.
  fileprivate var cannotLoseTarget: Bool {
    if rules.contains(.required) { return true }
    guard case .reference(_, .cascade) = kind else { return false }
    return true
  }
}
