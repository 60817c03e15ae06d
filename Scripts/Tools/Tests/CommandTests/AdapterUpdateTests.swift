// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@Suite("ribs add --update")
struct AdapterUpdateTests {
  private let folder = TemporaryFolder()
  /// The templates, of which the tests make newer versions.
  private let templates = TemporaryFolder()

  /// The main file of a small adapter.
  private static func main(_ dependencies: String = "", body: String = "1") -> String {
    """
    // Does little: a template, yours to change.
    //
    // In Package.swift:
    //
    //   .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    //   .target(name: "Small", dependencies: [.product(name: "Logging", package: "swift-log")\(dependencies)]),

    public let first = 1
    public let second = 2
    public let third = 3
    public let value = \(body)

    """
  }

  private func write(_ text: String, to file: String) throws { try templates.write(text, to: "Adapters/\(file)") }

  private func ribs(_ arguments: String..., path: String? = nil) throws -> Tool.Outcome {
    let variables = ["RIBS_TEMPLATES=\(templates.url.path)"] + (path.map { ["PATH=\($0)"] } ?? [])
    return try Tool.run(URL(filePath: "/usr/bin/env"), variables + [Tool.url.path] + arguments, in: folder.url)
  }

  /// Makes a package with a copy of the adapter.
  private func copy() throws {
    try SamplePackage.write(to: folder)
    try write(Self.main(), to: "Small/Small.swift")
    try write("let old = 1\n", to: "Small/Old.swift")
    let outcome = try ribs("add", "Small")
    try #require(outcome.status == 0, "\(outcome)")
  }

  private func text(_ file: String) -> String? { folder.contents["Sources/Small/\(file)"] }

