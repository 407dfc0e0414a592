/// Names and lists in a record.
extension RecordReader {
  /// The place of the name in the field's closed list; nil where it is absent.
  @_lifetime(self: copy self)
  public mutating func ordinalIfPresent(_ number: Int) -> Int? {
    guard let names = vocabulary(number) else { return nil }
    guard seek(number) else { return nil }
    return ordinal(of: names)
  }

  /// The place of the name in the field's closed list.
  @_lifetime(self: copy self)
  public mutating func ordinal(_ number: Int) -> Int {
    guard let ordinal = ordinalIfPresent(number) else {
      refuse(number, .missing)
      return 0
    }
    return ordinal
  }

  /// The name of the field's closed list; nil where it is absent.
  @_lifetime(self: copy self)
  public mutating func nameIfPresent(_ number: Int) -> String? {
    guard let names = vocabulary(number) else { return nil }
    guard seek(number) else { return nil }
    let ordinal = ordinal(of: names)
    return ordinal < names.count ? names[ordinal] : ""
  }

  /// The name of the field's closed list.
  @_lifetime(self: copy self)
  public mutating func name(_ number: Int) -> String {
    guard let name = nameIfPresent(number) else {
      refuse(number, .missing)
      return ""
    }
    return name
  }

  /// The names, of a closed list or not, in their order; empty where they are absent.
  @_lifetime(self: copy self)
  public mutating func names(_ number: Int) -> [String] {
    guard case .names(let list) = layout.field(number)?.kind else {
      refuse(number, .wrongKind)
      return []
    }
    guard seek(number) else { return [] }
    let count = bytes.length()
    var result: [String] = []
    result.reserveCapacity(min(count, 64))
    for _ in 0..<count {
      guard let list else {
        result.append(bytes.text())
        continue
      }
      let ordinal = ordinal(of: list)
      if ordinal < list.count { result.append(list[ordinal]) }
    }
    return result
  }

  /// The places of the names in the field's closed list; empty where they are absent.
  @_lifetime(self: copy self)
  public mutating func ordinals(_ number: Int) -> [Int] {
    guard case .names(let list?) = layout.field(number)?.kind else {
      refuse(number, .wrongKind)
      return []
    }
    guard seek(number) else { return [] }
    let count = bytes.length()
    var result: [Int] = []
    result.reserveCapacity(min(count, 64))
    for _ in 0..<count { result.append(ordinal(of: list)) }
    return result
  }

  /// The translations, in their order; empty where they are absent.
  @_lifetime(self: copy self)
  public mutating func translations(_ number: Int) -> [Translation] {
    guard case .translations = layout.field(number)?.kind else {
      refuse(number, .wrongKind)
      return []
    }
    guard seek(number) else { return [] }
    let count = bytes.length()
    var result: [Translation] = []
    result.reserveCapacity(min(count, 64))
    for _ in 0..<count {
      result.append(Translation(language: bytes.text(), text: bytes.text()))
    }
    return result
  }

  @_lifetime(self: copy self)
  private mutating func vocabulary(_ number: Int) -> [String]? {
    guard case .vocabulary(let names) = layout.field(number)?.kind else {
      refuse(number, .wrongKind)
      return nil
    }
    return names
  }

  @_lifetime(self: copy self)
  private mutating func ordinal(of names: [String]) -> Int {
    let value = bytes.variable()
    if value >= UInt64(names.count) {
      bytes.fail(.ordinal(value, count: names.count))
      return 0
    }
    return Int(value)
  }

  // MARK: Any kind

  /// The value of the field, whatever kind it is of; nil where it is absent.
  @_lifetime(self: copy self)
  mutating func value(_ field: FieldDefinition) -> FieldValue? {
    guard has(field.number) else { return nil }
    let number = field.number
    switch field.kind {
    case .flag: return flagIfPresent(number).map { .flag($0) }
    case .integer, .decimal, .date, .reference:
      return integerIfPresent(number).map { .integer(Int64($0)) }
    case .real: return realIfPresent(number).map { .real($0) }
    case .text: return textIfPresent(number).map { .text($0) }
    case .vocabulary: return nameIfPresent(number).map { .text($0) }
    case .names: return .names(names(number))
    case .translations: return .translations(translations(number))
    case .bytes: return bytesIfPresent(number).map { .bytes($0) }
    }
  }

  /// All values that are there.
  @_lifetime(self: copy self)
  mutating func record() -> Record {
    var record = Record()
    for field in layout.ascending { record.values[field.name] = value(field) }
    finish()
    return record
  }

  /// Puts all values in the place of those in `values`, by the numbers of their fields; absent ones
  /// are nil.
  @_lifetime(self: copy self)
  mutating func read(into values: inout [FieldValue?]) {
    if values.count != layout.wires.count {
      values = [FieldValue?](repeating: nil, count: layout.wires.count)
    }
    read(layout.ascending, into: &values)
    finish()
  }

  /// Puts the values of some fields, in ascending order of their numbers, into `values`, which has
  /// a place for each number.
  @_lifetime(self: copy self)
  mutating func read(_ fields: [FieldDefinition], into values: inout [FieldValue?]) {
    for place in fields.indices { values[fields[place].number] = value(fields[place]) }
  }
}
