public import Index

/// What an index holds of a value.
enum IndexTerms {
  /// The most bytes of a text that a term keeps; longer texts share the terms of their beginnings.
  static let byteLimit = 255

  /// The terms of a value, for an index of terms.
  static func terms(of value: FieldValue?) -> Set<[UInt8]> {
    switch value {
    case .flag(let flag): [[flag ? 1 : 0]]
    case .text(let text): [term(of: text)]
    case .names(let names): Set(names.map { term(of: $0) })
    case .integer(let number): [EntityID(UInt64(bitPattern: number)).key]
    default: []
    }
  }

  /// The term of a text or a name.
  static func term(of text: String) -> [UInt8] {
    Array(NameFolding.fold(text).utf8.prefix(byteLimit))
  }

  /// The key of a number, for an index of numbers.
  static func key(of value: FieldValue?) -> NumericKey? {
    switch value {
    case .integer(let number): NumericKey(number)
    case .real(let number): NumericKey(number)
    default: nil
    }
  }

  /// The texts of a value, for an index of words.
  static func texts(of value: FieldValue?) -> [String] {
    switch value {
    case .text(let text): [text]
    case .names(let names): names
    case .translations(let translations): translations.map(\.text)
    default: []
    }
  }
}

extension FieldDefinition {
  /// The index that the field has; a reference always has one of terms, since deleting needs it.
  var heldIndex: FieldIndex? {
    if case .reference = kind { return .terms }
    return index
  }
}

extension DatabaseError: IndexFailure {
  /// A failure of an index, whose name tells the entity and the field.
  public init(_ error: IndexError) {
    let name =
      switch error {
      case .store: ""
      case .corrupt(let index, _, _), .termTooLong(let index, _, _), .hasNumber(let index, _): index
      }
    let parts = name.split(separator: "/", maxSplits: 1).map { String($0) }
    self.init(error, entity: parts.first ?? "", field: parts.last ?? "")
  }

  /// A failure of an index.
  init(_ error: IndexError, entity: String, field: String) {
    if case .store(let error) = error {
      self = .store(error)
    } else {
      self = .corruptIndex(entity: entity, field: field, "\(error)")
    }
  }
}
