// swift-tools-version: 6.3
import PackageDescription

/// Whether the store's public face is there to be measured; without it only the peers run.
let hasPageStore = true

let package = Package(
  name: "Benchmarks",
  dependencies: hasPageStore ? [.package(name: "dex", path: "..")] : [],
  targets: [
    .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
    // Debian's LevelDB and CRoaring have no .pc file; their module maps say what to link.
    .systemLibrary(name: "CLevelDB", providers: [.apt(["libleveldb-dev"])]),
    .systemLibrary(name: "CRoaring", providers: [.apt(["libroaring-dev"])]),
    .systemLibrary(
      name: "CRocksDB", pkgConfig: "rocksdb", providers: [.apt(["librocksdb-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CDigest"),
    .systemLibrary(name: "CTerminal"),
    // liblz4 and libpng, which the library itself needs; `Scripts/prepare` installs them for it.
    .systemLibrary(name: "CPictures"),
    .target(name: "CQuests", cSettings: [.unsafeFlags(["-O3"])]),
    .executableTarget(name: "empty"),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CLMDB", "CLevelDB", "CRoaring", "CRocksDB", "CSQLite", "CDigest", "CPictures", "CQuests",
        "CTerminal",
      ]
        + (hasPageStore
          ? [
            .product(name: "PageStore", package: "dex"), .product(name: "Index", package: "dex"),
            .product(name: "Entities", package: "dex"),
          ] : []),
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ] + (hasPageStore ? [.define("HAVE_PAGESTORE")] : [])),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu2x
)
