// swift-tools-version: 6.2
import PackageDescription

// Where the toolchain keeps SwiftSyntax and SwiftParser.
guard let host = Context.environment["RIBS_SWIFT_HOST"] else {
  fatalError(
    "Build this package with Scripts/ribs or Scripts/test, or set RIBS_SWIFT_HOST=$(Scripts/Tools/swift-host).")
}

let settings: [SwiftSetting] = [
  .unsafeFlags(["-I", host]),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]
let linking: [LinkerSetting] = [
  .unsafeFlags(["-L", host, "-lSwiftParser", "-lSwiftSyntax", "-Xlinker", "-rpath", "-Xlinker", host])
]

let package = Package(
  name: "Tools",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "ribs", targets: ["ribs"])],
  dependencies: [
    .package(name: "swift-ribs", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
  ],
  targets: [
    // Reading: files, the declarations in them, the package around them, and the RIBs they make up.
    .target(name: "SourceModel", swiftSettings: settings, linkerSettings: linking),
    // Writing: templates, edits of sources, and plans that are carried out whole or not at all.
    .target(name: "Generation", dependencies: ["SourceModel"], swiftSettings: settings, linkerSettings: linking),
    // Understanding: which RIBs there are, and which attach which.
    .target(name: "SourceTree", dependencies: ["SourceModel"], swiftSettings: settings, linkerSettings: linking),
    // Judging: what is probably a mistake.
    .target(
      name: "SourceLint", dependencies: ["SourceModel", "SourceTree"], swiftSettings: settings,
      linkerSettings: linking),
    .executableTarget(
      name: "ribs",
      dependencies: [
        "SourceModel", "Generation", "SourceTree", "SourceLint",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "RIBs", package: "swift-ribs"), .product(name: "RIBsInspector", package: "swift-ribs"),
      ],
      swiftSettings: settings, linkerSettings: linking),
    .target(name: "Support", path: "Tests/Support", swiftSettings: settings),
    // Looked at by the tests, as another process: it is killed while it writes.
    .executableTarget(
      name: "KilledWriter", dependencies: ["Generation"], path: "Tests/Probes/KilledWriter", swiftSettings: settings,
      linkerSettings: linking),
    .testTarget(
      name: "CommandTests", dependencies: ["Generation", "KilledWriter", "Support", "ribs"], swiftSettings: settings,
      linkerSettings: linking),
    .testTarget(
      name: "SourceTreeTests", dependencies: ["SourceModel", "SourceTree", "Support"], swiftSettings: settings,
      linkerSettings: linking),
    .testTarget(
      name: "SourceLintTests", dependencies: ["SourceModel", "SourceTree", "SourceLint"], swiftSettings: settings,
      linkerSettings: linking),
    // A process that shows its trees, which change when it is told to.
    .executableTarget(
      name: "LiveProbe",
      dependencies: [
        .product(name: "RIBs", package: "swift-ribs"), .product(name: "RIBsInspector", package: "swift-ribs"),
      ],
      path: "Tests/Probes/LiveProbe", swiftSettings: settings),
    .testTarget(
      name: "LiveTests",
      dependencies: ["LiveProbe", "Support", "ribs", .product(name: "RIBsInspector", package: "swift-ribs")],
      swiftSettings: settings, linkerSettings: linking),
    .testTarget(
      name: "GenerationTests", dependencies: ["SourceModel", "Generation", "Support"], swiftSettings: settings,
      linkerSettings: linking),
  ],
  swiftLanguageModes: [.v6]
)
