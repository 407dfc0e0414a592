// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Examples",
  dependencies: [.package(name: "dex", path: "..")],
  targets: [
    .executableTarget(
      name: "guild", dependencies: [.product(name: "Entities", package: "dex")],
      swiftSettings: [.enableUpcomingFeature("ExistentialAny")]),
    .executableTarget(
      name: "reading-list", dependencies: [.product(name: "Entities", package: "dex")],
      swiftSettings: [.enableUpcomingFeature("ExistentialAny")]),
    .executableTarget(
      name: "twenty-lines", dependencies: [.product(name: "Entities", package: "dex")],
      swiftSettings: [.enableUpcomingFeature("ExistentialAny")]),
  ],
  swiftLanguageModes: [.v6]
)
