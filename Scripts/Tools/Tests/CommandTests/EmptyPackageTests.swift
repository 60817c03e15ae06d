// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@Suite("A new package, filled by the tool alone")
struct EmptyPackageTests {
  private let folder = TemporaryFolder()

  @Test("gets the files of a custom template, also those that have the same name")
  func sameNames() throws {
    try SamplePackage.write(to: folder)
    try folder.write("// Made.\n", to: "Ours/RIB/Sources/__RIB__Notes.swift")
    try folder.write("// Tested.\n", to: "Ours/RIB/Tests/__RIB__Notes.swift")
    let made = try Tool.run("new", "Own", "--templates", "Ours", in: folder.url)
    #expect(made.status == 0, "\(made)")
    #expect(folder.contents["Sources/App/RIBs/Own/OwnNotes.swift"] == "// Made.\n")
    #expect(folder.contents["Tests/AppTests/RIBs/Own/OwnNotes.swift"] == "// Tested.\n")
  }

  @Test("is unchanged where the temporary folder can't be used, which is named")
  func noTemporaryFolder() throws {
    try SamplePackage.write(to: folder)
    let before = folder.contents
    let made = try Tool.run(
      URL(filePath: "/usr/bin/env"), ["TMPDIR=/proc", Tool.url.path, "new", "Root", "--root"], in: folder.url)
    #expect(made.status == 73 && made.errors.contains("the temporary folder '/proc/"), "\(made)")
    #expect(folder.contents == before)
  }

  @Test("follows .swift-format, builds in language mode 6 without a warning, and passes its tests")
  func wholePackage() throws {
    try SamplePackage.write(to: folder)
    try folder.write(
      """
      # What a rider can do

      - LoggedIn: who is known
        - Home (view)
          - Map (view, presenter, slot)
          - Search (view)
        - Ride (presenter)
          - Pickup (view)
          - Payment (view)
            - AddCreditCardWithVerificationByPost (view, slot)
        - History (view, slot)
          * Receipt (view)
          * Help (view)
        - Settings (view)
          1. Help (view, slot)
          2. Language (view, slot)

      """, to: "OUTLINE.md")
    for arguments in [
      ["new", "Root", "--root"], ["new", "LoggedOut", "--parent", "Root", "--view"],
      ["new", "Order", "--parent", "Root", "--route", "slot"], ["new", "Tool", "--root", "--presenter"],
      ["scaffold", "OUTLINE.md", "--parent", "Root"],
    ] {
      let made = try Tool.run(Tool.url, arguments, in: folder.url)
      #expect(made.status == 0 && made.errors.isEmpty, "\(made)")
    }
    try folder.write(
      """
      import RIBs
      import RIBsTesting
      import Testing

      @testable import App

      @Suite("A tree that is restored")
      struct RestartTests {
        @Test("has the children of slots, and not those that are only attached")
        func slots() throws {
          let test = TestTree(recording: .calls)
          let root = test.launch(building: { RootBuilder(dependency: RootDependencyDouble()).build() })
          root.routeToOrder()
          test.settle()
          test.expectTree("Root\\n  Order")
          test.expectSurvivesRestart()
          root.routeToLoggedOut()
          let restored = TestTree(restoring: test.tree?.save(), recording: .calls)
          let second = restored.launch(building: { RootBuilder(dependency: RootDependencyDouble()).build() })
          restored.settle()
          restored.expectTree("Root\\n  Order")
          second.detachOrder()
          restored.settle()
          restored.expectTree("Root")
          restored.finish()
          root.detachLoggedOut()
          test.finish()
        }
      }

      """, to: "Tests/AppTests/RestartTests.swift")
    let again = try Tool.run("scaffold", "OUTLINE.md", "--parent", "Root", in: folder.url)
    #expect(again.status == 0 && again.output.isEmpty, "\(again)")

    let env = URL(filePath: "/usr/bin/env")
    let lint = try Tool.run(env, ["swift", "format", "lint", "--strict", "-r", "Sources", "Tests"], in: folder.url)
    #expect(lint.status == 0, "\(lint.errors)")
    try expectTestsPass()
    // The tests also have to pass in release builds, where objects have shorter lifetimes.
    if ProcessInfo.processInfo.environment["RIBS_THOROUGH"] != nil {
      try expectTestsPass("-c", "release", "-Xswiftc", "-enable-testing")
    }
  }

  /// Builds the package and runs its tests.
  private func expectTestsPass(_ options: String...) throws {
    let tested = try SamplePackage.swift("test", options + ["--disable-xctest"], in: folder)
    #expect(tested.status == 0, "\(tested.output)\(tested.errors)")
    #expect(tested.output.contains("Test run with 83 tests in 35 suites passed"), "\(tested.output.suffix(300))")
  }

  @Test("has a program that launches its root, once")
  func program() throws {
    try SamplePackage.write(to: folder)
    let new = ["new", "Root", "--root", "--main"]
    let refused = try Tool.run(Tool.url, new, in: folder.url)
    #expect(refused.status == 73 && refused.errors.contains("'App' is no program"), "\(refused)")
    let manifest = try #require(folder.contents["Package.swift"])
    try folder.write(
      manifest.replacing(".target(name: \"App\"", with: ".executableTarget(name: \"App\""), to: "Package.swift")
    #expect(try Tool.run(Tool.url, new, in: folder.url).status == 0)
    let ran = try SamplePackage.swift("run", ["App"], in: folder)
    #expect(ran.status == 0 && ran.output.hasSuffix("The tree has ended, and all its work.\n"), "\(ran)")
    let again = try Tool.run("new", "Other", "--root", "--main", in: folder.url)
    #expect(again.status == 73 && again.errors.contains("has a program already: Sources/App/"), "\(again)")
  }

  @Test(
    "has plugins that a plugin point offers",
    .enabled(
      if: FileManager.default.fileExists(atPath: Tool.repository.path + "/Sources/RIBs/Plugins/PluginPoint.swift")))
  func plugins() throws {
    try SamplePackage.write(to: folder, outline: "- Root")
    for name in ["Receipt", "Invoice"] {
      #expect(try Tool.run("new", name, "--plugin", in: folder.url).status == 0)
    }
    try folder.write(
      """
      import RIBs

      final class Papers: ReceiptListener, ReceiptDependency {
        let point = PluginPoint<ReceiptPluginContext, any Routing>([.receipt])

        func receiptDidFinish() {}

        func routers() -> [any Routing] { point.all(for: ReceiptPluginContext(dependency: self, listener: self)) }
      }

      """, to: "Sources/App/Papers.swift")
    let built = try SamplePackage.swift("build", in: folder)
    #expect(built.status == 0, "\(built.output)\(built.errors)")
  }
}
