// swift-tools-version: 6.3
import PackageDescription

// Local knobs, all off by default: DEX_WERROR=1 makes warnings errors, DEX_UBSAN=1 checks the C.
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

let package = Package(
  name: "dex",
  products: [
    .library(name: "PageStore", targets: ["PageStore"])
  ],
  targets: [
    .target(name: "CDexShim", cSettings: cSettings),
    .target(name: "PageStore", dependencies: ["CDexShim"], swiftSettings: swiftSettings),
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
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu2x
)
