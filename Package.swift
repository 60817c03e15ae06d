// swift-tools-version: 6.2
import PackageDescription

/// What every target of the package is compiled with, beside language mode 6.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

/// What code that lives inside a tree is compiled with: an `async` method of a router or an interactor stays on its tree.
let insideTree = strict + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let package = Package(
  name: "swift-ribs",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "RIBs", targets: ["RIBs"]),
    .library(name: "RIBsLists", targets: ["RIBsLists"]),
    .library(name: "RIBsInspector", targets: ["RIBsInspector"]),
    .library(name: "RIBsTesting", targets: ["RIBsTesting"]),
    .library(name: "TaxiOrder", targets: ["TaxiOrder"]),
    .executable(name: "taxi", targets: ["taxi"]),
    .plugin(name: "RIBsCommand", targets: ["RIBsCommand"]),
  ],
  targets: [
    .target(name: "RIBs", swiftSettings: strict),
    .target(name: "RIBsLists", dependencies: ["RIBs"], swiftSettings: strict),
    .target(name: "RIBsInspector", dependencies: ["RIBs"], swiftSettings: strict),
    .target(name: "RIBsTesting", dependencies: ["RIBs"], swiftSettings: strict),
    .target(name: "TaxiOrder", dependencies: ["RIBs", "RIBsLists", "RIBsInspector"], swiftSettings: insideTree),
    .executableTarget(name: "taxi", dependencies: ["TaxiOrder"], swiftSettings: insideTree),
    // An example: a server that ends the trees of its sessions in order.
    .executableTarget(name: "sessions", dependencies: ["RIBs"], swiftSettings: insideTree),
    .plugin(
      name: "RIBsCommand",
      capability: .command(
        intent: .custom(verb: "ribs", description: "Write RIBs from templates, link and rename them."),
        permissions: [.writeToPackageDirectory(reason: "It writes and edits the sources of RIBs.")]),
      path: "Scripts/Plugin"),
    .testTarget(
      name: "RIBsTests", dependencies: ["RIBs", "RIBsLists", "RIBsTesting", "sessions"], swiftSettings: insideTree),
    .testTarget(
      name: "RIBsListsTests", dependencies: ["RIBs", "RIBsLists", "RIBsTesting"], swiftSettings: insideTree),
    .testTarget(
      name: "RIBsInspectorTests", dependencies: ["RIBs", "RIBsLists", "RIBsInspector", "RIBsTesting", "TreeProbe"],
      swiftSettings: insideTree),
    .testTarget(
      name: "RIBsTestingTests", dependencies: ["RIBs", "RIBsLists", "RIBsTesting"], swiftSettings: insideTree),
    .testTarget(
      name: "TaxiOrderTests", dependencies: ["RIBs", "RIBsInspector", "RIBsTesting", "TaxiOrder", "taxi"],
      exclude: ["Fixtures"],
      swiftSettings: insideTree),
    // As an app is compiled that has never heard of upcoming features.
    .testTarget(name: "TimelineTests", dependencies: ["RIBs", "RIBsTesting"]),
    // Looked at by Scripts/test: what a program is linked with that uses the runtime alone.
    .executableTarget(name: "Bare", dependencies: ["RIBs"], path: "Tests/Probes/Bare", swiftSettings: strict),
    // Looked at by the tests of the inspector, as another process.
    .executableTarget(
      name: "TreeProbe", dependencies: ["RIBs", "RIBsInspector"], path: "Tests/Probes/TreeProbe",
      swiftSettings: insideTree),
    // Looked at by Scripts/check-watching: how many instructions it takes to be shown by an inspector.
    .executableTarget(
      name: "WatchProbe", dependencies: ["RIBs", "RIBsLists", "RIBsInspector"], path: "Tests/Probes/WatchProbe",
      swiftSettings: strict),
    // Looked at by Scripts/check-width: how many instructions it takes to detach a child.
    .executableTarget(
      name: "WidthProbe", dependencies: ["RIBs"], path: "Tests/Probes/WidthProbe", swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
