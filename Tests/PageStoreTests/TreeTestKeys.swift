@testable import PageStore

/// Keys and values of every shape that a tree may find hard.
struct TreeTestKeys {
  enum Shape: Int, CaseIterable {
    case empty, short, long, number, sharedPrefix, longPrefix, tie, extended
  }

  var random: SpaceRandom
  /// The shapes that keys are drawn from.
  let shapes: [Shape]
  private var ascending = 0

  init(seed: UInt64) {
    random = SpaceRandom(seed: seed)
    var shapes = Shape.allCases
    if seed % 4 > 0 { shapes.shuffle(using: &random) }
    // Few shapes at a time make trees of which every page is alike.
    self.shapes = Array(shapes.prefix(seed % 4 == 0 ? shapes.count : 1 + Int(seed % 4)))
  }

  init(seed: UInt64, shapes: [Shape]) {
    random = SpaceRandom(seed: seed)
    self.shapes = shapes
  }

  mutating func key() -> [UInt8] {
    switch shapes[random.below(shapes.count)] {
    case .empty: return random.below(4) == 0 ? [] : bytes(1 + random.below(3), of: [0, 0xFF])
    case .short: return bytes(1 + random.below(8), of: [0, 1, 0x41, 0xFF])
    case .long: return bytes(1 + random.below(1024))
    case .number: return Self.number(random.below(100_000))
    case .sharedPrefix: return [UInt8](repeating: 0x70, count: 40) + Self.number(random.below(5000))
    case .longPrefix:
      let prefix = [UInt8](repeating: 0x71, count: random.below(10) == 0 ? 200 : 300)
      return prefix + bytes(random.below(random.below(3) == 0 ? 700 : 12))
    case .tie:
      return Array("tie-AAAABBBB".utf8.prefix(4 + random.below(9)))
        + bytes(random.below(4), of: [0, 1])
    case .extended:
      return [UInt8](repeating: 0x65, count: 1 + random.below(1000))
        + bytes(random.below(3), of: [0, 0x65, 0xFF])
    }
  }

  mutating func nextAscending() -> [UInt8] {
    ascending += 1
    return [0x7A] + Self.number(ascending)
  }

  mutating func value() -> [UInt8] {
    switch random.below(24) {
    case 0: return []
    case 1..<12: return bytes(random.below(40))
    case 12..<18: return bytes(random.below(500))
    case 18..<21: return bytes(random.below(1200))
    case 21..<23: return bytes(random.below(5000))
    default: return bytes(random.below(70_000))
    }
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
      withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) }
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  mutating func bytes(_ count: Int, of choice: [UInt8]) -> [UInt8] {
    (0..<count).map { _ in choice[random.below(choice.count)] }
  }

  /// `number` as 16 digits.
  static func number(_ number: Int) -> [UInt8] {
    var digits = [UInt8](repeating: 0x30, count: 16)
    var rest = number
    var place = 15
    while rest > 0 {
      digits[place] += UInt8(rest % 10)
      rest /= 10
      place -= 1
    }
    return digits
  }
}
