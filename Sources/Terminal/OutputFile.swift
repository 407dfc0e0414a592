/// A file that is written from its start to its end.
package final class OutputFile {
  private let path: String
  private let descriptor: Int32
  private var pending: [UInt8] = []
  private var isOpen = true

  /// Creates the file, or empties the one that is there.
  package init(_ path: String) throws(FileFailure) {
    self.path = path
    descriptor = try SystemCalls.openForWriting(path)
  }

  package func write(_ text: String) throws(FileFailure) {
    pending.append(contentsOf: text.utf8)
    if pending.count >= 1 << 16 { try flush() }
  }

  private func flush() throws(FileFailure) {
    if !SystemCalls.write(pending, to: descriptor) {
      throw FileFailure(path: path, errno: SystemCalls.lastError)
    }
    pending.removeAll(keepingCapacity: true)
  }

  /// Writes what is left.
  package func close() throws(FileFailure) {
    try flush()
    isOpen = false
    if !SystemCalls.closeWritten(descriptor) {
      throw FileFailure(path: path, errno: SystemCalls.lastError)
    }
  }

  /// Lets go of a file that is not whole.
  package func abandon() {
    if isOpen { _ = SystemCalls.closeWritten(descriptor) }
    isOpen = false
  }
}
