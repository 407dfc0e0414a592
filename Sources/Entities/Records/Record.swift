/// The fields of one record by name, for code that has no type for it.
public struct Record: Hashable, Sendable {
  /// The values that are there, by the names of their fields.
  public var values: [String: FieldValue]

  /// A record of these values.
  public init(_ values: [String: FieldValue] = [:]) { self.values = values }

  /// The value of the field of that name; nil where it is absent.
  public subscript(name: String) -> FieldValue? {
    get { values[name] }
    set { values[name] = newValue }
  }
}

extension Record: ExpressibleByDictionaryLiteral {
  /// A record of these values; the last one counts where a name stands twice.
  public init(dictionaryLiteral elements: (String, FieldValue)...) {
    values = Dictionary(elements) { _, last in last }
  }
}
