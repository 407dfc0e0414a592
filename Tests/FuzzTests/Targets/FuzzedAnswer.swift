import Index

@testable import Entities

/// Answers to queries on a small Pokédex, by the indexes and by looking at every record.
enum FuzzedAnswer {
  private static let database = Result { () throws -> Database in
    let database = try FuzzedDatabase.make(Pokedex.entities)
    let species = try BundledDex.species().filter { $0.number <= 60 || $0.number == 772 }
    let forms = try BundledDex.forms()
    let moves = try BundledDex.moves().prefix(30)
    try database.write { transaction throws(DatabaseError) in
      // Records that refer to others which are not there are left out.
      for pokemon in species {
        do throws(DatabaseError) { _ = try transaction.insert(pokemon, id: pokemon.id) } catch {}
      }
      for form in forms {
        do throws(DatabaseError) { _ = try transaction.insert(form, id: form.id) } catch {}
      }
      for move in moves { _ = try transaction.insert(move, id: move.id) }
      for (adventurer, id) in FuzzedQuest.roster {
        _ = try transaction.insert(adventurer, id: EntityID(id))
      }
    }
    return database
  }

  static func check(_ query: Query) throws(FuzzFinding) {
    guard case .success(let database) = database else {
      throw FuzzFinding("no database can be made: \(database)")
    }
    do {
      let snapshot = try database.snapshot()
      try compare(query, snapshot)
      _ = try snapshot.explain(query)
      let result = try snapshot.find(query)
      try FuzzFinding.unless(
        result.rows.count <= query.limit ?? .max, "more rows than the limit allows")
      try FuzzFinding.unless(
        result.rows.allSatisfy { $0.values.count == result.columns.count },
        "rows with other columns")
    } catch let finding as FuzzFinding {
      throw finding
    } catch let error as DatabaseError {
      switch error {
      case .corruptIndex, .corruptRecord, .corruptCatalog, .store:
        throw FuzzFinding("\(error)")
      default: break
      }
    } catch {
      throw FuzzFinding("\(error)")
    }
  }

  /// Compares what the indexes find with what a look at each record finds.
  private static func compare(_ query: Query, _ snapshot: DatabaseSnapshot) throws {
    var plain = Query(entity: query.entity, filter: query.filter)
    plain.language = query.language
    let (found, count, expected) = try snapshot.withReader { reader throws(DatabaseError) in
      let execution = try QueryExecution(plain, reader.context)
      var expected: Set<EntityID> = []
      try reader.context.forEachRecord(execution.layout) { id, bytes throws(DatabaseError) in
        var row = RecordRow(
          id: id, untrusted: bytes, layout: execution.layout, context: reader.context)
        if try execution.test.matches(&row) { expected.insert(id) }
        return true
      }
      return (try execution.ids(), try execution.count(), expected)
    }
    try FuzzFinding.unless(
      Set(found) == expected && found.count == expected.count && count == expected.count,
      "the indexes find \(found.count) records and count \(count), of \(expected.count)")
  }
}
