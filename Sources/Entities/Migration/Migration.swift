/// A named change of a database's schemas and records.
///
/// A program lists all its migrations, oldest first, and never changes or drops one. All that a file
/// has not been through are run in one transaction when it is opened, so a file has been through all
/// or none of them, wherever the power fails. Afterwards the schemas must be those of the program.
public struct Migration: Sendable {
  /// What the file remembers the migration by.
  public let name: String
  let steps: @Sendable (inout SchemaEditor) throws(DatabaseError) -> Void

  /// The migration `name`, which does what `steps` says.
  public init(
    _ name: String, _ steps: @escaping @Sendable (inout SchemaEditor) throws(DatabaseError) -> Void
  ) {
    self.name = name
    self.steps = steps
  }
}
