extension Duration {
  /// The duration in nanoseconds: 0 where it is negative, and never more than 136 years, which is as
  /// good as for ever and leaves room to add it to a clock.
  var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    return min(UInt64(clamping: seconds), UInt64(UInt32.max)) * 1_000_000_000
      + UInt64(clamping: attoseconds / 1_000_000_000)
  }
}
