/// The lines of a file or a pipe, one by one as they come.
package struct InputLines {
  /// The most bytes of a line.
  static let longestLine = 1 << 26

  private let descriptor: Int32
  private var pending: [UInt8] = []
  private var position = 0
  private var isAtEnd = false

  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// The next line without its end; nil at the end of all.
  package mutating func next() throws(FileFailure) -> String? {
    var searched = position
    while true {
      if let end = pending[searched...].firstIndex(of: 10) {
        defer { position = end + 1 }
        return try text(pending[position..<end])
      }
      if isAtEnd {
        defer { position = pending.count }
        return position < pending.count ? try text(pending[position...]) : nil
      }
      pending.removeFirst(position)
      position = 0
      searched = pending.count
      if searched > Self.longestLine {
        throw FileFailure(path: "input", reason: "a line of more than \(Self.longestLine) bytes")
      }
      let more = try SystemCalls.read(descriptor)
      isAtEnd = more.isEmpty
      pending += more
    }
  }

  private func text(_ bytes: ArraySlice<UInt8>) throws(FileFailure) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw FileFailure(path: "input", reason: "the line is not UTF-8")
    }
    return text.last == "\r" ? String(text.dropLast()) : text
  }
}
