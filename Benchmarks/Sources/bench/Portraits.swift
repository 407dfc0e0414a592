#if HAVE_PAGESTORE
  import CPictures
  import Entities
  import PageStore

  /// Those that decode pictures beside ours.
  var portraitPeers: [any Contestant.Type] { [LZ4Portraits.self, PNGPortraits.self] }

  extension Row {
    /// Portraits beside liblz4 on their pixels and libpng.
    static let portraits: [Row] = [
      portrait("portrait-decode", "from bytes in memory", isStored: false),
      portrait("portrait-read", "ours from a store by key, peers from memory", isStored: true),
    ]

    private static func portrait(_ name: String, _ note: String, isStored: Bool) -> Row {
      Row(
        name, .portraits, "pictures/s", better: .higher, .reads,
        "48 by 48 pixels, \(note); liblz4 has the pixels' four bytes in one block, level 12"
      ) { (stage, contestant, _) in
        guard let kind = contestant as? any PictureDecoder.Type else {
          throw BenchError("\(contestant) decodes no pictures")
        }
        let decoder = try stage.decoder(kind)
        return try .rate(of: decoder.count * Pictures.repetitions) {
          var digest = Digest()
          for _ in 0..<Pictures.repetitions {
            isStored ? try decoder.read(into: &digest) : try decoder.decode(into: &digest)
          }
          return digest
        }
      }
    }
  }

  /// The pictures that all decode.
  struct Pictures {
    static let repetitions = 20
    static let pixelByteCount = PokemonPortrait.side * PokemonPortrait.side * 4
    let portraits: [Portrait]

    /// The gallery, and a Pokémon for each combination of shape and colour.
    init() throws {
      let types = ["fire", "water", "grass", "electric", "ghost", "steel", "fairy", "rock", "ice"]
      let shapes = [
        "ball", "squiggle", "fish", "arms", "blob", "upright", "legs", "quadruped", "wings",
        "tentacles", "heads", "humanoid", "bug-wings", "armor",
      ]
      let colors = ["black", "blue", "brown", "gray", "green", "pink", "purple", "red", "yellow"]
      let generated = (0..<shapes.count * colors.count).map { number in
        PokemonPortrait.draw(
          PokemonLikeness(
            number: number, types: [types[number % types.count], types[number * 5 % types.count]],
            shape: shapes[number % shapes.count], color: colors[number / shapes.count],
            stage: number % 3 + 1))
      }
      portraits =
        PortraitGallery.names.compactMap { PortraitGallery.portrait(named: $0) } + generated
    }
  }

  /// Decodes the pictures, each time all of their pixels.
  protocol PictureDecoder: Contestant {
    init(_ pictures: Pictures, path: String) throws

    var count: Int { get }

    /// Decodes each picture from bytes in memory and folds some of its pixels.
    func decode(into digest: inout Digest) throws

    /// Reads each picture from where the contestant keeps it, decodes it and folds some pixels.
    func read(into digest: inout Digest) throws
  }

  extension PictureDecoder {
    func read(into digest: inout Digest) throws { try decode(into: &digest) }

    /// Folds 64 bytes from the middle: folding all would take longer than decoding.
    fileprivate func fold(
      _ pixels: UnsafeRawBufferPointer, of place: Int, into digest: inout Digest
    ) {
      withUnsafeBytes(of: place) { key in
        guard let key = key.baseAddress, let value = pixels.baseAddress else { return }
        digest.fold(key, 8, value + pixels.count / 2, 64)
      }
    }
  }

  /// Ours: memory is asked for anew for each picture, as the callers of the library have it.
  final class OurPortraits: PictureDecoder {
    static let name = "ours"
    static let checks = "all that could make a portrait's bytes mean something else"

    private let encoded: [[UInt8]]
    private let store: Store

    init(_ pictures: Pictures, path: String) throws {
      encoded = try pictures.portraits.map { try PortraitCoding.encode($0) }
      for (bytes, portrait) in zip(encoded, pictures.portraits) {
        guard try PortraitCoding.decode(untrusted: bytes) == portrait else {
          throw BenchError("a picture of ours is not what was drawn")
        }
      }
      store = try Store(path: path + "/portraits.dex", options: StoreOptions())
      let encoded = encoded
      try store.write { (transaction) throws(StoreError) in
        let table = try transaction.createTable("portraits")
        for (number, bytes) in encoded.enumerated() {
          let key = UInt64(number).bigEndian
          try withUnsafeBytes(of: key) { (key) throws(StoreError) in
            try transaction.put(key.bytes, bytes.span.bytes, in: table)
          }
        }
      }
    }

    var count: Int { encoded.count }

    func decode(into digest: inout Digest) throws {
      for place in encoded.indices {
        let portrait = try PortraitCoding.decode(untrusted: encoded[place])
        portrait.pixels.withUnsafeBytes { fold($0, of: place, into: &digest) }
      }
    }

    func read(into digest: inout Digest) throws {
      let snapshot = try store.snapshot()
      let table = try snapshot.table("portraits")
      for place in encoded.indices {
        let key = withUnsafeBytes(of: UInt64(place).bigEndian) { Array($0) }
        guard let bytes = try table.get(key) else { throw BenchError.missingRow(Self.name) }
        let portrait = try PortraitCoding.decode(untrusted: bytes)
        portrait.pixels.withUnsafeBytes { fold($0, of: place, into: &digest) }
      }
    }
  }

  /// liblz4 on the pixels, into the same memory each time.
  final class LZ4Portraits: PictureDecoder {
    static let name = "liblz4"
    static let checks = "blocks that do not fill the picture"

    private let blocks: [[UInt8]]
    private var buffer = [UInt8](repeating: 0, count: Pictures.pixelByteCount)

    init(_ pictures: Pictures, path: String) throws {
      blocks = pictures.portraits.map { portrait in
        portrait.pixels.withUnsafeBytes { pixels in
          let limit = Int(LZ4_compressBound(Int32(pixels.count)))
          return [UInt8](unsafeUninitializedCapacity: limit) { target, count in
            let bytes = UnsafeMutableRawBufferPointer(target).bindMemory(to: CChar.self)
            count = Int(
              LZ4_compress_HC(
                pixels.bindMemory(to: CChar.self).baseAddress, bytes.baseAddress,
                Int32(pixels.count), Int32(limit), 12))
          }
        }
      }
    }

    var count: Int { blocks.count }

    func decode(into digest: inout Digest) throws {
      for place in blocks.indices { try decode(place, into: &digest) }
    }

    private func decode(_ place: Int, into digest: inout Digest) throws {
      let count = blocks[place].withUnsafeBytes { block in
        buffer.withUnsafeMutableBytes { target in
          LZ4_decompress_safe(
            block.bindMemory(to: CChar.self).baseAddress,
            target.bindMemory(to: CChar.self).baseAddress, Int32(block.count), Int32(target.count))
        }
      }
      guard Int(count) == Pictures.pixelByteCount else { throw BenchError("a block is refused") }
      buffer.withUnsafeBytes { fold($0, of: place, into: &digest) }
    }
  }

  /// libpng's simplified interface, into the same memory each time.
  final class PNGPortraits: PictureDecoder {
    static let name = "libpng"
    static let checks = "the checksums of chunks"

    private let files: [[UInt8]]
    private var buffer = [UInt8](repeating: 0, count: Pictures.pixelByteCount)

    init(_ pictures: Pictures, path: String) throws {
      files = try pictures.portraits.map { try PNGCoding.encode($0) }
    }

    var count: Int { files.count }

    func decode(into digest: inout Digest) throws {
      for place in files.indices { try decode(place, into: &digest) }
    }

    private func decode(_ place: Int, into digest: inout Digest) throws {
      var image = png_image()
      image.version = png_uint_32(PNG_IMAGE_VERSION)
      let isRead = files[place].withUnsafeBytes { file in
        guard png_image_begin_read_from_memory(&image, file.baseAddress, file.count) != 0 else {
          return false
        }
        image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
        return buffer.withUnsafeMutableBytes {
          png_image_finish_read(&image, nil, $0.baseAddress, 0, nil) != 0
        }
      }
      guard isRead else { throw BenchError("a file is refused") }
      buffer.withUnsafeBytes { fold($0, of: place, into: &digest) }
    }
  }
#else
  var portraitPeers: [any Contestant.Type] { [] }

  extension Row {
    static let portraits: [Row] = []
  }
#endif
