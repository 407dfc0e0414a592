/// A file that is written from its start to its end, and then takes the place of what was there; or
/// one that grows where it is.
///
/// Of the first kind a file that was there before is as it was, whatever fails, but for one that is
/// not the program's own, has several names, or is in a folder where no other can be made: that is
/// written in place.
package final class OutputFile {
  package let path: String
  private let descriptor: Int32
  private let partial: (name: String, target: String)?
  private var pending: [UInt8] = []
  private var isOpen = true

  package init(_ path: String, permissions: UInt32? = nil) throws(FileFailure) {
    self.path = path
    (descriptor, partial) = try SystemCalls.openForWriting(path, permissions: permissions)
  }

  /// A file that is emptied and then grows where it is, as `flush` is called.
  package init(growing path: String) throws(FileFailure) {
    self.path = path
    descriptor = try SystemCalls.openInPlace(path)
    partial = nil
  }

  package func write(_ text: String) throws(FileFailure) { try write(Array(text.utf8)) }

  package func write(_ bytes: [UInt8]) throws(FileFailure) {
    pending.append(contentsOf: bytes)
    if pending.count >= 1 << 16 { try flush() }
  }

  /// Hands what was written to the system; what that refuses is lost, and is not tried again.
  package func flush() throws(FileFailure) {
    if pending.isEmpty { return }
    defer { pending.removeAll(keepingCapacity: true) }
    if !SystemCalls.write(pending, to: descriptor) {
      throw FileFailure(path: path, errno: SystemCalls.lastError)
    }
  }

  /// Writes what is left, and gives the file its name; where that fails, nothing of it stays.
  package func close() throws(FileFailure) {
    do throws(FileFailure) {
      try flush()
    } catch {
      abandon()
      throw error
    }
    isOpen = false
    if SystemCalls.finish(descriptor, partial) { return }
    let failure = FileFailure(path: path, errno: SystemCalls.lastError)
    if let partial { SystemCalls.remove(partial.name) }
    throw failure
  }

  /// Lets go of a file that is not whole.
  package func abandon() {
    if isOpen {
      _ = SystemCalls.closeWritten(descriptor)
      if let partial { SystemCalls.remove(partial.name) }
    }
    isOpen = false
  }
}
