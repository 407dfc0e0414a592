import SimulatedDisk
import Testing

@testable import Index

/// Sets of rows beside sets of plain numbers.
@Suite struct `A posting set` {
  /// Numbers that lie thinly, densely, in runs, or at the very ends of what there is.
  static func numbers(_ random: inout SplitMix64) -> Set<UInt64> {
    var numbers: Set<UInt64> = []
    for _ in 0..<random.number(in: 0..<5) {
      let base: UInt64 =
        random.chance(20)
        ? RowID.limit.rawValue - 20_000 : UInt64(random.number(in: 0..<4)) * 8192
      switch random.number(in: 0..<4) {
      case 0: for _ in 0..<20 { numbers.insert(base + UInt64(random.number(in: 0..<20_000))) }
      case 1: for _ in 0..<3000 { numbers.insert(base + UInt64(random.number(in: 0..<16_384))) }
      case 2:
        let start = base + UInt64(random.number(in: 0..<9000))
        for number in start..<start + UInt64(random.number(in: 1..<10_000)) {
          numbers.insert(number)
        }
      default: numbers.formUnion([base, base + 8191, base + 8192, RowID.limit.rawValue])
      }
    }
    return numbers
  }

  private func set(_ numbers: some Sequence<UInt64>) -> PostingSet {
    PostingSet(numbers.map { RowID(rawValue: $0) })
  }

  @Test(arguments: UInt64(0)..<64)
  func `combines as a set of numbers does`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (left, right) = (Self.numbers(&random), Self.numbers(&random))
    let (first, second) = (set(left), set(right.shuffled(using: &random)))
    #expect(first.map(\.rawValue) == left.sorted())
    #expect(first.count == left.count)
    #expect(first.intersection(second).map(\.rawValue) == left.intersection(right).sorted())
    #expect(first.intersectionCount(second) == left.intersection(right).count)
    #expect(first.union(second).map(\.rawValue) == left.union(right).sorted())
    #expect(first.union(second).count == left.union(right).count)
    #expect(first.subtracting(second).map(\.rawValue) == left.subtracting(right).sorted())
    #expect(first.subtracting(second).count == left.subtracting(right).count)
    #expect(second.complement(in: first) == first.subtracting(second))
    #expect(first.min?.rawValue == left.min())
    #expect(first.max?.rawValue == left.max())
    #expect((first == second) == (left == right))
    let third = Self.numbers(&random)
    let united = PostingSet.union(of: [first, second, set(third)])
    #expect(united.map(\.rawValue) == left.union(right).union(third).sorted())
  }

  @Test(arguments: UInt64(0)..<32)
  func `has its rows and goes on from any of them`(seed: UInt64) {
    var random = SplitMix64(seed: seed &+ 1000)
    let numbers = Self.numbers(&random)
    let set = set(numbers)
    let sorted = numbers.sorted()
    var probes = sorted.shuffled(using: &random).prefix(20).flatMap { [$0, $0 &+ 1] }
    probes += [0, 8191, 8192, 1 << 40, RowID.limit.rawValue]
    for probe in probes where probe <= RowID.limit.rawValue {
      #expect(set.contains(RowID(rawValue: probe)) == numbers.contains(probe))
      let rest = set.prefix(30, from: RowID(rawValue: probe)).map(\.rawValue)
      #expect(rest == Array(sorted.drop { $0 < probe }.prefix(30)))
    }
  }

  @Test func `is empty where nothing was put in`() {
    let empty = PostingSet([])
    #expect(empty.isEmpty)
    #expect(empty == .empty)
    #expect(empty.min == nil)
    #expect(empty.max == nil)
    #expect(PostingSet.union(of: []).isEmpty)
  }
}

/// The three forms of a container beside sets of plain numbers.
@Suite struct `A container` {
  /// The forms in which these numbers can be written.
  private func codings(of numbers: Set<UInt16>) -> [[UInt8]] {
    let sorted = numbers.sorted()
    func bytes(_ values: [UInt16]) -> [UInt8] {
      values.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }
    var bitmap = [UInt8](repeating: 0, count: 1024)
    var runs: [UInt16] = []
    for number in sorted {
      bitmap[Int(number / 8)] |= 1 << UInt8(number % 8)
      if let first = runs.dropLast().last, let length = runs.last, first + length + 1 == number {
        runs[runs.count - 1] += 1
      } else {
        runs += [number, 0]
      }
    }
    var codings = [[2] + bitmap]
    if (1...512).contains(sorted.count) { codings.append([1] + bytes(sorted)) }
    if (1...512).contains(runs.count) { codings.append([3] + bytes(runs)) }
    return codings
  }

