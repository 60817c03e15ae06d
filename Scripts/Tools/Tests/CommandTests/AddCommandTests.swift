// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@Suite("ribs add")
struct AddCommandTests {
  private let folder = TemporaryFolder()
  private static let observability = ["TreeLog", "TreeMetrics", "TreeTraces"]

  private func template(_ name: String) throws -> String {
    let file = Tool.repository.appending(path: "Templates/Adapters/\(name)/\(name).swift")
    return try String(contentsOf: file, encoding: .utf8)
  }

  @Test("lists the adapters with a line each")
  func list() throws {
    let outcome = try Tool.run("add", in: folder.url)
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    let lines = outcome.output.split(separator: "\n")
    for (name, words) in [
      ("TreeLog", "Writes what happens in trees to a log (swift-log)"),
      ("TreeMetrics", "Counts what happens in trees (swift-metrics)"),
      ("TreeTraces", "Makes spans of RIBs and of their bound work (swift-distributed-tracing)"),
      ("TreeService", "Runs a directory of trees as a service (swift-service-lifecycle)"),
      ("HTTPTrees", "Serves trees over HTTP, in one process or several (Hummingbird)"),
      ("RxCompatibility", "Operators, subjects and Single as in RxSwift, for apps that move to trees"),
      ("observability", "TreeLog, TreeMetrics, TreeTraces"),
    ] {
      #expect(lines.contains { $0.hasPrefix(name + " ") && $0.hasSuffix(" " + words) }, "\(outcome.output)")
    }
    #expect(lines.allSatisfy { $0.count < 120 && !$0.contains("//") })
    #expect(folder.contents.isEmpty)
  }

  @Test("writes the files, and prints what the manifest needs, once")
  func writes() throws {
    try SamplePackage.write(to: folder)
    let manifest = folder.contents["Package.swift"]
    let outcome = try Tool.run("add", "observability", "TreeService", "TreeLog", in: folder.url)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    for name in Self.observability + ["TreeService"] {
      #expect(folder.contents["Sources/\(name)/\(name).swift"] == (try template(name)))
      #expect(outcome.output.contains("created Sources/\(name)/\(name).swift\n"))
      #expect(outcome.output.components(separatedBy: "name: \"\(name)\"").count == 2)
    }
    for package in ["swift-log", "swift-metrics", "swift-distributed-tracing"] {
      let item = "\n  .package(url: \"https://github.com/apple/\(package)\", from: "
      #expect(outcome.output.components(separatedBy: item).count == 2, "\(outcome.output)")
    }
    #expect(folder.contents["Package.swift"] == manifest)
  }

  @Test("writes below another folder, inside the package only")
  func path() throws {
    try SamplePackage.write(to: folder)
    #expect(try Tool.run("add", "TreeLog", "--path", "Libraries", "--quiet", in: folder.url).output.isEmpty)
    #expect(folder.contents["Libraries/TreeLog/TreeLog.swift"] != nil)
    #expect(try Tool.run("add", "TreeLog", "--path", "..", in: folder.url).status == 64)
  }

  @Test("never replaces a file, and writes all files or none")
  func refusal() throws {
    try SamplePackage.write(to: folder)
    try folder.write("// mine\n", to: "Sources/TreeTraces/TreeTraces.swift")
    let before = folder.contents
    let outcome = try Tool.run("add", "observability", in: folder.url)
    #expect(outcome.status == 73 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("there is a file 'Sources/TreeTraces/TreeTraces.swift'"))
    #expect(outcome.errors.hasSuffix("\nNothing was changed.\n"))
    #expect(folder.contents == before)
  }

  @Test("suggests a name for one that does not exist")
  func unknown() throws {
    try SamplePackage.write(to: folder)
    let before = folder.contents
    let near = try Tool.run("add", "TreeLogs", in: folder.url)
    #expect(near.status == 66 && near.errors.contains("there is no adapter 'TreeLogs'; did you mean 'TreeLog'?"))
    let far = try Tool.run("add", "Kubernetes", in: folder.url)
    #expect(far.status == 66 && far.errors.contains("TreeMetrics, TreeService, TreeTraces, observability"))
    #expect(folder.contents == before)
  }

  @Test("shows its changes with --dry-run, and teaches with --help")
  func dryRun() throws {
    try SamplePackage.write(to: folder)
    let before = folder.contents
    let shown = try Tool.run("add", "TreeLog", "--dry-run", in: folder.url)
    #expect(shown.status == 0 && shown.output.contains("+++ b/Sources/TreeLog/TreeLog.swift"))
    #expect(folder.contents == before)
    let help = try Tool.run("add", "--help", in: folder.url)
    #expect(
      help.status == 0 && help.output.contains("ribs add observability") && help.output.contains("never replaced"))
  }

  @Test(
    "writes adapters that compile as targets of a package with the printed lines",
    .enabled(if: ProcessInfo.processInfo.environment["RIBS_THOROUGH"] != nil))
  func compiles() throws { try build("observability", "TreeService") }

  @Test(
    "writes stores that compile as targets of a package with the printed lines",
    .ofInstalledTool,
    .enabled(if: hasDatabases, "needs the libraries of SQLite and PostgreSQL"))
  func storesCompile() throws {
    try build("SQLiteStore", "PostgreSQLStore")
    for path in ["SQLiteStore/SQLiteStore.swift", "CSQLite/module.modulemap", "CPostgreSQL/module.modulemap"] {
      #expect(folder.contents["Sources/\(path)"] != nil)
    }
  }

  private static var hasDatabases: Bool {
    let found = try? Tool.run(
      URL(filePath: "/usr/bin/env"), ["pkg-config", "--exists", "sqlite3", "libpq"], in: Tool.repository)
    return found?.status == 0
  }

  /// Adds adapters to a package as the printed lines say, and builds it.
  private func build(_ adapters: String...) throws {
    try SamplePackage.write(to: folder, outline: "- Root")
    let outcome = try Tool.run(Tool.url, ["add"] + adapters, in: folder.url)
    let parts = outcome.output.components(separatedBy: "Add to the targets in Package.swift:\n")
    let packages =
      parts.first?.components(separatedBy: "of the package in Package.swift:\n").dropFirst().last ?? ""
    let targets = try #require(parts.dropFirst().last)
    let manifest = try #require(folder.contents["Package.swift"])
    try folder.write(
      manifest.replacing("dependencies: [.package", with: "dependencies: [\(packages).package", maxReplacements: 1)
        .replacing("targets: [", with: "targets: [\(targets)"), to: "Package.swift")
    let built = try SamplePackage.swift("build", in: folder)
    #expect(built.status == 0, "\(built.output.suffix(2000)) \(built.errors.suffix(2000))")
  }
}
