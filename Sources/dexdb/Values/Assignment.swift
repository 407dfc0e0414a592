import Entities
import Terminal

/// `field=value` operands, as values of fields that are stored.
struct Assignments {
  private(set) var values: [String: FieldValue?] = [:]
  /// What was given for `portrait`, which is a file or a name rather than a number.
  private(set) var portrait: String?

  init(_ operands: some Sequence<String>, schema: Schema, entity: CatalogEntity) throws {
    for operand in operands {
      let parts = operand.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw CommandFailure.usage(
          "'\(TerminalText.excerpt(operand))' sets nothing", "write field=value")
      }
      let field = try Self.field(String(parts[0]), schema, entity)
      if case .reference("portraits", _) = field.kind, !parts[1].isEmpty {
        portrait = String(parts[1])
        continue
      }
      if values[field.name] != nil {
        throw CommandFailure.usage("'\(field.name)' is set twice", "leave one of them out")
      }
      do throws(ValueText.Refusal) {
        values[field.name] = .some(try ValueText.value(String(parts[1]), of: field))
      } catch {
        throw CommandFailure.usage("\(field.name): \(error.message)", error.help)
      }
    }
  }

  /// The stored field of that name or alias.
  static func field(
    _ name: String, _ schema: Schema, _ entity: CatalogEntity
  ) throws -> FieldDefinition {
    if let field = schema.field(named: name) { return field }
    if let known = entity.field(named: name) {
      if let field = schema.field(named: known.name) { return field }
      throw CommandFailure.usage(
        "'\(known.name)' is not stored in \(schema.name)", "it follows from other fields")
    }
    let names = schema.fields.flatMap { [$0.name] + $0.aliases }
    throw CommandFailure.usage(
      "no field '\(TerminalText.excerpt(name))' in \(schema.name)",
      NearestName.of(name, among: names).map { "did you mean '\($0)'?" }
        ?? "\(Program.name) schema \(schema.name) lists them")
  }
}
