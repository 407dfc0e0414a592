import Entities
import Glibc
import PageStore
import Terminal

/// What `browse` changes: the database is opened for writing only while something is written.
struct BrowseWriting {
  let context: CommandContext

  /// Looks whether anything may be changed.
  ///
  /// - Throws: What would keep all changes from being written.
  func check() throws {
    try context.checkWriting()
    // A file that is gone is said to be so by what finds that.
    if let code = SystemCalls.writingError(context.databasePath), code != ENOENT {
      throw CommandFailure(
        "\(context.databasePath) cannot be written: \(SystemCalls.text(ofError: code))")
    }
  }

  /// Saves what the form says; returns the adventurer's number.
  func save(_ form: AdventurerForm) throws -> EntityID {
    try write { transaction in
      let number: EntityID
      switch form.purpose {
      case .recruit:
        var adventurer = form.adventurer
        adventurer.created = Int(SystemCalls.now())
        number = try transaction.insert(adventurer)
      case .change(let id, let old):
        number = id
        try change(old, form.adventurer, id, in: &transaction)
      }
      if let name = form.portraitName {
        try setPortrait(name, number, in: &transaction)
      }
      return number
    }
  }

  /// Sets what was changed in the form, and leaves what others changed meanwhile.
  private func change(
    _ old: Adventurer, _ new: Adventurer, _ id: EntityID,
    in transaction: inout DatabaseTransaction
  ) throws {
    guard var adventurer = try transaction.get(Adventurer.self, id) else {
      throw CommandFailure("the adventurer is not there any more")
    }
    if new.name != old.name { adventurer.name = new.name }
    if new.profession != old.profession { adventurer.profession = new.profession }
    if new.level != old.level { adventurer.level = new.level }
    if new.currentHitPoints != old.currentHitPoints {
      adventurer.currentHitPoints = min(new.currentHitPoints, adventurer.totalHitPoints)
    }
    try transaction.update(adventurer, id: id)
  }

  private func setPortrait(
    _ name: String, _ id: EntityID, in transaction: inout DatabaseTransaction
  ) throws {
    let stored = try PortraitStorage.named(name, in: transaction)
    if let stored {
      try PortraitStorage.set(stored, of: "adventurers", id, in: &transaction)
    } else if let portrait = PortraitGallery.portrait(named: name) {
      let picture = try transaction.insert(StoredPortrait(name: name, portrait))
      try PortraitStorage.set(picture, of: "adventurers", id, in: &transaction)
    }
  }

  /// Deletes an adventurer, and the picture that belonged to nobody else.
  func delete(_ id: EntityID) throws {
    try write { transaction in
      guard try transaction.contains("adventurers", id) else {
        throw CommandFailure("the adventurer is not there any more")
      }
      try PortraitStorage.clear("adventurers", id, in: &transaction)
      try transaction.delete(Adventurer.self, id)
    }
  }

  private func write<Result>(
    _ body: (inout DatabaseTransaction) throws -> Result
  ) throws -> Result {
    let database = try context.openForWriting()
    let result = try database.write { transaction throws in try body(&transaction) }
    try database.close()
    return result
  }
}
