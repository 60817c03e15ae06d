// swift-tools-version: 6.2
// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// Runs the scenarios with RxSwift. The header of ScenarioTests.swift says when.
let package = Package(
  name: "WithRxSwift",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "https://github.com/ReactiveX/RxSwift", exact: "6.5.0")],
  targets: [
    .executableTarget(
      name: "RxScenarios",
      dependencies: [
        "RxSwift", .product(name: "RxRelay", package: "RxSwift"), .product(name: "RxCocoa", package: "RxSwift"),
      ],
      path: "Sources", swiftSettings: [.swiftLanguageMode(.v5)])
  ]
)
