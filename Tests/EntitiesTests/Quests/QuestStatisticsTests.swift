import Testing

@testable import Entities

/// Statistics as they are stored, written by hand.
private struct WrittenStatistics {
  var outcomes: [UInt64] = [1, 2, 0]
  /// The histograms of the six measures: bins and how often each.
  var histograms = [[(bin: UInt64, count: UInt64)]](repeating: [(3, 3)], count: 6)
  /// Quests, levels, experience and wins of the first part of the curve.
  var curve: [UInt64] = [3, 15, 0, 1]

  private func variable(_ value: UInt64) -> [UInt8] {
    value < 128
      ? [UInt8(value)] : [UInt8(value & 127) | 128] + variable(value >> 7)
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = [1] + outcomes.flatMap(variable) + [0]
    for histogram in histograms {
      bytes += [0, 0, 0, 0] + variable(UInt64(histogram.count))
      var last: UInt64 = 0
      for (bin, count) in histogram {
        bytes += variable(bin - last) + variable(count)
        last = bin
      }
    }
    bytes += [0, 0] + curve.flatMap(variable)
    bytes += [UInt8](repeating: 0, count: 63 * 4)
    return bytes + [0, 0, 0]
  }

  var read: QuestStatistics? { QuestStatistics(untrusted: bytes) }
}

@Suite struct `Stored statistics` {
  @Test func `are read where they are such as quests give`() throws {
    let statistics = try #require(WrittenStatistics().read)
    #expect(statistics.count == 3)
    #expect(statistics.wins == 1)
    #expect(statistics.encoded == WrittenStatistics().bytes)
  }

  @Test func `are refused where counts go beyond all numbers`() {
    var statistics = WrittenStatistics()
    statistics.outcomes = [.max, 4, 0]
    #expect(statistics.read == nil)
    statistics = WrittenStatistics()
    for place in 0..<6 { statistics.histograms[place] = [(1, 1), (2, .max), (3, 3)] }
    #expect(statistics.read == nil)
    let many: UInt64 = 1_000_000_000_000
    statistics.histograms = [[(bin: UInt64, count: UInt64)]](repeating: [(3, many)], count: 6)
    statistics.outcomes = [many, 0, 0]
    statistics.curve = [many, many, 0, many]
    #expect(statistics.read != nil)
    statistics.histograms[0] = [(3, many), (4, 1)]
    statistics.outcomes = [many, 1, 0]
    #expect(statistics.read == nil)
  }

  @Test func `are refused where the measures are of other quests`() {
    for place in 0..<6 {
      var statistics = WrittenStatistics()
      statistics.histograms[place] = [(3, 2)]
      #expect(statistics.read == nil, "measure \(place)")
    }
  }

  @Test func `are refused where no quests go on like that`() {
    for curve in [[3, 601, 0, 1], [2, 10, 0, 1], [4, 20, 0, 1], [3, 15, 0, 4]] as [[UInt64]] {
      var statistics = WrittenStatistics()
      statistics.curve = curve
      #expect(statistics.read == nil, "\(curve)")
    }
  }

  @Test func `of an adventurer with all experience there is add no more`() throws {
    var adventurer = Adventurer(
      name: "Ann", profession: "ranger", hitPoints: 40, multiplier: 256, defense: 50, evasion: 10,
      speed: 60)
    adventurer.experience = .max
    adventurer.wins = .max
    adventurer.losses = .max - 1
    adventurer.count(.max, 5)
    #expect(adventurer.wins == .max)
    #expect(adventurer.losses == .max)
    let result = QuestResult(
      outcome: .win, tick: 1, events: 1, kills: 1, level: 2, hitPoints: 1, totalHitPoints: 40,
      experience: 7, dealt: 1, taken: 1)
    #expect(Fighter(adventurer, id: EntityID(1)).after(result).experience == .max)
  }
}
