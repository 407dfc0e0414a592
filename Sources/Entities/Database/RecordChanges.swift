internal import PageStore

/// Changes of single records: what all faces of a transaction come to.
extension DatabaseTransaction {
  /// Adds the record in `bytes`.
  mutating func add(
    _ bytes: [UInt8], _ id: EntityID?, _ layout: EntityLayout
  ) throws(DatabaseError) -> EntityID {
    let next = try nextID(layout)
    let id = try freeID(id, next, layout)
    try put(id, bytes, old: nil, layout)
    if id >= next { try setNextID(EntityID(id.rawValue + 1), layout) }
    return id
  }

  /// The number that a new record gets: the one that is wanted, or `next`.
  func freeID(
    _ wanted: EntityID?, _ next: EntityID, _ layout: EntityLayout
  ) throws(DatabaseError) -> EntityID {
    // Numbers that are chosen leave the upper half to those that follow, so these never run out.
    let isChosenFreely = wanted.map { $0 > .choiceLimit && $0 > next } ?? false
    let id = wanted ?? next
    if id > .limit || isChosenFreely { throw .noSuchID(entity: layout.name, id: id) }
    if id < next, try context.contains(layout, id) {
      throw .recordExists(entity: layout.name, id: id)
    }
    return id
  }

  /// Puts the record in `bytes` in the place of record `id`.
  mutating func replace(
    _ id: EntityID, _ bytes: [UInt8], _ layout: EntityLayout
  ) throws(DatabaseError) {
    let old = try context.withRecord(layout, id) { ByteReader.copy($0) }
    guard let old else { throw .noSuchRecord(entity: layout.name, id: id) }
    if old != bytes { try put(id, bytes, old: old, layout) }
  }

  /// Holds the record to its rules, and writes it and its indexes.
  private mutating func put(
    _ id: EntityID, _ bytes: [UInt8], old: [UInt8]?, _ layout: EntityLayout
  ) throws(DatabaseError) {
    try checkRules(bytes, old: old, id, layout)
    try IndexMaintenance(layout).update(id, from: old, to: bytes, &store)
    try storeRecord(id, bytes, layout)
  }

  /// Holds the record to what can be said without the indexes.
  func checkRules(
    _ bytes: [UInt8], old: [UInt8]?, _ id: EntityID, _ layout: EntityLayout
  ) throws(DatabaseError) {
    try RecordValidation.check(bytes, id, layout)
    try checkTargets(bytes, old: old, id, layout)
  }

  /// Writes the record, but nothing of the indexes.
  mutating func storeRecord(
    _ id: EntityID, _ bytes: [UInt8], _ layout: EntityLayout
  ) throws(DatabaseError) {
    noteChange(layout.name)
    try store.storing { (store) throws(StoreError) in
      let table = try store.table(layout.name)
      try store.put(id.key, bytes, in: table)
    }
  }

  /// Deletes record `id` and what the indexes have of it.
  mutating func erase(_ id: EntityID, _ layout: EntityLayout) throws(DatabaseError) {
    let old = try context.withRecord(layout, id) { ByteReader.copy($0) }
    guard let old else { return }
    try IndexMaintenance(layout).update(id, from: old, to: nil, &store)
    noteChange(layout.name)
    try store.storing { (store) throws(StoreError) in
      let table = try store.table(layout.name)
      try store.delete(id.key, in: table)
    }
  }

  // MARK: Numbers

  /// The number that the next new record gets.
  func nextID(_ layout: EntityLayout) throws(DatabaseError) -> EntityID {
    try context.nextID(layout)
  }

  mutating func setNextID(_ id: EntityID, _ layout: EntityLayout) throws(DatabaseError) {
    var writer = ByteWriter()
    writer.variable(id.rawValue)
    let bytes = writer.bytes
    try store.storing { (store) throws(StoreError) in
      let table = try store.createTableIfNeeded(CatalogTable.name)
      try store.put(CatalogTable.nextPrefix + Array(layout.name.utf8), bytes, in: table)
    }
  }
}
