/// How the time of quests follows the wall clock: start + tick / speed, whatever happens meanwhile.
///
/// All times are given, in nanoseconds of any clock that does not go back. Nothing is added up, so
/// that nothing drifts.
struct WatchClock: Equatable, Sendable {
  /// In thousandths: 4000 is four times as fast as the quest itself.
  private(set) var speed: Int
  private(set) var isPaused = false
  /// A moment, and the time of the quest at it, both in nanoseconds.
  private var start: Int64
  private var reached: Int64 = 0

  static let usualSpeed = 1_000
  static let speeds = [
    125, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 512_000,
    1_024_000,
  ]
  static let speedRange = 1...1_024_000
  static let nanosecondsInTick: Int64 = 1_000_000

  init(at now: Int64, speed: Int = usualSpeed) {
    start = now
    self.speed = min(max(speed, Self.speedRange.lowerBound), Self.speedRange.upperBound)
  }

  /// The nanoseconds of the quest that are over.
  private func questTime(at now: Int64) -> Int64 {
    if isPaused { return reached }
    return Int64(clamping: Int128(reached) + Int128(now - start) * Int128(speed) / 1_000)
  }

  /// The tick up to which everything has happened.
  func tick(at now: Int64) -> Int64 { questTime(at: now) / Self.nanosecondsInTick }

  /// When `tick` will be; nil while the clock stands.
  func moment(of tick: Int64) -> Int64? {
    if isPaused { return nil }
    let left = Int128(tick) * Int128(Self.nanosecondsInTick) - Int128(reached)
    if left <= 0 { return start }
    return Int64(clamping: Int128(start) + (left * 1_000 + Int128(speed) - 1) / Int128(speed))
  }

  private mutating func rebase(at now: Int64) {
    reached = questTime(at: now)
    start = now
  }

  mutating func pause(at now: Int64) {
    rebase(at: now)
    isPaused = true
  }

  mutating func goOn(at now: Int64) {
    rebase(at: now)
    isPaused = false
  }

  /// The next greater of the usual speeds, or the next smaller one.
  mutating func change(isFaster: Bool, at now: Int64) {
    rebase(at: now)
    speed =
      isFaster
      ? Self.speeds.first { $0 > speed } ?? speed : Self.speeds.last { $0 < speed } ?? speed
  }

  /// Puts the time forward; never back.
  mutating func jump(to tick: Int64, at now: Int64) {
    rebase(at: now)
    reached = max(reached, tick * Self.nanosecondsInTick)
  }

  var speedText: String {
    let (whole, rest) = (speed / 1_000, speed % 1_000)
    if rest == 0 { return "\(whole)" }
    var digits = String("\(1_000 + rest)".dropFirst())
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}
