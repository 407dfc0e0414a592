/// Takes the values of a record's fields by their numbers.
///
/// A nil, and a field that is not set, is absent. Setting in ascending order of the numbers is the
/// fast way. What does not fit the schema is thrown by the database that asked for the record.
public struct RecordWriter: Sendable {
  let layout: EntityLayout
  private var values = ByteWriter()
  /// The fields in the order in which they were set, and where the bytes of each end.
  private var parts: [(number: Int, end: Int)] = []
  private(set) var refusal: (number: Int, reason: InvalidReason)?

  init(layout: EntityLayout) {
    self.layout = layout
    parts.reserveCapacity(layout.wires.count)
  }

  // MARK: Values

  /// Sets a flag.
  public mutating func set(_ number: Int, flag: Bool?) {
    guard let flag, begin(number, .flag) else { return }
    values.byte(flag ? 1 : 0)
    end(number)
  }

  /// Sets an integer, the parts of a decimal, or the milliseconds of a date.
  public mutating func set(_ number: Int, integer: Int?) {
    guard let integer, begin(number, .integer) else { return }
    values.zigzag(Int64(integer))
    end(number)
  }

  /// Sets a reference.
  public mutating func set(_ number: Int, reference: EntityID?) {
    set(number, integer: reference.map { Int(truncatingIfNeeded: $0.rawValue) })
  }

  /// Sets a real number.
  public mutating func set(_ number: Int, real: Double?) {
    guard let real, begin(number, .real) else { return }
    if !real.isFinite { return refuse(number, .notFinite) }
    values.real(real)
    end(number)
  }

  /// Sets a text.
  public mutating func set(_ number: Int, text: String?) {
    guard let text, begin(number, .bytes) else { return }
    values.text(text)
    end(number)
  }

  /// Sets bytes.
  public mutating func set(_ number: Int, bytes: [UInt8]?) {
    guard let bytes, begin(number, .bytes) else { return }
    values.byteArray(bytes)
    end(number)
  }

  /// Sets a name of a closed list by its place there.
  public mutating func set(_ number: Int, ordinal: Int?) {
    guard let ordinal else { return }
    guard case .vocabulary(let names) = layout.field(number)?.kind, begin(number, .integer) else {
      return refuse(number, .wrongKind)
    }
    guard names.indices.contains(ordinal) else {
      return refuse(number, .notInVocabulary(String(ordinal)))
    }
    values.variable(UInt64(ordinal))
    end(number)
  }

  /// Sets a name of a closed list.
  public mutating func set(_ number: Int, name: String?) {
    guard let name else { return }
    guard case .vocabulary(let names) = layout.field(number)?.kind else {
      return refuse(number, .wrongKind)
    }
    guard let ordinal = names.firstIndex(of: name) else {
      return refuse(number, .notInVocabulary(name))
    }
    set(number, ordinal: ordinal)
  }

  /// Sets names, of a closed list or not; none at all are absent.
  public mutating func set(_ number: Int, names: [String]?) {
    guard let names, !names.isEmpty else { return }
    guard case .names(let list) = layout.field(number)?.kind,
      begin(number, list == nil ? .texts : .ordinals)
    else { return refuse(number, .wrongKind) }
    let start = values.bytes.count
    values.variable(UInt64(names.count))
    for name in names {
      guard let list else {
        values.text(name)
        continue
      }
      guard let ordinal = list.firstIndex(of: name) else {
        values.bytes.removeSubrange(start...)
        return refuse(number, .notInVocabulary(name))
      }
      values.variable(UInt64(ordinal))
    }
    end(number)
  }

  /// Sets names of a closed list by their places there; none at all are absent.
  public mutating func set(_ number: Int, ordinals: [Int]?) {
    guard let ordinals, !ordinals.isEmpty else { return }
    guard case .names(let list?) = layout.field(number)?.kind, begin(number, .ordinals) else {
      return refuse(number, .wrongKind)
    }
    if let wrong = ordinals.first(where: { !list.indices.contains($0) }) {
      return refuse(number, .notInVocabulary(String(wrong)))
    }
    values.variable(UInt64(ordinals.count))
    for ordinal in ordinals { values.variable(UInt64(ordinal)) }
    end(number)
  }

  /// Sets translations; none at all are absent.
  public mutating func set(_ number: Int, translations: [Translation]?) {
    guard let translations, !translations.isEmpty, begin(number, .translations) else { return }
    values.variable(UInt64(translations.count))
    for translation in translations {
      values.text(translation.language)
      values.text(translation.text)
    }
    end(number)
  }

  /// Sets the field to a value that must be of its kind.
  mutating func set(_ field: FieldDefinition, _ value: FieldValue) {
    let number = field.number
    switch (field.kind, value) {
    case (.flag, .flag(let flag)): set(number, flag: flag)
    case (.integer, .integer(let integer)), (.decimal, .integer(let integer)),
      (.date, .integer(let integer)), (.reference, .integer(let integer)):
      set(number, integer: Int(integer))
    case (.real, .real(let real)): set(number, real: real)
    case (.real, .integer(let integer)): set(number, real: Double(integer))
    case (.text, .text(let text)): set(number, text: text)
    case (.vocabulary, .text(let name)): set(number, name: name)
    case (.names, .names(let names)): set(number, names: names)
    case (.translations, .translations(let translations)): set(number, translations: translations)
    case (.bytes, .bytes(let bytes)): set(number, bytes: bytes)
    default: refuse(number, .wrongKind)
    }
  }

  // MARK: Bytes

  private mutating func begin(_ number: Int, _ wire: WireKind) -> Bool {
    guard layout.field(number)?.kind.wire == wire else {
      refuse(number, .wrongKind)
      return false
    }
    if let last = parts.last, number <= last.number, parts.contains(where: { $0.number == number })
    {
      refuse(number, .setTwice)
      return false
    }
    return true
  }

  private mutating func end(_ number: Int) { parts.append((number, values.bytes.count)) }

  private mutating func refuse(_ number: Int, _ reason: InvalidReason) {
    if refusal == nil { refusal = (number, reason) }
  }

  /// The record's bytes: the schema's version, which fields are there, and their values in order.
  func finish() -> [UInt8] {
    var result = ByteWriter()
    result.bytes.reserveCapacity(values.bytes.count + 16)
    result.variable(layout.version)
    let last = parts.map(\.number).max() ?? 0
    var presence = [UInt8](repeating: 0, count: (last + 7) / 8)
    var isAscending = true
    var before = 0
    for (number, _) in parts {
      presence[(number - 1) >> 3] |= 1 << UInt8((number - 1) & 7)
      if number < before { isAscending = false }
      before = number
    }
    result.byteArray(presence)
    if isAscending {
      result.bytes.append(contentsOf: values.bytes)
      return result.bytes
    }
    var start = 0
    var ranges: [(number: Int, range: Range<Int>)] = []
    for (number, end) in parts {
      ranges.append((number, start..<end))
      start = end
    }
    for (_, range) in ranges.sorted(by: { $0.number < $1.number }) {
      result.bytes.append(contentsOf: values.bytes[range])
    }
    return result.bytes
  }
}
