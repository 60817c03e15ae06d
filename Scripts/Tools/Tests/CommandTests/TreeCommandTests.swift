// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@Suite("The command 'ribs tree'")
struct TreeCommandTests {
  private let folder = TemporaryFolder()

  private func write() throws {
    try folder.write(
      """
      final class RootRouter: LaunchRouter<RootInteractable, RootViewControllable> {
        private let homeBuilder: HomeBuildable
        func showHome() { attachChild(homeBuilder.build(withListener: interactor)) }
      }
      """, to: "My App/Root.swift")
    try folder.write(
      """
      protocol HomeBuildable: Buildable {}
      final class HomeBuilder: Builder<HomeDependency>, HomeBuildable {
        func build(withListener listener: HomeListener) -> Routing { HomeRouter(interactor: HomeInteractor()) }
      }
      final class HomeRouter: Router<HomeInteractable> {}
      """, to: "My App/Home.swift")
    try folder.write("final class TestedRouter: Router<TestedInteractable> {}", to: "My App Tests/Tests/T.swift")
  }

  @Test("writes the tree of the folder it is in, and of others, and leaves tests out")
  func trees() throws {
    try write()
    let here = try Tool.run("tree", in: folder.url)
    #expect(here.status == 0 && here.output == "Root\n└─ Home\n" && here.errors.isEmpty, "\(here)")
    let twice = try Tool.run("tree", "My App", folder.url.path, "./My App/Home.swift", in: folder.url)
    #expect(twice.output == here.output)
    let one = try Tool.run("tree", "My App/Home.swift", in: folder.url)
    #expect(one.output == "Home\n")
    let tests = try Tool.run("tree", "My App Tests/Tests", in: folder.url)
    #expect(tests.output == "Tested\n")
    let part = try Tool.run("tree", "My App", "--root", "Home", "--format", "mermaid", in: folder.url)
    #expect(part.output == "flowchart TD\n  n0[\"Home\"]\n")
  }

  @Test("refuses a folder outside of projects that has too many files, unless the limit is raised")
  func limit() throws {
    try write()
    for number in 0..<10 { try folder.write("", to: "Documents/\(number).txt") }
    let refused = try Tool.run("tree", "--limit", "10", in: folder.url)
    #expect(refused.status == 64 && refused.output.isEmpty, "\(refused)")
    #expect(refused.errors.contains("more than 10 files") && refused.errors.contains("--limit"), "\(refused)")
    #expect(try Tool.run("tree", "--limit", "0", in: folder.url).output == "Root\n└─ Home\n")
    try folder.write("let package = Package(name: \"P\")", to: "Package.swift")
    #expect(try Tool.run("tree", "--limit", "10", in: folder.url).output == "Root\n└─ Home\n")
  }

  @Test(
    "and commands that edit refuse such a folder too",
    arguments: [["rename", "Home", "Start"], ["remove", "Home"], ["mocks"], ["link", "Home", "--parent", "Root"]])
  func limitOfEdits(arguments: [String]) throws {
    try write()
    for number in 0..<10 { try folder.write("", to: "Documents/\(number).txt") }
    let before = folder.contents
    let refused = try Tool.run(Tool.url, arguments + ["--limit", "10"], in: folder.url)
    #expect(refused.status == 64 && refused.output.isEmpty, "\(refused)")
    #expect(refused.errors.contains("more than 10 files") && refused.errors.contains("--limit"), "\(refused)")
    #expect(folder.contents == before)
    #expect(try !Tool.run(Tool.url, arguments, in: folder.url).errors.contains("--limit"))
    try folder.write("let package = Package(name: \"P\")", to: "Package.swift")
    let inPackage = try Tool.run(Tool.url, arguments + ["--limit", "10"], in: folder.url)
    #expect(!inPackage.errors.contains("--limit"), "\(inPackage)")
  }

  @Test("leaves templates of Xcode out")
  func templates() throws {
    try write()
    let text = "final class ___VARIABLE_productName___Router: Router<___VARIABLE_productName___Interactable> {}"
    try folder.write(text, to: "My App/RIB.xctemplate/Default/Router.swift")
    try folder.write(text, to: "My App/___FILEBASENAME___Router.swift")
    let tree = try Tool.run("tree", in: folder.url)
    #expect(tree.status == 0 && tree.output == "Root\n└─ Home\n" && tree.errors.isEmpty, "\(tree)")
    #expect(try !Tool.run("lint", in: folder.url).output.contains("___"))
  }

