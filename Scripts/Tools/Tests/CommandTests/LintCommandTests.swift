// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@Suite("The command 'ribs lint'")
struct LintCommandTests {
  private let folder = TemporaryFolder()

  private func write() throws {
    try folder.write(
      """
      final class AInteractor: Interactor {
        var listener: AListener?
        func tap() { Task { await load() } }
      }
      """, to: "My App/A, the first.swift")
    try folder.write(
      "struct Ride: Identifiable {\n  let id = UUID()  // ribs:ignore unstable-identity: a sketch\n}",
      to: "My App/B.swift")
    try folder.write("final class TInteractor: Interactor { var listener: TListener? }", to: "AppTests/T.swift")
  }

  @Test("tells what it finds as a compiler does, and ends with 1")
  func text() throws {
    try write()
    let found = try Tool.run("lint", in: folder.url)
    #expect(found.status == 1)
    #expect(
      found.output == """
        My App/A, the first.swift:2: warning: 'listener' keeps the listener alive; write 'weak var listener: AListener?' \
        [weak-listener]
        My App/A, the first.swift:3: warning: this task is bound to nothing; start it with 'task { }' of the interactor \
        or the worker, which ends it [unbound-task]

        """)
    #expect(found.errors == "note: 2 found in 2 files\n")
    let clean = try Tool.run("lint", "My App/B.swift", in: folder.url)
    #expect(clean.status == 0 && clean.output == "nothing found in 1 file\n" && clean.errors.isEmpty)
  }

  @Test("checks the rules that are asked for, and says which there are")
  func rules() throws {
    try write()
    let one = try Tool.run("lint", "--rule", "unbound-task", "--rule", "cycle", "--quiet", in: folder.url)
    #expect(one.status == 1 && one.output.split(separator: "\n").count == 1 && one.errors.isEmpty)
    let typo = try Tool.run("lint", "--rule", "weak-listner", in: folder.url)
    #expect(typo.status == 64 && typo.errors.contains("did you mean 'weak-listener'?"))
    let unknown = try Tool.run("lint", "--rule", "x", in: folder.url)
    #expect(unknown.status == 64 && unknown.errors.contains("there are: weak-listener, weak-router"))
    #expect(try Tool.run("lint", "none", in: folder.url).status == 66)
    let help = try Tool.run("lint", "--help", in: folder.url).output
    #expect(help.contains("missing-component-conformance"))
  }

  @Test("writes JSON, and notes for pull requests")
  func formats() throws {
    try write()
    let json = try Tool.run("lint", "--format", "json", "--quiet", in: folder.url)
    let document = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
    try #require(document.count == 2)
    #expect(document[0]["rule"] as? String == "weak-listener")
    #expect(document[0]["line"] as? Int == 2)
    #expect((document[0]["reason"] as? String)?.isEmpty == false)
    let notes = try Tool.run("lint", "--format", "github", "--quiet", in: folder.url)
    #expect(notes.output.hasPrefix("::warning file=My App/A%2C the first.swift,line=2,title=weak-listener::'listener'"))
    let empty = try Tool.run("lint", "My App/B.swift", "--format", "json", in: folder.url)
    #expect(empty.status == 0 && empty.output.trimmingCharacters(in: .whitespacesAndNewlines) == "[\n\n]")
  }

  @Test("finds nothing in this project, or in what it writes from its templates")
  func ownSources() throws {
    let packages = ["Adapters", "Benchmarks", "LiveTools", "TaxiServer", "Tools"].map { "Scripts/\($0)" }
    let own = try Tool.run(Tool.url, ["lint", "Sources"] + packages + ["--strict"], in: Tool.repository)
    #expect(own.status == 0, "\(own.output)")
    // The steps of the tutorial have RIBs of the same names. The first two save nothing yet.
    for step in ["Chat3Directory", "Chat4Failure", "Chat5Deploy"] {
      let example = Tool.repository.appending(path: "Scripts/Examples/\(step)")
      let found = try Tool.run("lint", "Sources", "--strict", in: example)
      #expect(found.status == 0, "\(found.output)")
    }
    try folder.write(
      """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(
        name: "App", targets: [.target(name: "App"), .testTarget(name: "AppTests", dependencies: ["App"])])

      """, to: "Package.swift")
    let outline = "- Root\n  - LoggedOut\n  - LoggedIn (viewless)\n    - Order (presenter)\n    - Help\n"
    #expect(try Tool.run("scaffold", "-", "--quiet", in: folder.url, input: outline).status == 0)
    for (name, options) in [
      ("Main", ["--root", "--presenter"]), ("Map", ["--view", "--parent", "Main"]),
      ("Menu", ["--view", "--presenter", "--parent", "Main"]), ("Rating", ["--presenter", "--parent", "Main"]),
    ] {
      #expect(try Tool.run(Tool.url, ["new", name, "--quiet"] + options, in: folder.url).status == 0)
    }
    let written = try Tool.run("lint", "--strict", in: folder.url)
    #expect(written.status == 0, "\(written.output)")
  }

  @Test("omits advice for another runtime that a manifest around the sources names, whatever they import")
  func runtimes() throws {
    try folder.write(
      """
      import RIBs
      final class AInteractor: Interactor {
        override func didBecomeActive() {
          Task { await self.load() }
        }
      }
      """, to: "App/Sources/A.swift")
    func rules(_ manifest: String?, at path: String) throws -> Set<String> {
      let file = folder.url.appending(path: path)
      if let manifest { try folder.write(manifest, to: path) }
      defer { try? FileManager.default.removeItem(at: file) }
      let output = try Tool.run("lint", "App/Sources", "--format", "json", in: folder.url).output
      return Set(output.matches(of: #/"rule" : "([a-z-]+)"/#).map { String($0.output.1) })
    }
    #expect(try rules(nil, at: "Podfile") == ["missing-super-call", "unbound-task"])
    let url = "repositoryURL = \"https://example.com/"
    for (text, path) in [
      ("pod 'RIBs', '~> 0.9'", "Podfile"), ("github \"uber/RIBs\"", "Cartfile"),
      (".package(url: \"https://github.com/DevYeom/ModernRIBs\", from: \"1.0.0\")", "App/Package.swift"),
      (url + "RIBs-iOS\";", "App.xcodeproj/project.pbxproj"),
    ] {
      #expect(try rules(text, at: path) == [], "\(path)")
    }
    #expect(try rules(url + "swift-ribs\";", at: "App.xcodeproj/project.pbxproj").count == 2)
  }

  @Test("advises each module for the runtime that it uses, by its target, or else by its imports")
  func runtimesOfModules() throws {
    let text = """
      import RIBs
      final class NAMEInteractor: Interactor {
        override func didBecomeActive() {
          Task { await self.load() }
        }
      }
      """
    for name in ["Screens", "Logic", "Both"] {
      try folder.write(text.replacing("NAME", with: name), to: "Sources/\(name)/\(name).swift")
    }
    func places() throws -> Set<String> {
      let output = try Tool.run("lint", "--format", "json", in: folder.url).output
      return Set(output.matches(of: #/"file" : "Sources\\?/([A-Za-z]+)/#).map { String($0.output.1) })
    }
    func write(_ targets: String) throws {
      try folder.write("let package = Package(name: \"App\", targets: [\(targets)])\n", to: "Package.swift")
    }
    let (this, other) = (
      ".product(name: \"RIBs\", package: \"swift-ribs\")", ".product(name: \"RIBs\", package: \"RIBs-iOS\")"
    )
    try write(
      ".target(name: \"Screens\", dependencies: [\(other)]), .target(name: \"Logic\", dependencies: [\(this)]), "
        + ".target(name: \"Both\", dependencies: [\"Screens\"])")
    #expect(try places() == ["Logic"])
    // No manifest names a runtime: views in one module say nothing about the others, but another runtime does.
    try write(
      [".target(name: \"Screens\")", ".target(name: \"Logic\")", ".target(name: \"Both\")"].joined(separator: ", "))
    try folder.write(
      "import UIKit\nfinal class Screen: UIView { let builder = 1 }\n", to: "Sources/Screens/Screen.swift")
    #expect(try places() == ["Logic", "Both"])
    try folder.write("import RxSwift\nfinal class Streams { let builder = 1 }\n", to: "Sources/Both/Streams.swift")
    #expect(try places() == [])
  }
}
