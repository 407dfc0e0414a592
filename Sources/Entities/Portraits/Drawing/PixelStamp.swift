/// A few pixels set by hand, a character for each.
struct PixelStamp: Hashable, Sendable {
  let rows: [String]

  init(_ rows: String...) { self.rows = rows }

  var width: Int { rows.first?.count ?? 0 }
  var height: Int { rows.count }
}
