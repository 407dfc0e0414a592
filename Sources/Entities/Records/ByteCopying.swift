extension ByteReader {
  static func copy(_ bytes: RawSpan) -> [UInt8] {
    let span = Span<UInt8>(_bytes: bytes)
    return [UInt8](capacity: span.count) { output in
      for index in span.indices { output.append(span[index]) }
    }
  }
}
