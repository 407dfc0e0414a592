// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Seeds",
  dependencies: [.package(name: "dex", path: "../..")],
  targets: [
    .executableTarget(name: "seeds", dependencies: [.product(name: "Entities", package: "dex")])
  ],
  swiftLanguageModes: [.v6]
)
