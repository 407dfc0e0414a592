/// Names of closed lists in records, as cases of their types.
extension RecordReader {
  /// The name in the field; nil where it is absent.
  @_lifetime(self: copy self)
  mutating func memberIfPresent<Name: Vocabulary>(
    _ number: Int, _ type: Name.Type = Name.self
  ) -> Name? {
    ordinalIfPresent(number).flatMap { Name(place: $0) }
  }

  /// The name in the field; `other`, and the value is thrown away, where it is absent.
  @_lifetime(self: copy self)
  mutating func member<Name: Vocabulary>(_ number: Int, else other: Name) -> Name {
    Name(place: ordinal(number)) ?? other
  }

  /// The names in the field, in their order.
  @_lifetime(self: copy self)
  mutating func members<Name: Vocabulary>(
    _ number: Int, _ type: Name.Type = Name.self
  ) -> [Name] {
    ordinals(number).compactMap { Name(place: $0) }
  }
}

extension RecordWriter {
  /// Sets the field to a name of its closed list.
  mutating func set<Name: Vocabulary>(_ number: Int, member: Name?) {
    set(number, ordinal: member.map { Int($0.rawValue) })
  }

  /// Sets the field to names of its closed list.
  mutating func set<Name: Vocabulary>(_ number: Int, members: [Name]) {
    set(number, ordinals: members.map { Int($0.rawValue) })
  }
}

extension Vocabulary {
  /// The case at `place` of the list.
  fileprivate init?(place: Int) {
    guard let place = UInt8(exactly: place) else { return nil }
    self.init(rawValue: place)
  }
}
