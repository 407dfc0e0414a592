extension BinaryInteger {
  /// The number and what it counts, which is `noun` where it is one, and else `plural`, or `noun`
  /// with an s: `1 page`, `2 pages`.
  package func counted(_ noun: String, _ plural: String? = nil) -> String {
    "\(self) " + (self == 1 ? noun : plural ?? noun + "s")
  }
}
