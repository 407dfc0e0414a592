internal import PageStore

/// The values of a unique field, each with the one record that has it.
///
/// A table of its own: the key is the value (a text folded, a number so that keys ascend as numbers
/// do), the value the record's number.
struct UniqueValues {
  let layout: EntityLayout
  let field: FieldDefinition

  /// The longest value that can be unique, in bytes.
  static let byteLimit = 1000

  static func tableName(entity: String, field: String) -> String { "\(entity)/\(field)/unique" }

  var tableName: String { UniqueValues.tableName(entity: layout.name, field: field.name) }

  /// The key of a value; nil where it is absent.
  ///
  /// - Throws: `.invalid` where the value is too long.
  func key(of value: FieldValue?, _ id: EntityID) throws(DatabaseError) -> [UInt8]? {
    switch value {
    case .text(let text):
      let key = Array(TextFolding.key(of: text).utf8)
      // What folds to nothing is told apart by what it is.
      let bytes = key.isEmpty ? [0xFF] + Array(text.utf8) : key
      if bytes.count > UniqueValues.byteLimit {
        throw .invalid(
          entity: layout.name, id: id, field: field.name, .tooLong(UniqueValues.byteLimit))
      }
      return bytes
    case .integer(let number):
      let bits = UInt64(bitPattern: number) ^ 1 << 63
      return EntityID(bits).key
    default: return nil
    }
  }

  /// The record that has the value under `key`.
  func owner(of key: [UInt8], _ source: RowSource) throws(DatabaseError) -> EntityID? {
    let found = try source.withTable(tableName) { table throws(DatabaseError) in
      try table.withValue(key) { value throws(DatabaseError) -> EntityID in
        guard let id = EntityID(key: value) else {
          throw .corruptIndex(entity: layout.name, field: field.name, "unique value without record")
        }
        return id
      }
    }
    return found ?? nil
  }

  /// Throws where another record than `id` has the value.
  func check(_ id: EntityID, _ value: FieldValue?, _ source: RowSource) throws(DatabaseError) {
    guard let key = try key(of: value, id), let owner = try owner(of: key, source) else { return }
    if owner != id {
      throw .invalid(entity: layout.name, id: id, field: field.name, .notUnique(owner))
    }
  }

  /// Notes that the value of record `id` changes; nobody else has the new one.
  func update(
    _ id: EntityID, from old: FieldValue?, to new: FieldValue?, _ store: inout WriteTransaction
  ) throws(DatabaseError) {
    let oldKey = try key(of: old, id)
    let newKey = try key(of: new, id)
    if oldKey == newKey { return }
    do throws(StoreError) {
      let table = try store.createTableIfNeeded(tableName)
      if let oldKey { try store.delete(oldKey, in: table) }
      if let newKey { try store.put(newKey, id.key, in: table) }
    } catch {
      throw .store(error)
    }
  }
}

extension FieldDefinition {
  /// True where no two records may have the same value.
  var isUnique: Bool { rules.contains(.unique) }
}
