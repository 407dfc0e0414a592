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

  /// A picture, encoded for being kept long: in few bytes, and not in a hurry.
  ///
  /// - Throws: `.tooLong` where it would take too many bytes.
  public init(name: String? = nil, _ portrait: Portrait) throws(PortraitError) {
    self.init(
      name: name, width: portrait.width, height: portrait.height,
      pixels: try PortraitCoding.encode(portrait, effort: .high))
  }

  /// The picture.
  ///
  /// - Throws: What is wrong with the encoded pixels, or `.size` where they have another size than
  ///   the record says.
  public func portrait() throws(PortraitError) -> Portrait {
    let portrait = try PortraitCoding.decode(untrusted: pixels)
    guard portrait.width == width, portrait.height == height else {
      throw .size(width: width, height: height)
    }
    return portrait
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
