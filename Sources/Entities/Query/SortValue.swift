/// A value by which records are sorted, or grouped.
enum SortValue: Sendable {
  case number(ExactNumber)
  /// A place in a closed list, or a flag.
  case ordinal(Int)
  /// Folded words, and the text itself for those that fold alike.
  case text(String, String)

  /// -1, 0 or 1.
  func compared(to other: SortValue) -> Int {
    switch (self, other) {
    case (.number(let left), .number(let right)): left.compared(to: right)
    case (.ordinal(let left), .ordinal(let right)): left < right ? -1 : left > right ? 1 : 0
    case (.text(let left, let leftText), .text(let right, let rightText)):
      order(left.utf8, right.utf8) ?? order(leftText.utf8, rightText.utf8) ?? 0
    default: rank < other.rank ? -1 : rank > other.rank ? 1 : 0
    }
  }

  private var rank: Int {
    switch self {
    case .number: 0
    case .ordinal: 1
    case .text: 2
    }
  }

  /// What `value`, of a field of this kind, is sorted by; nil where it is absent.
  init?(_ value: FieldValue?, _ kind: FieldKind) {
    switch (value, kind) {
    case (.flag(let flag), _): self = .ordinal(flag ? 1 : 0)
    case (.integer(let parts), _):
      self = .number(.fraction(Int128(parts), over: Int128(kind.denominator ?? 1)))
    case (.real(let real), _): self = .number(.real(real))
    case (.text(let text), .vocabulary(let names)):
      if let place = names.firstIndex(of: text) {
        self = .ordinal(place)
      } else {
        self = .text(TextFolding.key(of: text), text)
      }
    case (.text(let text), _): self = .text(TextFolding.key(of: text), text)
    case (.names(let names), .names(let list?)):
      let places = names.map { list.firstIndex(of: $0) ?? list.count }
      guard let first = places.first, list.count < 1 << 20 else { return nil }
      // The first name counts, then the second: a record of one name comes before those of two.
      let second = places.count > 1 ? places[1] + 1 : 0
      self = .ordinal(first * (list.count + 2) + second)
    case (.names(let names), _):
      guard !names.isEmpty else { return nil }
      let text = names.joined(separator: "/")
      self = .text(TextFolding.key(of: text), text)
    case (.translations(let translations), _):
      guard let first = translations.first else { return nil }
      self = .text(TextFolding.key(of: first.text), first.text)
    case (.bytes, _), (nil, _): return nil
    }
  }
}

/// -1 or 1, or nil where both are the same.
private func order(_ left: String.UTF8View, _ right: String.UTF8View) -> Int? {
  if left.elementsEqual(right) { return nil }
  return left.lexicographicallyPrecedes(right) ? -1 : 1
}
