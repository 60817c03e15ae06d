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
  .treatAllWarnings(as: .error),
]

let ribs = Target.Dependency.product(name: "RIBs", package: "swift-ribs")
let ribsStore = Target.Dependency.product(name: "RIBsStore", package: "swift-ribs")
let ribsTesting = Target.Dependency.product(name: "RIBsTesting", package: "swift-ribs")

// Compiles and tests the templates in Templates/Adapters, to which the folders in Sources are links.
let package = Package(
  name: "Adapters",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-ribs", path: "../..")],
  swiftLanguageModes: [.v6]
)

// MARK: Stores

package.products += [.library(name: "SQLiteStore", targets: ["SQLiteStore"])]
package.targets += [
  .systemLibrary(
    name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
  .target(name: "SQLiteStore", dependencies: ["CSQLite", ribs, ribsStore], swiftSettings: strict),
  .testTarget(
    name: "SQLiteStoreTests", dependencies: ["CSQLite", "SQLiteStore", ribs, ribsStore, ribsTesting],
    swiftSettings: strict),
]

// SwiftPM builds all targets of a package whatever its traits are, so a trait can't leave these out where libpq is
// missing; the variable does. A package that depends on this one builds what it uses: it makes the product a
// dependency with `condition: .when(traits: …)`, for a trait of its own.
if Context.environment["RIBS_WITHOUT_POSTGRESQL"] == nil {
  package.products += [.library(name: "PostgreSQLStore", targets: ["PostgreSQLStore"])]
  package.targets += [
    .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(name: "PostgreSQLStore", dependencies: ["CPostgreSQL", ribs, ribsStore], swiftSettings: strict),
    // Controls the server of the tests.
    .target(name: "TestDatabase", path: "Tests/TestDatabase", swiftSettings: strict),
    .testTarget(
      name: "PostgreSQLStoreTests", dependencies: ["TestDatabase", "PostgreSQLStore", ribs, ribsStore, ribsTesting],
      swiftSettings: strict),
    // Run by Scripts/check-owners.
    .executableTarget(
      name: "OwnersProbe", dependencies: ["TestDatabase", "PostgreSQLStore", "SQLiteStore", ribs, ribsStore],
      path: "Tests/Probes/OwnersProbe", swiftSettings: strict),
    // Run by Scripts/check-traps.
    .executableTarget(
      name: "TrapProbe", dependencies: ["PostgreSQLStore", ribs, ribsStore], path: "Tests/Probes/TrapProbe",
      swiftSettings: strict),
    // Run by Scripts/check-saves.
    .executableTarget(
      name: "StoreRates", dependencies: ["TestDatabase", "PostgreSQLStore", "SQLiteStore", ribs, ribsStore],
      path: "Tests/Probes/StoreRates", swiftSettings: strict),
    // Run by Scripts/check-wakes: sleeping trees whose process is killed.
    .executableTarget(
      name: "WakesProbe", dependencies: ["CSQLite", "PostgreSQLStore", "SQLiteStore", ribs, ribsStore],
      path: "Tests/Probes/WakesProbe",
      swiftSettings: strict + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
  ]
}

// MARK: Moving from other libraries

package.products += [.library(name: "RxCompatibility", targets: ["RxCompatibility"])]
package.targets += [
  .target(name: "RxCompatibility", dependencies: [ribs], swiftSettings: strict),
  // Compiled like an app without upcoming features.
  .testTarget(
    name: "RxCompatibilityTests", dependencies: ["RxCompatibility", ribs, ribsTesting],
    swiftSettings: [.treatAllWarnings(as: .error)]),
  // The same source as WithRxSwift compiles with RxSwift.
  .testTarget(
    name: "RxScenarioTests", dependencies: ["RxCompatibility", ribs, ribsTesting],
    exclude: ["RxSwift.log", "WithRxSwift"],
    swiftSettings: [.treatAllWarnings(as: .error)]),
  // An app that stays in language mode 5.
  .testTarget(
    name: "LanguageMode5Tests", dependencies: ["RxCompatibility", ribs, ribsTesting],
    swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
]

// MARK: Observation and services

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")

package.dependencies += [
  .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
  .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
  .package(url: "https://github.com/apple/swift-distributed-tracing", exact: "1.7.3"),
  .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
]
package.products += ["TreeLog", "TreeMetrics", "TreeTraces", "TreeService"].map { .library(name: $0, targets: [$0]) }
package.targets += [
  .target(name: "TreeLog", dependencies: [ribs, ribsStore, logging], swiftSettings: strict),
  .target(name: "TreeMetrics", dependencies: [ribs, ribsStore, metrics], swiftSettings: strict),
  .target(name: "TreeTraces", dependencies: [ribs, tracing], swiftSettings: strict),
  .target(name: "TreeService", dependencies: [ribs, ribsStore, logging, serviceLifecycle], swiftSettings: strict),
  .testTarget(
    name: "ObservingTests",
    dependencies: [
      "TreeLog", "TreeMetrics", "TreeTraces", "TreeService", ribs, ribsStore, ribsTesting, logging, metrics, tracing,
      serviceLifecycle, .product(name: "TaxiOrder", package: "swift-ribs"),
      .product(name: "InMemoryLogging", package: "swift-log"),
      .product(name: "MetricsTestKit", package: "swift-metrics"),
      .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
      .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
    ],
    exclude: ["Golden"], swiftSettings: strict),
  // Measures the cost of an event with log, metrics and traces: swift run -c release ObservingCost
  .executableTarget(
    name: "ObservingCost", dependencies: ["TreeLog", "TreeMetrics", "TreeTraces", ribs, logging, metrics, tracing],
    path: "Tests/Probes/ObservingCost", swiftSettings: strict),
]