  private func numbers(_ random: inout SplitMix64) -> Set<UInt16> {
    var numbers: Set<UInt16> = []
    switch random.number(in: 0..<5) {
    case 0: numbers = [0, 8191]
    case 1: for _ in 0..<10 { numbers.insert(UInt16(random.number(in: 0..<8192))) }
    case 2: for _ in 0..<5000 { numbers.insert(UInt16(random.number(in: 0..<8192))) }
    case 3: numbers = Set(0..<8192)
    default:
      for _ in 0..<4 {
        let start = random.number(in: 0..<8192)
        for number in start..<min(8192, start + 700) { numbers.insert(UInt16(number)) }
      }
    }
    return numbers
  }

  @Test(arguments: UInt64(0)..<100)
  func `combines in every form with every other`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (left, right) = (numbers(&random), numbers(&random))
    for leftBytes in codings(of: left) {
      for rightBytes in codings(of: right) {
        guard let first = Container(untrusted: leftBytes.span.memory),
          let second = Container(untrusted: rightBytes.span.memory)
        else {
          Issue.record("a sound container was refused")
          continue
        }
        #expect(first.numbers == left.sorted())
        #expect(first.rowCount == left.count)
        let cases: [(SetOperation, Set<UInt16>)] = [
          (.intersection, left.intersection(right)), (.union, left.union(right)),
          (.subtraction, left.subtracting(right)),
        ]
        for (operation, expected) in cases {
          var words = [UInt64](repeating: 0xAAAA, count: 130)
          let (kind, count) = Container.combine(first, operation, second, into: &words, at: 1)
          let part = words.span.extracting(1..<129).memory
          let result = Container(kind, count: kind == .bitmap ? 0 : count, bytes: part)
          #expect(result.numbers == expected.sorted())
          #expect(count == expected.count)
          #expect(Container.countOf(first, operation, second) == expected.count)
          #expect(words[0] == 0xAAAA && words[129] == 0xAAAA)
        }
        for number in [UInt16(0), 1, 4000, 8191] + right.prefix(5) {
          #expect(first.contains(number) == left.contains(number))
        }
      }
    }
  }

  @Test(arguments: UInt64(0)..<40)
  func `is written in the shortest form`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let numbers = numbers(&random)
    let codings = codings(of: numbers)
    for bytes in codings {
      let coding = Container(untrusted: bytes.span.memory)?.coding
      #expect(coding?.count == codings.map(\.count).min())
      #expect(coding.map { codings.contains($0) } == true)
    }
  }

  @Test(
    arguments: [
      [], [0], [1], [2], [3], [4, 0, 0], [0xFF, 0, 0], [1, 0], [1, 0, 0, 0], [1, 5, 0, 5, 0],
      [1, 6, 0, 5, 0], [1, 0, 0x20], [1, 1, 0, 0, 0x20], [3, 0, 0], [3, 0, 0, 0, 0x20],
      [3, 5, 0, 1, 0, 6, 0, 0, 0], [3, 5, 0, 1, 0, 7, 0, 0, 0], [3, 0xFF, 0x1F, 1, 0],
      [3, 5, 0, 0xFF, 0xFF], [2] + [UInt8](repeating: 1, count: 1023),
      [2] + [UInt8](repeating: 1, count: 1025), [1] + [UInt8](repeating: 0, count: 1026),
    ] as [[UInt8]])
  func `is refused where its bytes are those of none`(bytes: [UInt8]) {
    let isContainer = Container(untrusted: bytes.span.memory) != nil
    #expect(!isContainer)
  }

  @Test func `stands every truncation and every flipped bit`() {
    var random = SplitMix64(seed: 9)
    for _ in 0..<6 {
      for bytes in codings(of: numbers(&random)) {
        for count in 0..<bytes.count { use(Array(bytes[..<count])) }
        for bit in 0..<8 * min(bytes.count, 200) {
          var damaged = bytes
          damaged[bit / 8] ^= 1 << UInt8(bit % 8)
          use(damaged)
        }
      }
    }
  }

  /// Whatever is accepted is a set of numbers below 8192.
  private func use(_ bytes: [UInt8]) {
    guard let container = Container(untrusted: bytes.span.memory) else { return }
    let numbers = container.numbers
    #expect(numbers.count == container.rowCount)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    #expect(numbers.allSatisfy { $0 < 8192 })
  }
}