  private func change(_ file: String, _ old: String, _ new: String) throws {
    try folder.write(try #require(text(file)).replacing(old, with: new), to: "Sources/Small/\(file)")
  }

  @Test("records what was copied, beside the copy")
  func record() throws {
    try copy()
    #expect(text(".ribs-template/Small.swift") == Self.main() && text(".ribs-template/Old.swift") == "let old = 1\n")
    #expect(text(".ribs-template/README")?.contains("ribs add --update") == true)
    // It is no part of the target.
    let dumped = try Tool.run(URL(filePath: "/usr/bin/env"), ["swift", "package", "dump-package"], in: folder.url)
    #expect(dumped.status == 0 && dumped.errors.isEmpty)
    let before = folder.contents
    let outcome = try ribs("add", "--update", "Small")
    #expect(outcome.status == 0 && outcome.output == "nothing to change\n" && folder.contents == before, "\(outcome)")
  }

  @Test("merges what the template has changed into what the user has changed")
  func merge() throws {
    try copy()
    try change("Small.swift", "first = 1", "first = 10")
    try write(Self.main(body: "2"), to: "Small/Small.swift")
    let shown = try ribs("add", "--update", "--dry-run")
    #expect(shown.status == 0 && shown.output.contains("+public let value = 2\n") && text("Small.swift") != Self.main())
    let outcome = try ribs("add", "--update")
    #expect(outcome.status == 0 && outcome.output == "changed Sources/Small/Small.swift\n", "\(outcome)")
    #expect(text("Small.swift") == Self.main(body: "2").replacing("first = 1", with: "first = 10"))
    #expect(text(".ribs-template/Small.swift") == Self.main(body: "2"))
    #expect(try ribs("add", "--update", "Small").output == "nothing to change\n")
    // A file that the user has not changed becomes that of the template.
    try write("let old = 2\n", to: "Small/Old.swift")
    #expect(try ribs("add", "--update", "Small").status == 0 && text("Old.swift") == "let old = 2\n")
  }

  @Test("marks conflicts, lists them, and waits until they are resolved")
  func conflicts() throws {
    try copy()
    try change("Small.swift", "value = 1", "value = 3")
    try change("Small.swift", "first = 1", "first = 10")
    try write(Self.main(body: "2"), to: "Small/Small.swift")
    try write("let old = 2\n", to: "Small/Old.swift")
    let outcome = try ribs("add", "--update", "Small")
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.errors.contains("conflict: Sources/Small/Small.swift: 1 place, between <<<<<<< and >>>>>>>\n"))
    let merged = try #require(text("Small.swift"))
    #expect(
      merged.hasSuffix(
        """
        <<<<<<< yours
        public let value = 3
        =======
        public let value = 2
        >>>>>>> template

        """))
    #expect(merged.contains("first = 10") && text("Old.swift") == "let old = 2\n")
    let before = folder.contents
    let again = try ribs("add", "--update", "Small")
    #expect(
      again.status == 73 && again.errors.contains("'Sources/Small/Small.swift' has conflicts of an earlier update"))
    #expect(folder.contents == before)
    let resolved = Self.main(body: "3").replacing("first = 1", with: "first = 10")
    try folder.write(resolved, to: "Sources/Small/Small.swift")
    #expect(try ribs("add", "--update", "Small").output == "nothing to change\n" && text("Small.swift") == resolved)
  }

  @Test("writes files that the template has added, and deletes those that it has removed")
  func addedAndRemoved() throws {
    try copy()
    try write("let new = 1\n", to: "Small/New.swift")
    try FileManager.default.removeItem(at: templates.url.appending(path: "Adapters/Small/Old.swift"))
    let outcome = try ribs("add", "--update", "Small")
    #expect(
      outcome.output == "created Sources/Small/New.swift\ndeleted Sources/Small/Old.swift\n" && outcome.status == 0,
      "\(outcome)")
    #expect(text("New.swift") == "let new = 1\n" && text(".ribs-template/New.swift") == "let new = 1\n")
    #expect(text("Old.swift") == nil && text(".ribs-template/Old.swift") == nil)
  }

  @Test("keeps files that the user has changed, deleted or added")
  func kept() throws {
    try copy()
    try write("let other = 1\n", to: "Small/Other.swift")
    #expect(try ribs("add", "--update").status == 0)
    try change("Old.swift", "1", "5")
    try FileManager.default.removeItem(at: folder.url.appending(path: "Sources/Small/Other.swift"))
    try folder.write("let new = 7\n", to: "Sources/Small/New.swift")
    try write("let new = 1\n", to: "Small/New.swift")
    try write("let other = 2\n", to: "Small/Other.swift")
    try FileManager.default.removeItem(at: templates.url.appending(path: "Adapters/Small/Old.swift"))
    let outcome = try ribs("add", "--update")
    #expect(outcome.status == 1, "\(outcome)")
    #expect(
      outcome.errors.contains("conflict: Sources/Small/Old.swift: you have changed it, and the template no longer"))
    #expect(outcome.errors.contains("conflict: Sources/Small/New.swift: 1 place"))
    #expect(outcome.errors.contains("note: 'Sources/Small/Other.swift' is not written: you have deleted it"))
    #expect(text("Old.swift") == "let old = 5\n" && text("Other.swift") == nil)
    #expect(text("New.swift") == "<<<<<<< yours\nlet new = 7\n=======\nlet new = 1\n>>>>>>> template\n")
    // The next update is about what changes from now on.
    try folder.write("let new = 1\n", to: "Sources/Small/New.swift")
    let next = try ribs("add", "--update")
    #expect(next.status == 0 && next.output == "nothing to change\n" && next.errors.isEmpty, "\(next)")
  }

  @Test("adds to the manifest what the template needs since then, and nothing that the user has removed")
  func manifest() throws {
    try copy()
    let path = "Package.swift"
    let removed = try #require(folder.contents[path]).replacing(/\s*\.package\(url: [^\n]*/, with: "")
      .replacing("dependencies: [.product(name: \"Logging\", package: \"swift-log\")]", with: "dependencies: []")
    try folder.write(removed, to: path)
    #expect(!removed.contains("swift-log"))
    try write(Self.main(", .product(name: \"RIBs\", package: \"swift-ribs\")"), to: "Small/Small.swift")
    let outcome = try ribs("add", "--update", "Small")
    #expect(outcome.status == 0 && outcome.output.contains("changed Package.swift\n"), "\(outcome)")
    let manifest = try #require(folder.contents[path])
    #expect(!manifest.contains("swift-log"), "\(manifest)")
    let words = manifest.replacing(/\s+/, with: "")
    #expect(words.contains("name:\"Small\",dependencies:[.product(name:\"RIBs\""), "\(manifest)")
  }

  @Test("updates the modules of an adapter too, and copies those that are new")
  func modules() throws {
    try copy()
    try write("module CSmall {}\n", to: "CSmall/module.modulemap")
    try write(
      Self.main().replacing("public let first", with: "import CSmall\npublic let first"), to: "Small/Small.swift")
    #expect(try ribs("add", "--update").status == 0)
    #expect(folder.contents["Sources/CSmall/module.modulemap"] == "module CSmall {}\n")
    try write("module CSmall [system] {}\n", to: "CSmall/module.modulemap")
    #expect(try ribs("add", "--update").status == 0)
    #expect(folder.contents["Sources/CSmall/module.modulemap"] == "module CSmall [system] {}\n")
  }

  @Test("refuses a copy that was not recorded, and says what to do")
  func unrecorded() throws {
    try copy()
    try FileManager.default.removeItem(at: folder.url.appending(path: "Sources/Small/.ribs-template"))
    try change("Small.swift", "first = 1", "first = 10")
    let before = folder.contents
    let outcome = try ribs("add", "--update", "Small")
    #expect(outcome.status == 73 && outcome.errors.contains("'Sources/Small' has no record of what was copied"))
    #expect(
      outcome.errors.contains("2. Run 'ribs add Small'") && outcome.errors.contains("git diff HEAD -- Sources/Small"))
    #expect(folder.contents == before)
    #expect(try ribs("add", "--update").status == 66)
    // One that equals the template needs no record.
    try change("Small.swift", "first = 10", "first = 1")
    #expect(try ribs("add", "--update", "Small").output == "recorded what was copied\n")
    #expect(text(".ribs-template/Small.swift") == Self.main())
  }

  @Test("refuses what is not there, and options that it does not have")
  func missing() throws {
    try copy()
    try FileManager.default.removeItem(at: folder.url.appending(path: "Sources/Small"))
    let outcome = try ribs("add", "--update", "Small")
    #expect(outcome.status == 66 && outcome.errors.contains("there is no copy of 'Small' in 'Sources/Small'"))
    #expect(try ribs("add", "--update", "Small", "--target", "App").status == 64)
  }

  @Test("says that it needs git where changes must be merged")
  func noGit() throws {
    try copy()
    try change("Small.swift", "first = 1", "first = 10")
    try write(Self.main(body: "2"), to: "Small/Small.swift")
    let before = folder.contents
    let outcome = try ribs("add", "--update", "Small", path: templates.url.path)
    #expect(outcome.status == 73 && outcome.errors.contains("there is no git in PATH"), "\(outcome)")
    #expect(folder.contents == before)
  }

  @Test("keeps line ends, and finds a copy in another folder by the manifest")
  func lineEnds() throws {
    try copy()
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "Libraries"), withIntermediateDirectories: false)
    try FileManager.default.moveItem(
      at: folder.url.appending(path: "Sources/Small"), to: folder.url.appending(path: "Libraries/Small"))
    let manifest = try #require(folder.contents["Package.swift"]).replacing(
      "package: \"swift-log\")])", with: "package: \"swift-log\")], path: \"Libraries/Small\")")
    try folder.write(manifest, to: "Package.swift")
    let mine = Self.main().replacing("first = 1", with: "first = 10").replacing("\n", with: "\r\n")
    try folder.write(mine, to: "Libraries/Small/Small.swift")
    try write(Self.main(body: "2"), to: "Small/Small.swift")
    let outcome = try ribs("add", "--update")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(folder.contents["Libraries/Small/Small.swift"] == mine.replacing("value = 1", with: "value = 2"))
  }
}
