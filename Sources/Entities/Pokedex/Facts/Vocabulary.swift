/// One name of a closed list, such as a type of Pokémon.
///
/// The raw value is the name's place in the list, from 0 on. Records hold the place, so names may be
/// added at the end of a list, and never moved.
public protocol Vocabulary: RawRepresentable<UInt8>, CaseIterable, Hashable, Comparable, Sendable {
  /// All names, in the order of the cases.
  static var names: [String] { get }
}

extension Vocabulary {
  /// The name, in lower case, as the data has it.
  public var name: String { Self.names[Int(rawValue)] }

  /// The case of that name, or nil.
  public init?(name: String) {
    guard let place = Self.names.firstIndex(of: name) else { return nil }
    self.init(rawValue: UInt8(place))
  }

  /// Orders names by their places in the list.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
