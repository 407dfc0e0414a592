/// What tells one store from every other: 128 random bits, drawn at its creation.
///
/// A backup gets an identity of its own, so that its log and the original's are not taken for each
/// other.
package struct StoreIdentity: Hashable, Sendable {
  /// The first 64 bits.
  package let high: UInt64
  /// The last 64 bits.
  package let low: UInt64

  /// The identity made of these bits.
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}
