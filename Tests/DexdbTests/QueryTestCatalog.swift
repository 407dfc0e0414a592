import Entities

/// What the program itself can ask: the schemas of the Pokédex, and what is computed of them.
enum QueryTestCatalog {
  static let catalog = FieldCatalog(
    schemas: Pokedex.entities.map { $0.schema },
    derived: { name in
      Pokedex.entities.first { $0.schema.name == name }?.derivedFields ?? []
    }, defaultEntity: "pokemon", languages: ["en", "ja", "ja-Latn"],
    misleadingNames: ["Type: Null"])
}

func parse(_ line: String) throws(QueryError) -> Query {
  try QueryParser.query(line, in: QueryTestCatalog.catalog)
}

/// The complaint about `line`, or nil where it is a query.
func complaint(_ line: String) -> QueryError? {
  do throws(QueryError) {
    _ = try parse(line)
    return nil
  } catch {
    return error
  }
}
