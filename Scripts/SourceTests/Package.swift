// swift-tools-version: 6.2
// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// The libraries with samples. The tests import none of them: they run the compiler, which finds their modules beside the
/// tests.
let libraries = ["RIBs", "RIBsLists", "RIBsStore", "RIBsInspector", "RIBsTesting"]

// Tests what is written, not what runs: what the compiler accepts and refuses, samples, layers and words.
let package = Package(
  name: "SourceTests",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-ribs", path: "../..")],
  targets: [
    .testTarget(
      name: "SourceTests", dependencies: libraries.map { .product(name: $0, package: "swift-ribs") }, path: "Tests",
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .treatAllWarnings(as: .error),
      ])
  ],
  swiftLanguageModes: [.v6]
)
