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
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
  ],
  targets: [
    .executableTarget(
      name: "chat",
      dependencies: [
        .product(name: "RIBs", package: "swift-ribs"),
        .product(name: "RIBsLists", package: "swift-ribs"),
        .product(name: "RIBsStore", package: "swift-ribs"),
        .product(name: "Hummingbird", package: "hummingbird"),
        "HTTPTrees",
        "TreeService",
        "PostgreSQLStore",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
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
    .target(
      name: "HTTPTrees",
      dependencies: [
        .product(name: "RIBs", package: "swift-ribs"),
        .product(name: "RIBsStore", package: "swift-ribs"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ]),
    .target(
      name: "TreeService",
      dependencies: [
        .product(name: "RIBs", package: "swift-ribs"),
        .product(name: "RIBsStore", package: "swift-ribs"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .systemLibrary(
      name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(
      name: "PostgreSQLStore",
      dependencies: [
        "CPostgreSQL", .product(name: "RIBs", package: "swift-ribs"),
        .product(name: "RIBsStore", package: "swift-ribs"),
      ]),
  ]
)
