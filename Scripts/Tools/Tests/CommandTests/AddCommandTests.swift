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
    #expect(lines.first?.contains("ribs new NAME --server") == true)
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

  @Test("writes the files as they are, and each package and target once into the manifest")
  func writes() throws {
    try SamplePackage.write(to: folder)
    try folder.write(#"{ "version": 1, "lineLength": 60, "indentation": { "spaces": 4 } }"#, to: ".swift-format")
    let outcome = try Tool.run("add", "observability", "TreeService", "TreeLog", "--target", "App", in: folder.url)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    let manifest = try #require(folder.contents["Package.swift"])
    for name in Self.observability + ["TreeService"] {
      #expect(folder.contents["Sources/\(name)/\(name).swift"] == (try template(name)))
      #expect(outcome.output.contains("created Sources/\(name)/\(name).swift\n"))
      #expect(manifest.components(separatedBy: "name: \"\(name)\"").count == 2)
    }
    for package in ["swift-log", "swift-metrics", "swift-distributed-tracing", "swift-service-lifecycle"] {
      #expect(manifest.components(separatedBy: "/\(package)\", from: \"").count == 2, "\(manifest)")
    }
    let users = "\"TreeLog\", \"TreeMetrics\", \"TreeTraces\", \"TreeService\""
    #expect(manifest.replacing(/\s+/, with: " ").contains(users), "\(manifest)")
    #expect(outcome.output.contains("changed Package.swift\n"))
    let before = folder.contents
    let again = try Tool.run("add", "observability", "TreeService", "--target", "App", in: folder.url)
    #expect(again.status == 0 && again.output == "nothing to change\n" && folder.contents == before, "\(again)")
  }

  @Test("writes below another folder, inside the package only")
  func path() throws {
    try SamplePackage.write(to: folder)
    #expect(try Tool.run("add", "TreeLog", "--path", "Libraries", "--quiet", in: folder.url).output.isEmpty)
    #expect(folder.contents["Libraries/TreeLog/TreeLog.swift"] != nil)
    #expect(folder.contents["Package.swift"]?.contains("path: \"Libraries/TreeLog\"") == true)
    // It is found there.
    #expect(try Tool.run("add", "TreeLog", in: folder.url).output == "nothing to change\n")
    #expect(try Tool.run("add", "TreeLog", "--path", "..", in: folder.url).status == 64)
    let unknown = try Tool.run("add", "TreeLog", "--target", "Ap", in: folder.url)
    #expect(
      unknown.status == 66 && unknown.errors.contains("no target 'Ap' in Package.swift; there are: App, AppTests"))
  }

  @Test("prints what to add to a manifest that it can't edit, and the reason")
  func byHand() throws {
    try SamplePackage.write(to: folder)
    let manifest = try #require(folder.contents["Package.swift"]).replacing("targets: [", with: "targets: all + [")
    try folder.write(manifest, to: "Package.swift")
    let shown = try Tool.run("add", "TreeLog", "--dry-run", in: folder.url)
    #expect(shown.errors.contains("Package.swift is not changed") && !shown.output.contains("is not changed"))
    let outcome = try Tool.run("add", "TreeLog", "TreeService", in: folder.url)
    #expect(outcome.status == 0 && outcome.errors.isEmpty && folder.contents["Package.swift"] == manifest)
    #expect(
      outcome.output.contains("Package.swift is not changed: its targets are no literal array (Package.swift:8).\n"))
    #expect(outcome.output.components(separatedBy: "swift-log\", from").count == 2)
    for name in ["TreeLog", "TreeService"] { #expect(outcome.output.contains("\n    name: \"\(name)\",\n")) }
  }

  @Test("leaves the manifest alone if the adapter would be a part of another target")
  func overlap() throws {
    try SamplePackage.write(to: folder)
    let manifest = folder.contents["Package.swift"]
    try folder.write("let a = 1\n", to: "Sources/App.swift")
    let inside = try Tool.run("add", "TreeLog", in: folder.url)
    #expect(inside.output.contains("'Sources/TreeLog' is in the folder of the target 'App'"), "\(inside)")
    let beside = try Tool.run("add", "TreeTraces", "--path", "Libraries", in: folder.url)
    #expect(beside.output.contains("move them to Sources/App"), "\(beside)")
    #expect(folder.contents["Package.swift"] == manifest)
  }

  @Test("never replaces a file, and writes all files or none")
  func refusal() throws {
    try SamplePackage.write(to: folder)
    try folder.write("// mine\n", to: "Sources/TreeTraces/TreeTraces.swift")
    let before = folder.contents
    let outcome = try Tool.run("add", "observability", in: folder.url)
    #expect(outcome.status == 73 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("there is a file 'Sources/TreeTraces/TreeTraces.swift' that differs"))
    #expect(outcome.errors.hasSuffix("\nNothing was changed.\n"))
    #expect(folder.contents == before)
  }

  @Test("adds every adapter to a package whose manifest the package manager reads")
  func everyAdapter() throws {
    try SamplePackage.write(to: folder)
    // After the line about a server without adapters.
    let lines = try Tool.run("add", in: folder.url).output.split(separator: "\n").dropFirst()
    let names = lines.compactMap { line in
      line.split(separator: " ").first.map(String.init)
    }.filter { $0 != "observability" }
    #expect(names.count == 8)
    // One by one, because each edits the manifest of the one before.
    for name in names {
      let outcome = try Tool.run("add", name, "--target", "App", in: folder.url)
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(name): \(outcome)")
    }
    let dumped = try Tool.run(URL(filePath: "/usr/bin/env"), ["swift", "package", "dump-package"], in: folder.url)
    try #require(dumped.status == 0, "\(dumped) \(folder.contents["Package.swift"] ?? "")")
    let package = try JSONDecoder().decode(DumpedPackage.self, from: Data(dumped.output.utf8))
    let targets = package.targets.map(\.name)
    #expect(
      Set(targets) == Set(names + ["App", "AppTests", "CSQLite", "CPostgreSQL"]) && targets.count == names.count + 4)
    #expect(package.dependencies.count == 10, "\(folder.contents["Package.swift"] ?? "")")
    // Each module that a file of an adapter imports is a dependency of its target, or of the system.
    for target in package.targets where names.contains(target.name) {
      #expect(folder.contents["Sources/\(target.name)/\(target.name).swift"] == (try template(target.name)))
      #expect(target.dependencies.count >= 1, "\(target.name)")
    }
    #expect(package.targets.first { $0.name == "App" }?.dependencies.count == names.count + 1)
    let format = try Tool.run(
      URL(filePath: "/usr/bin/env"), ["swift", "format", "lint", "--strict", "Package.swift"], in: folder.url)
    #expect(format.status == 0, "\(format.errors)")
  }

  /// What `swift package dump-package` prints.
  private struct DumpedPackage: Decodable {
    struct Target: Decodable {
      let name: String
      let dependencies: [Dependency]
    }

    struct Dependency: Decodable {
      init(from decoder: any Decoder) throws {}
    }

    let targets: [Target]
    let dependencies: [Dependency]
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
      shown.output.contains("+++ b/Package.swift") && shown.output.contains("+    .target(\n+      name: \"TreeLog\""))
    #expect(
      help.status == 0 && help.output.contains("ribs add observability") && help.output.contains("never replaced"))
  }

  @Test(
    "writes adapters that compile as targets of a package",
    .enabled(if: ProcessInfo.processInfo.environment["RIBS_THOROUGH"] != nil))
  func compiles() throws { try build("observability", "TreeService") }

  @Test(
    "writes stores that compile as targets of a package",
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

  /// Adds adapters to a package and builds it.
  private func build(_ adapters: String...) throws {
    try SamplePackage.write(to: folder, outline: "- Root")
    let outcome = try Tool.run(Tool.url, ["add"] + adapters, in: folder.url)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
    let built = try SamplePackage.swift("build", in: folder)
    #expect(built.status == 0, "\(built.output.suffix(2000)) \(built.errors.suffix(2000))")
  }
}
