// swift-tools-version: 6.2
// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// The settings of every target, in addition to language mode 6.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

/// The settings of code inside a tree: an `async` method of a router or an interactor stays on its tree.
let insideTree = strict + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let package = Package(
  name: "swift-ribs",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "RIBs", targets: ["RIBs"]),
    .library(name: "RIBsLists", targets: ["RIBsLists"]),
    .library(name: "RIBsStore", targets: ["RIBsStore"]),
    .library(name: "RIBsInspector", targets: ["RIBsInspector"]),
    .library(name: "RIBsTesting", targets: ["RIBsTesting"]),
    .library(name: "TaxiOrder", targets: ["TaxiOrder"]),
    .library(name: "TaxiSimulation", targets: ["TaxiSimulation"]),
    .executable(name: "taxi", targets: ["taxi"]),
    .plugin(name: "RIBsCommand", targets: ["RIBsCommand"]),
    .plugin(name: "RIBsReadingCommand", targets: ["RIBsReadingCommand"]),
  ],
  targets: [
    .target(name: "RIBs", swiftSettings: strict),
    .target(name: "RIBsLists", dependencies: ["RIBs"], swiftSettings: strict),
    .target(name: "RIBsStore", dependencies: ["RIBs"], swiftSettings: strict),
    .target(name: "RIBsInspector", dependencies: ["RIBs"], swiftSettings: strict),
    .target(name: "RIBsTesting", dependencies: ["RIBs", "RIBsStore"], swiftSettings: strict),
    .target(
      name: "TaxiOrder", dependencies: ["RIBs", "RIBsLists", "RIBsStore", "RIBsInspector"], swiftSettings: insideTree),
    .target(
      name: "TaxiSimulation", dependencies: ["RIBs", "RIBsLists", "RIBsStore", "TaxiOrder"], swiftSettings: insideTree),
    .executableTarget(
      name: "taxi", dependencies: ["RIBs", "RIBsStore", "RIBsInspector", "TaxiOrder", "TaxiSimulation"],
      swiftSettings: insideTree),
    .plugin(
      name: "RIBsCommand",
      capability: .command(
        intent: .custom(verb: "ribs", description: "Write RIBs from templates, link and rename them."),
        permissions: [.writeToPackageDirectory(reason: "It writes and edits the sources of RIBs.")]),
      path: "Scripts/Plugin"),
    // The same without the permission to write, for the commands that only read.
    .plugin(
      name: "RIBsReadingCommand",
      capability: .command(intent: .custom(verb: "ribs-read", description: "Print the tree of RIBs, and lint them.")),
      path: "Scripts/ReadingPlugin"),
    // Shared by the tests.
    .target(
      name: "TestSupport", dependencies: ["RIBs", "RIBsInspector", "TestEnvironment"], path: "Tests/TestSupport",
      swiftSettings: insideTree),
    // Sets the environment of the test runner: how many tests run at the same time, and what it records.
    .target(name: "TestEnvironment", path: "Tests/TestEnvironment"),
    .testTarget(
      name: "RIBsTests",
      dependencies: ["RIBs", "RIBsLists", "RIBsStore", "RIBsInspector", "RIBsTesting", "TestSupport"],
      swiftSettings: insideTree),
    .testTarget(
      name: "RIBsStoreTests",
      dependencies: ["RIBs", "RIBsStore", "RIBsTesting", "OrdersProbe", "EggsProbe", "RidesProbe", "TestSupport"],
      swiftSettings: insideTree),
    .testTarget(
      name: "RIBsListsTests", dependencies: ["RIBs", "RIBsLists", "RIBsStore", "RIBsTesting", "TestSupport"],
      swiftSettings: insideTree),
    .testTarget(
      name: "RIBsInspectorTests",
      dependencies: ["RIBs", "RIBsLists", "RIBsInspector", "RIBsTesting", "TreeProbe", "TestSupport"],
      swiftSettings: insideTree),
    .testTarget(
      name: "RIBsTestingTests", dependencies: ["RIBs", "RIBsLists", "RIBsTesting"], swiftSettings: insideTree),
    .testTarget(
      name: "TaxiOrderTests",
      dependencies: ["RIBs", "RIBsStore", "RIBsTesting", "TaxiOrder", "TaxiSimulation", "TestSupport"],
      exclude: ["Fixtures"],
      swiftSettings: insideTree),
    .testTarget(
      name: "taxiTests",
      dependencies: ["RIBs", "RIBsStore", "RIBsInspector", "TaxiOrder", "TaxiSimulation", "taxi", "TestSupport"],
      swiftSettings: insideTree),
    // Compiled like an app without upcoming features.
    .testTarget(name: "TimelineTests", dependencies: ["RIBs", "RIBsTesting"]),
    // Inspected by Scripts/test: the link dependencies of a program that uses only the runtime.
    .executableTarget(name: "Bare", dependencies: ["RIBs"], path: "Tests/Probes/Bare", swiftSettings: strict),
    // Run by the tests of the inspector as a separate process.
    .executableTarget(
      name: "TreeProbe", dependencies: ["RIBs", "RIBsInspector"], path: "Tests/Probes/TreeProbe",
      swiftSettings: insideTree),
    // Run by the tests of the store, and by Scripts/check-kill: orders whose server is killed.
    .executableTarget(
      name: "OrdersProbe", dependencies: ["RIBs", "RIBsStore"], path: "Tests/Probes/OrdersProbe",
      swiftSettings: insideTree),
    // Run by the tests of the store: the program of the article SurvivingACrash, which the tests kill.
    .executableTarget(
      name: "EggsProbe", dependencies: ["RIBs", "RIBsStore"], path: "Tests/Probes/EggsProbe", swiftSettings: insideTree),
    // Run by the tests of the store: the program of README.md, which the tests kill.
    .executableTarget(
      name: "RidesProbe", dependencies: ["RIBs", "RIBsStore", "RIBsInspector"], path: "Tests/Probes/RidesProbe",
      swiftSettings: insideTree),
    // Run by Scripts/check-watching: counts the instructions that an inspector adds to a tree.
    .executableTarget(
      name: "WatchProbe", dependencies: ["RIBs", "RIBsLists", "RIBsInspector"], path: "Tests/Probes/WatchProbe",
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
