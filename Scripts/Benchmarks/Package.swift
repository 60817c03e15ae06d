// swift-tools-version: 6.2
// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let settings: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-ribs", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    // The baseline for streams.
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
  ],
  targets: [
    .target(name: "Heap"),
    // The operations to measure and count.
    .target(
      name: "Workloads",
      dependencies: [
        .product(name: "RIBs", package: "swift-ribs"), .product(name: "RIBsLists", package: "swift-ribs"),
        .product(name: "TaxiSimulation", package: "swift-ribs"),
      ],
      swiftSettings: settings),
    .executableTarget(name: "Probe", dependencies: ["Workloads"], swiftSettings: settings),
    // What runs a program under valgrind, and prints.
    .target(name: "Counting", swiftSettings: settings),
    // Apart from the benchmarks, so that it is built without them and OpenCombine.
    .executableTarget(
      name: "CheckBudgets",
      dependencies: [
        "Counting", "Workloads", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    // Run by Scripts/check-width: counts the instructions to detach a child.
    .executableTarget(
      name: "Width", dependencies: [.product(name: "RIBs", package: "swift-ribs")], swiftSettings: settings),
    // Looked at by the step links. Here, because the release build of the runtime is.
    .executableTarget(
      name: "Bare", dependencies: [.product(name: "RIBs", package: "swift-ribs")], swiftSettings: settings),
    // A server with a tree for each connection, on SwiftNIO.
    .executableTarget(
      name: "Echo",
      dependencies: [
        "Workloads", .product(name: "RIBs", package: "swift-ribs"), .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: settings),
    // The same over HTTP, for counting the instructions of a request.
    .executableTarget(
      name: "HTTPEcho",
      dependencies: [
        "Workloads", .product(name: "RIBs", package: "swift-ribs"), .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "Counting", "Heap", "Workloads", .product(name: "RIBs", package: "swift-ribs"),
        .product(name: "RIBsLists", package: "swift-ribs"),
        .product(name: "RIBsStore", package: "swift-ribs"),
        .product(name: "RIBsInspector", package: "swift-ribs"),
        .product(name: "TaxiSimulation", package: "swift-ribs"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