  @Test("gives each RIB a name that chooses it, in whatever folders it is")
  func distinctions() throws {
    for (number, place) in ["Feature/One", "Feature/Two", "Demo"].enumerated() {
      try folder.write(
        "final class RootRouter: LaunchRouter<RootInteractable, V> { func go() { attachChild(T\(number)Router(i)) } }\n"
          + "final class T\(number)Router: Router<I> {}", to: "\(place)/Root.swift")
    }
    let tree = try Tool.run("tree", in: folder.url)
    #expect(
      tree.output == """
        Root [Demo/Root.swift]
        └─ T2
        Root [Feature/One]
        └─ T0
        Root [Feature/Two]
        └─ T1

        """, "\(tree)")
    let one = try Tool.run("tree", "--root", "Root [Feature/Two]", in: folder.url)
    #expect(one.output == "Root [Feature/Two]\n└─ T1\n", "\(one)")
  }

  @Test("compares JSON but for the lines, which move with every edit")
  func jsonLines() throws {
    try write()
    let json = try Tool.run("tree", "My App", "--format", "json", in: folder.url).output
    #expect(json.contains("\"line\" : 3,"))
    try folder.write(json, to: "tree.json")
    let root = try #require(folder.contents["My App/Root.swift"])
    try folder.write("\n\n" + root, to: "My App/Root.swift")
    let same = try Tool.run("tree", "My App", "--check", "tree.json", in: folder.url)
    #expect(same.status == 0, "\(same)")
    try folder.write(root.replacing("RootRouter", with: "MainRouter"), to: "My App/Root.swift")
    #expect(try Tool.run("tree", "My App", "--check", "tree.json", in: folder.url).status == 1)
  }

  @Test("gives a RIB an id in JSON that stays when others have its name, and that --root accepts")
  func ids() throws {
    func ids() throws -> [String] {
      let json = try Tool.run("tree", "--format", "json", in: folder.url).output
      return json.matches(of: #/"id" : "(.+)"/#).map { String($0.1) }.sorted()
    }
    try folder.write(
      """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(name: "Apps", targets: [.target(name: "Shop"), .target(name: "Kiosk")])

      """, to: "Package.swift")
    let app = """
      final class RootRouter: LaunchRouter<RootInteractable, V> { func go() { attachChild(HomeRouter(i)) } }
      final class HomeRouter: Router<HomeInteractable> {}

      """
    try folder.write(app, to: "Sources/Shop/App.swift")
    #expect(try ids() == ["Home [Shop]", "Root [Shop]"])
    try folder.write(app, to: "Sources/Kiosk/App.swift")
    #expect(try ids() == ["Home [Kiosk]", "Home [Shop]", "Root [Kiosk]", "Root [Shop]"])
    try FileManager.default.removeItem(at: folder.url.appending(path: "Sources/Kiosk"))
    let tree = try Tool.run("tree", "--root", "Home [Shop]", in: folder.url)
    #expect(tree.status == 0 && tree.output == "Home\n", "\(tree)")
  }

  @Test("knows the modules of a package, and which of two of one name is imported")
  func modules() throws {
    try folder.write(
      """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(
        name: "App",
        targets: [
          .target(name: "App", dependencies: ["NewHome"]), .target(name: "OldHome", path: "Sources/Home"),
          .target(name: "NewHome"),
        ])

      """, to: "Package.swift")
    for (path, child) in [("Home", "Help"), ("NewHome", "Topics")] {
      try folder.write(
        """
        public protocol HomeBuildable: Buildable { func build() -> Routing }
        public final class HomeBuilder: Builder<HomeDependency>, HomeBuildable {
          public func build() -> Routing { HomeRouter(interactor: HomeInteractor()) }
        }
        final class HomeRouter: Router<HomeInteractor> {
          override func didLoad() { attachChild(\(child)Router(interactor: interactor)) }
        }
        final class \(child)Router: Router<\(child)Interactor> {}
        """, to: "Sources/\(path)/Home.swift")
    }
    try folder.write(
      """
      import NewHome
      final class AppRouter: LaunchRouter<AppInteractor, AppView> {
        let homeBuilder: HomeBuildable
        override func didLoad() { attachChild(homeBuilder.build()) }
      }
      """, to: "Sources/App/App.swift")
    let tree = try Tool.run("tree", in: folder.url)
    #expect(tree.output == "App\n└─ Home [NewHome]\n   └─ Topics\nHome [OldHome]\n└─ Help\n", "\(tree)")
  }

  @Test("compares the tree with a file, in the form of the file, and shows the difference")
  func check() throws {
    try write()
    let written = try Tool.run("tree", "--format", "markdown", in: folder.url)
    try folder.write(written.output, to: "TREE.md")
    let same = try Tool.run("tree", "--check", "TREE.md", in: folder.url)
    #expect(same.status == 0 && same.output == "TREE.md is up to date\n" && same.errors.isEmpty, "\(same)")
    let quiet = try Tool.run("tree", "--check", "TREE.md", "--quiet", in: folder.url)
    #expect(quiet.status == 0 && quiet.output.isEmpty)
    try folder.write("final class NewRouter: Router<NewInteractable> {}", to: "My App/New.swift")
    let other = try Tool.run("tree", "--check", "TREE.md", in: folder.url)
    #expect(other.status == 1)
    #expect(
      other.output == """
        --- a/TREE.md
        +++ b/TREE.md
        @@ -1,2 +1,3 @@
         - Root
           - Home
        +- New

        """)
  }

  @Test("ends with the status that says what was wrong")
  func statuses() throws {
    try write()
    for (arguments, status, said) in [
      (["none"], 66, "there is no file or folder 'none'"), (["--root", "Hone"], 66, "did you mean 'Home'?"),
      (["--exclude", "Home,Unknown"], 66, "there is no RIB 'Unknown' here"),
      (["--edges", "tree,dl"], 64, "'dl' is no kind of edge"), (["--edges", ","], 64, "names no kind"),
      (["--depth=-1"], 64, "can't be negative"), (["--format", "x"], 64, "format"),
      (["--check", "none.md"], 66, "there is no file 'none.md'"),
    ] as [([String], Int32, String)] {
      let outcome = try Tool.run(Tool.url, ["tree"] + arguments, in: folder.url)
      #expect(outcome.status == status && outcome.output.isEmpty, "\(arguments): \(outcome)")
      #expect(outcome.errors.contains(said), "\(arguments): \(outcome)")
    }
  }

  @Test("tells on standard error what it could not read, and of folders without RIBs")
  func notes() throws {
    try folder.write("final class ARouter: Router<A> {\n  func x( { }\n}\n", to: "A.swift")
    let broken = try Tool.run("tree", in: folder.url)
    #expect(broken.status == 0 && broken.output == "A\n")
    #expect(broken.errors == "note: A.swift:2: syntax error; the rest of the file is included\n")
    #expect(try Tool.run("tree", "--quiet", in: folder.url).errors.isEmpty)
    try folder.write("", to: "Empty/Empty.swift")
    let empty = try Tool.run("tree", "Empty", in: folder.url)
    #expect(empty.status == 0 && empty.output.isEmpty)
    #expect(empty.errors == "note: there are no RIBs in what was read: 1 Swift file\n")
  }

  @Test("finds the tree of the demonstration, which is compared with the running one elsewhere")
  func demonstration() throws {
    let checked = try Tool.run(
      "tree", "Sources/TaxiOrder", "Sources/TaxiSimulation", "--check", "Tests/TaxiOrderTests/Fixtures/tree.md",
      in: Tool.repository)
    #expect(checked.status == 0, "\(checked.output)\(checked.errors)")
    #expect(checked.errors.isEmpty)
  }

  @Test("writes a list that 'ribs scaffold' makes the same tree from", .ofInstalledTool)
  func scaffold() throws {
    try folder.write(
      """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(name: "App", targets: [.target(name: "App"), .testTarget(name: "AppTests", dependencies: ["App"])])

      """, to: "Package.swift")
    let list = try Tool.run(
      "tree", "Sources/TaxiOrder", "--format", "markdown", "--summary", in: Tool.repository
    ).output
    let made = try Tool.run("scaffold", "-", "--quiet", in: folder.url, input: list)
    #expect(made.status == 0, "\(made.errors)")
    let again = try Tool.run("tree", "--format", "markdown", in: folder.url)
    let plain = try Tool.run("tree", "Sources/TaxiOrder", "--format", "markdown", in: Tool.repository)
    func edges(_ text: String) -> Set<String> { Set(text.split(separator: "\n").map(String.init)) }
    #expect(edges(again.output) == edges(plain.output))
  }
}
