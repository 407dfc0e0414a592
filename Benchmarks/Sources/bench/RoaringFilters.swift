import CRoaring

/// CRoaring as Debian builds it, with a bitmap in memory for each type, number and prefix.
///
/// Whether it uses AVX2 was decided when it was built, and it has no call that tells. Debian builds
/// for any x86-64: no instruction of its 0.2.66 uses a register of 256 bits, or is POPCNT.
final class RoaringFilters: FilterEngine {
  static let name = "croaring"
  static let checks =
    "nothing: it has no checksums; version \(ROARING_VERSION_MAJOR).\(ROARING_VERSION_MINOR)"
    + ".\(ROARING_VERSION_REVISION), which Debian builds without AVX2"

  typealias Answer = UnsafeMutablePointer<roaring_bitmap_t>

  private var types: [Answer] = []
  private var numbers: [Answer] = []
  private var prefixes: [String: Answer] = [:]

  init(_ rows: SearchRows, path: String) throws {
    types = try (0..<SearchRows.typeCount).map { _ in try Self.make() }
    numbers = try (0..<256).map { _ in try Self.make() }
    for row in 0..<rows.count {
      for type in 0..<SearchRows.typeCount where rows.types[row] >> UInt32(type) & 1 == 1 {
        roaring_bitmap_add(types[type], UInt32(row))
      }
      roaring_bitmap_add(numbers[Int(rows.numbers[row])], UInt32(row))
      for word in rows.names[row] {
        let prefix = String(word.prefix(2))
        let bitmap = try prefixes[prefix] ?? Self.make()
        prefixes[prefix] = bitmap
        roaring_bitmap_add(bitmap, UInt32(row))
      }
    }
    for bitmap in types + numbers + prefixes.values { _ = roaring_bitmap_run_optimize(bitmap) }
  }

  private static func make() throws -> Answer {
    guard let bitmap = roaring_bitmap_create() else {
      throw BenchError("CRoaring made no bitmap")
    }
    return bitmap
  }

  func answer(_ filter: SearchFilter) throws -> Answer {
    let first = types[filter.types[0]]
    let answer: Answer?
    switch filter.kind {
    case .twoTypes: answer = roaring_bitmap_and(first, types[filter.types[1]])
    case .threeTypes:
      answer = roaring_bitmap_and(first, types[filter.types[1]])
      roaring_bitmap_and_inplace(answer, types[filter.types[2]])
    case .typeAndPrefix: answer = roaring_bitmap_and(first, prefixes[filter.prefix])
    case .typeAndRange:
      var parts = numbers[Int(filter.lower)...Int(filter.upper)].map {
        Optional(UnsafePointer($0))
      }
      answer = roaring_bitmap_or_many(parts.count, &parts)
      roaring_bitmap_and_inplace(answer, first)
    }
    guard let answer else { throw BenchError("CRoaring gave no answer") }
    return answer
  }

  func rows(of answer: Answer) -> [UInt32] {
    defer { roaring_bitmap_free(answer) }
    let count = Int(roaring_bitmap_get_cardinality(answer))
    return [UInt32](unsafeUninitializedCapacity: count) { numbers, initializedCount in
      roaring_bitmap_to_uint32_array(answer, numbers.baseAddress)
      initializedCount = count
    }
  }
}
