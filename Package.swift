// swift-tools-version: 6.3
import PackageDescription

// Local knobs, all off by default: DEX_WERROR=1 makes warnings errors, DEX_UBSAN=1 checks the C,
// DEX_TESTS=IndexTests leaves the other test targets out, which makes building much shorter, and with
// DEX_ALONE=1 also all that those tests do not need. DEX_FUZZ=1 makes the program `fuzz` in the place
// of all tests.
func isOn(_ name: String) -> Bool { Context.environment[name] == "1" }

// Tests take no strict memory safety: the expansions of #expect cannot carry `unsafe`.
let testSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableExperimentalFeature("Lifetimes"),
]
var swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableExperimentalFeature("Lifetimes"),
  .strictMemorySafety(),
]
var cSettings: [CSetting] = [
  .define("_GNU_SOURCE"), .enableWarning("all"), .enableWarning("extra"),
]
if isOn("DEX_WERROR") {
  swiftSettings += [
    .treatAllWarnings(as: .error), .treatWarning("DeprecatedDeclaration", as: .warning),
  ]
  cSettings += [.treatAllWarnings(as: .error)]
}
if isOn("DEX_UBSAN") {
  cSettings += [.unsafeFlags(["-fsanitize=undefined", "-fsanitize-trap=undefined"])]
}
// What is fuzzed counts its own steps, and is open to the targets, which are tests.
let isFuzzing = isOn("DEX_FUZZ")
if isFuzzing {
  swiftSettings += [.unsafeFlags(["-sanitize=fuzzer,address", "-enable-testing"])]
  cSettings += [.unsafeFlags(["-fsanitize=address,fuzzer-no-link"])]
}

let package = Package(
  name: "dex",
  products: [
    .library(name: "PageStore", targets: ["PageStore"]),
    .library(name: "Index", targets: ["Index"]),
    .library(name: "Entities", targets: ["Entities"]),
    .executable(name: "dexdb", targets: ["dexdb"]),
    .executable(name: "questrunner", targets: ["questrunner"]),
  ],
  targets: [
    .systemLibrary(name: "CLZ4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(
      name: "CUTF8Proc", providers: [.apt(["libutf8proc-dev"])]),
    .systemLibrary(name: "CLibEdit", pkgConfig: "libedit", providers: [.apt(["libedit-dev"])]),
    // No pkgConfig: its flags are refused with a warning.
    .systemLibrary(name: "CNcursesW", providers: [.apt(["libncurses-dev"])]),
    .target(name: "CDexShim", cSettings: cSettings),
    .target(name: "CDexData", cSettings: cSettings),
    .target(name: "PageStore", dependencies: ["CDexShim"], swiftSettings: swiftSettings),
    .target(
      name: "Index", dependencies: ["PageStore", "CDexShim", "CUTF8Proc"],
      swiftSettings: swiftSettings),
    .target(
      name: "Entities",
      dependencies: ["Index", "PageStore", "CDexShim", "CDexData", "CLZ4", "CPNG"],
      swiftSettings: swiftSettings),
    .target(
      name: "Terminal", dependencies: ["Entities", "CDexShim", "CUTF8Proc", "CNcursesW"],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "dexdb",
      dependencies: ["Entities", "Index", "PageStore", "Terminal", "CDexShim", "CLibEdit"],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "questrunner",
      dependencies: ["Entities", "Index", "PageStore", "Terminal", "CDexShim"],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "make-data", dependencies: ["CDexShim", "CLZ4"], swiftSettings: swiftSettings),
    .target(
      name: "SimulatedDisk", dependencies: ["PageStore", "CDexShim"], path: "Tests/SimulatedDisk",
      swiftSettings: testSettings),
    .target(
      name: "ProbeModel", dependencies: ["PageStore", "CDexShim"], path: "Tests/ProbeModel",
      swiftSettings: testSettings),
    .executableTarget(
      name: "store-probe", dependencies: ["PageStore", "CDexShim", "ProbeModel"],
      path: "Tests/StoreProbe", swiftSettings: testSettings),
    .testTarget(
      name: "PageStoreTests",
      dependencies: ["PageStore", "CDexShim", "SimulatedDisk", "ProbeModel", "store-probe"],
      swiftSettings: testSettings),
    .testTarget(
      name: "IndexTests", dependencies: ["Index", "PageStore", "SimulatedDisk"],
      swiftSettings: testSettings),
    .testTarget(
      name: "EntitiesTests",
      dependencies: [
        "Entities", "Index", "PageStore", "SimulatedDisk", "CLZ4", "CPNG", "CUTF8Proc",
        "make-data",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "DexdbTests",
      dependencies: [
        "dexdb", "questrunner", "Terminal", "Entities", "Index", "PageStore", "CDexShim",
        "SimulatedDisk",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "QuestrunnerTests",
      dependencies: ["questrunner", "dexdb", "Terminal", "Entities", "PageStore", "CDexShim"],
      swiftSettings: testSettings),
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "dexdb", "questrunner", "Terminal", "Entities", "Index", "PageStore", "CDexShim",
      ],
      exclude: ["Driver", "Corpus", "Dictionaries", "Findings"], swiftSettings: testSettings),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu2x
)
if isFuzzing {
  // The programs become libraries, whose commands the fuzzer calls.
  let fuzzed = package.targets.first { $0.name == "FuzzTests" }?.dependencies ?? []
  package.products = [.executable(name: "fuzz", targets: ["fuzz"])]
  package.targets.removeAll {
    $0.type == .test || $0.name == "make-data" || $0.name == "store-probe"
  }
  for program in package.targets.filter({ $0.type == .executable }) {
    package.targets.removeAll { $0.name == program.name }
    package.targets.append(
      .target(
        name: program.name, dependencies: program.dependencies, exclude: ["main.swift"],
        swiftSettings: swiftSettings))
  }
  package.targets.append(
    .executableTarget(
      name: "fuzz", dependencies: fuzzed, path: "Tests/FuzzTests",
      exclude: ["Corpus", "Dictionaries", "Findings", "CorpusTests.swift"],
      sources: ["Driver", "Targets"],
      swiftSettings: testSettings + [.unsafeFlags(["-parse-as-library", "-sanitize=address"])],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]))
}
if let only = Context.environment["DEX_TESTS"] {
  package.targets.removeAll { $0.type == .test && $0.name != only }
  if isOn("DEX_ALONE") {
    var needed: Set = [only]
    var count = 0
    while count < needed.count {
      count = needed.count
      for target in package.targets where needed.contains(target.name) {
        for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
      }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { !needed.contains($0.name) }
  }
}
