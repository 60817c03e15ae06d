// swift-tools-version: 6.2
// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// SwiftPM identifies a local package by the name of its folder, and two packages must not have the same one.
if Context.packageDirectory.lowercased().hasSuffix("/livetools/scripts/livetools") {
  fatalError(
    "Rename the folder of the repository, or use Scripts/ribs: SwiftPM can't build two packages named livetools.")
}

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// What serves the page: only with the trait, so that the other commands build fast.
func served(_ name: String, _ package: String) -> Target.Dependency {
  .product(name: name, package: package, condition: .when(traits: ["Page"]))
}

// The commands for running processes. They need no SwiftSyntax, so that they build fast, and so that the program can be
// copied to a server. Symbolic links share files with Scripts/Tools.
let package = Package(
  name: "LiveTools",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "ribs-live", targets: ["ribs-live"])],
  traits: [
    // SwiftPM does not even fetch the packages that a disabled trait would need.
    .trait(name: "Page", description: "The command serve, with the web server that it needs.")
  ],
  dependencies: [
    .package(name: "swift-ribs", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    // For the trait Page.
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
  ],
  targets: [
    .executableTarget(
      name: "ribs-live",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "RIBs", package: "swift-ribs"), .product(name: "RIBsInspector", package: "swift-ribs"),
        .product(name: "RIBsStore", package: "swift-ribs"),
        served("Hummingbird", "hummingbird"), served("NIOCore", "swift-nio"), served("NIOPosix", "swift-nio"),
        served("HTTPTypes", "swift-http-types"), served("Logging", "swift-log"),
      ],
      swiftSettings: settings),
    .target(name: "Support", path: "Tests/Support", swiftSettings: settings),
    // Run by the tests as a separate process: it exposes trees, and changes them on command.
    .executableTarget(
      name: "LiveProbe",
      dependencies: [
        .product(name: "RIBs", package: "swift-ribs"), .product(name: "RIBsInspector", package: "swift-ribs"),
      ],
      path: "Tests/Probes/LiveProbe", swiftSettings: settings),
    .testTarget(
      name: "LiveTests",
      dependencies: [
        "LiveProbe", "Support", "ribs-live", .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "RIBs", package: "swift-ribs"),
        .product(name: "RIBsInspector", package: "swift-ribs"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
