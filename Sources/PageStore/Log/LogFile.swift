import Glibc

/// The file of a log: a header that says whose it is, and two halves that hold frames.
///
/// Blocks are written with zeros before frames go there, not only reserved, so that a sync of
/// frames has no block to allocate and nothing but data to write. Which bytes are frames is not
/// known here: see `LogTail` and `LogReplay`.
package final class LogFile: Sendable {
  /// Where the file is.
  package let path: String
  /// The salt of the file's frames.
  package let salt: LogSalt
  /// Where the halves lie.
  package let geometry: LogGeometry
  /// What is wrong with the header or the length of a log that was opened all the same.
  package let damage: StoreError?
  private let file: any StoreFile

  private init(
    _ file: any StoreFile, path: String, salt: LogSalt, geometry: LogGeometry,
    damage: StoreError? = nil
  ) {
    self.damage = damage
    self.file = file
    self.path = path
    self.salt = salt
    self.geometry = geometry
  }

  /// Creates the log of the store `identity`, its first halves written and all of it durable.
  ///
  /// Whatever fails, no file is left behind; a file that was there before is not touched.
  ///
  /// - Throws: `.system`, with `EEXIST` where there is a file already and `ENOSPC` where the disk
  ///   is full.
  package static func create(
    in fileSystem: any FileSystem, path: String, identity: StoreIdentity, salt: LogSalt,
    permissions: UInt32, geometry: LogGeometry = .standard
  ) throws(StoreError) -> LogFile {
    let file = try fileSystem.open(path, .createNew(permissions: permissions))
    let log = LogFile(file, path: path, salt: salt, geometry: geometry)
    do throws(StoreError) {
      // Its length comes first: whatever a loss of power leaves of the rest, that is one of ours.
      try file.truncate(to: geometry.start(ofHalf: 1) + geometry.initialHalfByteCount)
      for half in 0...1 { try log.writeZeros(half, 0..<geometry.initialHalfByteCount) }
      let header = LogFileHeader(identity: identity, salt: salt)
      try log.write(LogChunk(offset: 0, bytes: header.bytes))
      try file.sync()
      try fileSystem.syncDirectory(of: path)
    } catch {
      file.close()
      // The first error is the one that tells; a file that stays is found foreign, or replaced.
      do { try fileSystem.remove(path) } catch {}
      throw error
    }
    return log
  }

  /// Opens the log of the store `identity` that has `salt`.
  ///
  /// For `salvage` a header that is damaged or unreadable is passed over, and kept as `damage`: frames
  /// prove their origin themselves. A header that is whole must fit all the same.
  ///
  /// A log that is shorter than it was made is damaged, and not one whose end is torn: it was made and
  /// synced before a meta page named it.
  ///
  /// - Throws: `.logMissing`, `.foreignLog`, `.unsupportedVersion`, `.corrupt`, `.alreadyExists` where
  ///   something else than a file has its name.
  package static func open(
    in fileSystem: any FileSystem, path: String, identity: StoreIdentity, salt: LogSalt,
    mode: OpenMode = .readWrite, geometry: LogGeometry = .standard, salvage: Bool = false
  ) throws(StoreError) -> LogFile {
    if let kind = try fileSystem.kind(of: path), kind != .file && kind != .link {
      throw .alreadyExists(path: path)
    }
    let file: any StoreFile
    do throws(StoreError) {
      file = try fileSystem.open(path, mode)
    } catch {
      guard case .system(.open, _, ENOENT) = error else { throw error }
      throw .logMissing(path: path)
    }
    var damage: StoreError?
    do throws(StoreError) {
      let header = try readHeader(file, path: path)
      guard header.identity == identity, header.salt == salt else {
        throw StoreError.foreignLog(path: path)
      }
      let byteCount = try file.byteCount()
      if byteCount < geometry.start(ofHalf: 1) + geometry.initialHalfByteCount {
        throw StoreError.corrupt(Damage(path: path, .truncated(byteCount: byteCount)))
      }
    } catch {
      guard case .corrupt = error, salvage else {
        file.close()
        throw error
      }
      damage = error
    }
    return LogFile(file, path: path, salt: salt, geometry: geometry, damage: damage)
  }

  private static func readHeader(
    _ file: any StoreFile, path: String
  ) throws(StoreError) -> LogFileHeader {
    // Safe: the buffer lives until the end of the function, and only what was read is looked at.
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: LogGeometry.headerByteCount, alignment: 16)
    defer { unsafe buffer.deallocate() }
    let count: Int
    do throws(StoreError) {
      count = try unsafe file.read(into: buffer, at: 0)
    } catch {
      guard case .system(.read, _, EIO) = error else { throw error }
      throw .corrupt(Damage(path: path, .unreadable(errno: EIO)))
    }
    return try unsafe LogFileHeader(
      untrusted: UnsafeRawBufferPointer(rebasing: buffer[..<count]), path: path)
  }

  /// The length of the file now.
  package func byteCount() throws(StoreError) -> Int { try file.byteCount() }

  /// Reads into all of `buffer`, from `offset`; fewer bytes only where the file ends.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(StoreError) -> Int {
    // Safe: the caller lends the buffer for this call.
    try unsafe file.read(into: buffer, at: offset)
  }

  /// Writes a chunk of frames, without making it durable.
  ///
  /// - Throws: `.system`, with an unknown part of the chunk written.
  package func write(_ chunk: LogChunk) throws(StoreError) {
    // Safe: the array's bytes, for the call.
    try unsafe chunk.bytes.span.bytes.withUnsafeBytes { (bytes) throws(StoreError) in
      try unsafe file.write(bytes, at: chunk.offset)
    }
  }

  /// Begins to bring `chunks`, which are written, to the disk.
  package func startWriting(_ chunks: [LogChunk]) {
    for chunk in chunks { file.startWriting(chunk.offset..<chunk.offset + chunk.bytes.count) }
  }

  /// Makes what was written durable.
  package func sync() throws(StoreError) { try file.sync() }

  /// Grows a free half from `byteCount` to `newByteCount`, its new blocks written and durable.
  ///
  /// What a failure leaves behind is zeros where no frame has ever been; the half then still has
  /// its old length, and growing may be tried again.
  ///
  /// - Throws: `.system`, with `ENOSPC` where the disk is full.
  package func growHalf(
    _ half: Int, from byteCount: Int, to newByteCount: Int
  ) throws(StoreError) {
    precondition(
      byteCount <= newByteCount && newByteCount <= geometry.halfCapacity,
      "a half of \(byteCount) bytes grows to \(newByteCount)")
    try writeZeros(half, byteCount..<newByteCount)
    try file.sync()
  }

  /// Gives back the blocks of `half` behind its first `byteCount` bytes, where no frame is needed and
  /// none may come meanwhile.
  ///
  /// - Throws: `.system` where the file system keeps them.
  package func shrinkHalf(_ half: Int, to byteCount: Int) throws(StoreError) {
    let start = geometry.start(ofHalf: half)
    let end = min(start + geometry.halfCapacity, try file.byteCount())
    if start + byteCount < end { try file.discard(start + byteCount..<end) }
  }

  private func writeZeros(_ half: Int, _ range: Range<Int>) throws(StoreError) {
    let start = geometry.start(ofHalf: half)
    let zeros = [UInt8](repeating: 0, count: min(range.count, 1 << 20))
    var offset = range.lowerBound
    while offset < range.upperBound {
      let count = min(zeros.count, range.upperBound - offset)
      // Safe: count is at most the array's, whose bytes are used for the call only.
      try unsafe zeros.span.bytes.withUnsafeBytes { (bytes) throws(StoreError) in
        try unsafe file.write(
          UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: start + offset)
      }
      offset += count
    }
  }

  /// Closes the file.
  package func close() { file.close() }

  /// Closes the file and removes it; the removal is not made durable here.
  package func remove(from fileSystem: any FileSystem) throws(StoreError) {
    file.close()
    try fileSystem.remove(path)
  }
}
