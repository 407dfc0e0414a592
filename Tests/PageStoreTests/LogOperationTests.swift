import PageStore
import Testing

/// An operation that owns its bytes.
private enum OwnedOperation: Equatable {
  case put(UInt32, [UInt8], [UInt8])
  case delete(UInt32, [UInt8])
  case deleteRange(UInt32, [UInt8], [UInt8]?)
  case createTable(UInt32, [UInt8])
  case dropTable(UInt32)
  case renameTable(UInt32, [UInt8])

  init(_ operation: LogOperation) {
    self =
      switch operation {
      case .put(let table, let key, let value): .put(table, Array(key), Array(value))
      case .delete(let table, let key): .delete(table, Array(key))
      case .deleteRange(let table, let lower, let upper):
        .deleteRange(table, Array(lower), upper.map { Array($0) })
      case .createTable(let table, let name): .createTable(table, Array(name))
      case .dropTable(let table): .dropTable(table)
      case .renameTable(let table, let name): .renameTable(table, Array(name))
      }
  }

  static func random(using random: inout LogRandom) -> OwnedOperation {
    let table = UInt32.random(in: 0...UInt32.max, using: &random)
    let key = random.bytes(Int.random(in: 0...40, using: &random))
    let other = random.bytes(Int.random(in: 0...300, using: &random))
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .delete(table, key)
    case 1: return .deleteRange(table, key, other)
    case 2: return .deleteRange(table, key, nil)
    case 3: return .createTable(table, Array("table \(key.count)".utf8))
    case 4: return .dropTable(table)
    case 5: return .renameTable(table, Array("Pokémon".utf8))
    default: return .put(table, key, other)
    }
  }

  func append(to buffer: inout OperationBuffer) {
    switch self {
    case .put(let table, let key, let value):
      key.withUnsafeBytes { key in
        value.withUnsafeBytes { buffer.put(table: table, key: key, value: $0) }
      }
    case .delete(let table, let key):
      key.withUnsafeBytes { buffer.delete(table: table, key: $0) }
    case .deleteRange(let table, let lower, let upper):
      lower.withUnsafeBytes { lower in
        if let upper {
          upper.withUnsafeBytes { buffer.deleteRange(table: table, lower: lower, upper: $0) }
        } else {
          buffer.deleteRange(table: table, lower: lower, upper: nil)
        }
      }
    case .createTable(let table, let name):
      buffer.createTable(table, name: String(decoding: name, as: UTF8.self))
    case .dropTable(let table): buffer.dropTable(table)
    case .renameTable(let table, let name):
      buffer.renameTable(table, name: String(decoding: name, as: UTF8.self))
    }
  }
}

private func read(_ body: [UInt8]) throws(StoreError) -> [OwnedOperation] {
  // A copy of exactly this length, so that a sanitizer sees a read past its end.
  let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: body.count, alignment: 1)
  defer { copy.deallocate() }
  copy.copyBytes(from: body)
  var reader = OperationReader(untrusted: UnsafeRawBufferPointer(copy), path: "log")
  var result: [OwnedOperation] = []
  while let operation = try reader.next() { result.append(OwnedOperation(operation)) }
  return result
}

private func someOperations(seed: UInt64, count: Int) -> ([OwnedOperation], [UInt8]) {
  var random = LogRandom(seed: seed)
  var buffer = OperationBuffer()
  let operations = (0..<count).map { _ in OwnedOperation.random(using: &random) }
  for operation in operations { operation.append(to: &buffer) }
  return (operations, buffer.withBytes { Array($0) })
}

@Suite struct `A transaction's operations` {
  @Test(arguments: UInt64(0)..<32)
  func `come back as they were noted`(seed: UInt64) throws {
    let (operations, body) = someOperations(seed: seed, count: 100)
    #expect(try read(body) == operations)
  }

  @Test func `go back to a savepoint, and start again in the same memory`() throws {
    var buffer = OperationBuffer()
    OwnedOperation.put(1, [1], [2]).append(to: &buffer)
    let savepoint = buffer.byteCount
    OwnedOperation.dropTable(5).append(to: &buffer)
    buffer.truncate(to: savepoint)
    OwnedOperation.delete(1, [9]).append(to: &buffer)
    #expect(
      try read(buffer.withBytes { Array($0) }) == [.put(1, [1], [2]), .delete(1, [9])])
    buffer.removeAll()
    #expect(buffer.isEmpty)
    #expect(try read(buffer.withBytes { Array($0) }) == [])
  }

  @Test func `take the longest key and an empty one`() throws {
    let key = [UInt8](repeating: 7, count: 65535)
    var buffer = OperationBuffer()
    OwnedOperation.deleteRange(1, key, key).append(to: &buffer)
    OwnedOperation.put(1, [], []).append(to: &buffer)
    #expect(
      try read(buffer.withBytes { Array($0) }) == [.deleteRange(1, key, key), .put(1, [], [])])
  }

  @Test func `do not take a longer key`() async {
    await #expect(processExitsWith: .failure) {
      var buffer = OperationBuffer()
      let key = [UInt8](repeating: 7, count: 65536)
      key.withUnsafeBytes { buffer.delete(table: 1, key: $0) }
    }
  }

  @Test func `are a prefix or an error when cut off anywhere`() {
    let (operations, body) = someOperations(seed: 3, count: 20)
    for count in 0..<body.count {
      do throws(StoreError) {
        let found = try read(Array(body[..<count]))
        #expect(found == Array(operations.prefix(found.count)))
      } catch {
        guard case .corrupt = error else {
          Issue.record("\(error)")
          continue
        }
      }
    }
  }

  @Test(arguments: UInt64(0)..<10)
  func `never make the reader trap, whatever the bytes`(seed: UInt64) {
    var random = LogRandom(seed: seed)
    let (_, body) = someOperations(seed: seed, count: 8)
    for _ in 0..<10_000 {
      var bad = body
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bad.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bad[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bad[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        default: bad.removeSubrange(place..<min(bad.count, place + 3))
        }
        if bad.isEmpty { break }
      }
      _ = try? read(bad)
    }
  }

  @Test func `give the same error again when asked again`() {
    let body: [UInt8] = [200, 0, 0, 0, 0]
    body.withUnsafeBytes { bytes in
      var reader = OperationReader(untrusted: bytes, path: "log")
      for _ in 0..<2 {
        do throws(StoreError) {
          _ = try reader.next()
          Issue.record("no error")
        } catch {
          #expect(error == .corrupt(Damage(path: "log", .field("operation kind", 200))))
        }
      }
    }
  }
}
