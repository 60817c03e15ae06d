// swift-tools-version: 6.2
import PackageDescription

/// `async` methods of RIBs run on their tree.
let insideTree: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let package = Package(
  name: "chat",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-ribs", path: "../../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
  ],
  targets: [
    .executableTarget(
      name: "chat",
      dependencies: [
        .product(name: "RIBs", package: "swift-ribs"),
        .product(name: "RIBsLists", package: "swift-ribs"),
        .product(name: "RIBsStore", package: "swift-ribs"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ],
      swiftSettings: insideTree),
    .testTarget(
      name: "chatTests",
      dependencies: [
        "chat",
        .product(name: "RIBsStore", package: "swift-ribs"),
        .product(name: "RIBsTesting", package: "swift-ribs"),
      ],
      swiftSettings: insideTree),
  ]
)
