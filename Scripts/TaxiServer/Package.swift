// swift-tools-version: 6.2
// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let settings: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]

let strict: [SwiftSetting] =
  settings + [.enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("InternalImportsByDefault")]

let package = Package(
  name: "TaxiServer",
  platforms: [.macOS(.v15)],
  traits: [
    // Traits, so that the server builds where a library is missing. Scripts/taxi-server enables those that are installed.
    .trait(name: "PostgreSQL", description: "Keeps riders in PostgreSQL, for several processes. Needs libpq."),
    .trait(name: "SQLite", description: "Keeps riders in SQLite. Needs its library."),
  ],
  dependencies: [
    .package(name: "swift-ribs", path: "../.."),
    .package(path: "../Adapters"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
    .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
  ],
  targets: [
    // A link to Templates/Adapters/HTTPTrees, whose main file lists these products.
    .target(
      name: "HTTPTrees",
      dependencies: [
        .product(name: "RIBs", package: "swift-ribs"), .product(name: "RIBsStore", package: "swift-ribs"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"), .product(name: "Logging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"), .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: strict),
    // The server: its RIBs, and its routes.
    .target(
      name: "TaxiServer",
      dependencies: [
        "HTTPTrees", .product(name: "RIBs", package: "swift-ribs"),
        .product(name: "RIBsStore", package: "swift-ribs"), .product(name: "TaxiOrder", package: "swift-ribs"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"), .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "TreeLog", package: "Adapters"), .product(name: "TreeMetrics", package: "Adapters"),
        .product(name: "TreeService", package: "Adapters"), .product(name: "Logging", package: "swift-log"),
      ],
      resources: [.copy("Routes/page.html")], swiftSettings: settings),
    .executableTarget(
      name: "taxi-server",
      dependencies: [
        "HTTPTrees", "TaxiServer", .product(name: "RIBsStore", package: "swift-ribs"),
        .product(name: "PostgreSQLStore", package: "Adapters", condition: .when(traits: ["PostgreSQL"])),
        .product(name: "SQLiteStore", package: "Adapters", condition: .when(traits: ["SQLite"])),
        .product(name: "RIBsInspector", package: "swift-ribs"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/TaxiServerProgram", swiftSettings: settings),
    .executableTarget(
      name: "taxi-load",
      dependencies: [
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Histogram", package: "hdrhistogram-swift"),
      ],
      path: "Sources/TaxiLoad", swiftSettings: settings),
    .executableTarget(
      name: "RequestProbe",
      dependencies: [
        "HTTPTrees", "TaxiServer", .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"), .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "RIBs", package: "swift-ribs"), .product(name: "RIBsStore", package: "swift-ribs"),
      ],
      path: "Tests/Probes/RequestProbe", swiftSettings: settings),
    // A small server that tests attack.
    .target(
      name: "AuctionHouse",
      dependencies: [
        "HTTPTrees", .product(name: "RIBs", package: "swift-ribs"),
        .product(name: "RIBsStore", package: "swift-ribs"), .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "TreeLog", package: "Adapters"), .product(name: "TreeMetrics", package: "Adapters"),
        .product(name: "TreeService", package: "Adapters"), .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/AuctionHouse", swiftSettings: settings),
    .target(name: "Support", path: "Tests/Support", swiftSettings: settings),
    .testTarget(
      name: "TaxiServerTests",
      dependencies: [
        "HTTPTrees", "TaxiServer", "taxi-server", "taxi-load", "AuctionHouse", "Support",
        .product(name: "PostgreSQLStore", package: "Adapters", condition: .when(traits: ["PostgreSQL"])),
        .product(name: "RIBsStore", package: "swift-ribs"),
        .product(name: "RIBs", package: "swift-ribs"), .product(name: "RIBsTesting", package: "swift-ribs"),
        .product(name: "TaxiOrder", package: "swift-ribs"),
        .product(name: "TreeService", package: "Adapters"), .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
        .product(name: "Logging", package: "swift-log"), .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
