/// A picture in a database, encoded; what is pictured refers to it.
public struct StoredPortrait: Hashable, Sendable {
  /// By what the picture is chosen, such as `wizard-1`; absent for one that belongs to one record.
  public var name: String?
  /// The number of columns.
  public var width: Int
  /// The number of rows.
  public var height: Int
  /// The pixels as `PortraitCoding` encodes them.
  public var pixels: [UInt8]

  /// A picture that is encoded already.
  public init(name: String? = nil, width: Int, height: Int, pixels: [UInt8]) {
    self.name = name
    self.width = width
    self.height = height
    self.pixels = pixels
  }
}

extension StoredPortrait: Entity {
  /// What a record holds.
  public static let schema = Schema(
    name: "portraits",
    fields: [
      FieldDefinition(
        1, "name", .text, aliases: ["n"], index: .words,
        rules: [.notBlank, .byteCount(255), .unique]),
      FieldDefinition(2, "width", .integer, rules: [.required, .range(1, 4_096)]),
      FieldDefinition(3, "height", .integer, rules: [.required, .range(1, 4_096)]),
      FieldDefinition(4, "pixels", .bytes, rules: [.required, .byteCount(16 << 20)]),
    ])

  /// Takes the values of a record.
  public init(from record: inout RecordReader) {
    name = record.textIfPresent(1)
    width = record.integer(2)
    height = record.integer(3)
    pixels = record.bytes(4)
  }

  /// Gives the values to a record.
  public func encode(to record: inout RecordWriter) {
    record.set(1, text: name)
    record.set(2, integer: width)
    record.set(3, integer: height)
    record.set(4, bytes: pixels)
  }
}
