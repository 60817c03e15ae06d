// swift-tools-version: 6.2
// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The folder with SwiftSyntax and SwiftParser in the toolchain.
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
/// For what edits: it takes longer to optimize than all else together, and its time goes to SwiftSyntax and the formatter,
/// which are optimized.
let unoptimized = settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]
/// Where programs find the libraries: in the toolchain, or, those of Scripts/release, beside themselves.
let paths =
  Context.environment["RIBS_RELOCATABLE"] == nil ? [host] : ["$ORIGIN/../lib/swift/host", "$ORIGIN/../lib/swift/linux"]
let linking: [LinkerSetting] = [
  .unsafeFlags(
    ["-L", host, "-lSwiftParser", "-lSwiftSyntax"] + (paths == [host] ? [] : ["-no-toolchain-stdlib-rpath"])
      + paths.flatMap { ["-Xlinker", "-rpath", "-Xlinker", $0] })
]

let package = Package(
  name: "Tools",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "ribs", targets: ["ribs"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
  ],
  targets: [
    // Reading: files, their declarations, and their package.
    .target(name: "SourceModel", swiftSettings: settings, linkerSettings: linking),
    // Editing: templates, source edits, and plans that are executed atomically.
    .target(
      name: "Generation", dependencies: ["SourceModel", "SourceTree"], swiftSettings: unoptimized,
      linkerSettings: linking),
    // Analysis: the RIBs, and the relations between them. Edits check with it what they did.
    .target(name: "SourceTree", dependencies: ["SourceModel"], swiftSettings: settings, linkerSettings: linking),
    // Linting: probable mistakes.
    .target(
      name: "SourceLint", dependencies: ["SourceModel", "SourceTree"], swiftSettings: settings,
      linkerSettings: linking),
    .executableTarget(
      name: "ribs",
      dependencies: [
        "SourceModel", "Generation", "SourceTree", "SourceLint",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: unoptimized, linkerSettings: linking),
    .target(name: "Support", path: "Tests/Support", swiftSettings: settings),
    // Run by the tests as a separate process: it is killed while it writes.
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
    .testTarget(
      name: "GenerationTests", dependencies: ["SourceModel", "SourceTree", "Generation", "Support"],
      swiftSettings: settings, linkerSettings: linking),
  ],
  swiftLanguageModes: [.v6]
)
