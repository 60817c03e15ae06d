// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@Suite("The ribs command")
struct CommandTests {
  private let folder = TemporaryFolder()

  private func writePackage(outline: String? = nil) throws { try SamplePackage.write(to: folder, outline: outline) }

  @Test("ends with the status that says what happened")
  func statuses() throws {
    try writePackage(outline: "- Root\n  - Order")
    let before = folder.contents
    for (arguments, status) in [
      (["--help"], 0), (["new", "--help"], 0), (["add", "--help"], 0), (["add"], 0), (["add", "None"], 66),
      (["--version"], 0), (["help", "rename"], 0),
      ([], 0), (["nw"], 64), (["new"], 64), (["new", "order"], 64), (["new", "A", "--root", "--viewless"], 64),
      (["new", "A", "--route", "slot"], 64), (["new", "A", "--root", "--view"], 64),
      (["new", "A", "--view", "--viewless"], 64), (["lnk", "A"], 64),
      (["link", "Order"], 64), (["link", "Order", "--parent", "Root", "--route", "x"], 64),
      (["new", "Home", "--path", "/"], 64), (["link", "Oder", "--parent", "Root"], 66),
      (["new", "Home", "--target", "Ap"], 66), (["new", "Home", "--templates", "none"], 66),
      (["scaffold", "none.md"], 66), (["rename", "Oder", "Trip"], 66), (["remove", "Oder"], 66),
      (["unlink", "Root", "--parent", "Order"], 66),
      (["link", "Order", "--parent", "Root", "--package-path", "x"], 66),
      (["new", "Order", "--parent", "Root"], 73), (["link", "Order", "--parent", "Root"], 73),
      (["rename", "Order", "Root"], 73), (["remove", "Order"], 73),
    ] as [([String], Int32)] {
      let outcome = try Tool.run(Tool.url, arguments, in: folder.url)
      #expect(outcome.status == status, "\(arguments): \(outcome)")
      #expect(outcome.output.isEmpty == (status != 0), "\(arguments): \(outcome)")
      #expect(outcome.errors.isEmpty == (status == 0), "\(arguments): \(outcome)")
      if status == 73 { #expect(outcome.errors.hasSuffix("\nNothing was changed.\n")) }
    }
    #expect(folder.contents == before)
  }

  @Test("uses the target, the templates and the route that the package sets, unless options say other ones")
  func settings() throws {
    try folder.write(
      """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(name: "Apps", targets: [.target(name: "Shop"), .target(name: "Kiosk")])

      """, to: "Package.swift")
    try folder.write("// Ours: __RIB__\n", to: "Ours/RIB/Sources/__RIB__Notes.swift")
    func ribs(_ arguments: String...) throws -> Tool.Outcome {
      try Tool.run(Tool.url, arguments + ["--no-tests"], in: folder.url)
    }
    #expect(try ribs("new", "Root", "--root").status == 64)
    try folder.write("{ \"target\": \"Kiosk\", \"route\": \"slot\" }\n", to: ".ribs.json")
    #expect(try ribs("new", "Root", "--root").status == 0)
    #expect(try ribs("new", "Home", "--root", "--target", "Shop").status == 0)
    #expect(try ribs("new", "Order", "--parent", "Root").status == 0)
    #expect(try ribs("new", "Help", "--parent", "Root", "--route", "attach").status == 0)
    let router = try #require(folder.contents["Sources/Kiosk/RIBs/Root/RootRouter.swift"])
    #expect(router.contains("ChildSlot<OrderRoute>") && router.contains("attachChild(help)"), "\(router)")
    #expect(folder.contents["Sources/Shop/RIBs/Home/HomeRouter.swift"] != nil)
    try folder.write("{ \"target\": \"Shop\", \"templates\": \"Ours\" }\n", to: ".ribs.json")
    #expect(try ribs("new", "Own", "--root").status == 0)
    #expect(folder.contents["Sources/Shop/RIBs/Own/OwnNotes.swift"] == "// Ours: Own\n")
    // From beside the package.
    let name = folder.url.lastPathComponent
    let beside = try Tool.run(
      "new", "Far", "--root", "--no-tests", "--package-path", name, in: folder.url.deletingLastPathComponent())
    #expect(beside.status == 0 && folder.contents["Sources/Shop/RIBs/Far/FarNotes.swift"] != nil, "\(beside)")
    for (text, status, message) in [
      ("{ \"target\": \"Bar\" }", 66, "there is no target 'Bar' in Package.swift, as .ribs.json says"),
      ("{\n  \"targets\": \"Shop\" }", 65, ".ribs.json:2: there is no setting 'targets'; there are: target"),
      ("{ \"route\": \"rail\" }", 65, ".ribs.json:1: there is no route 'rail'; there are: attach, slot, none"),
      ("{\n\n\"target\": 1 }", 65, ".ribs.json:3: 'target' is '1', and must be a text"),
      ("[]", 65, ".ribs.json is no JSON object"), ("{\n\"target\" }", 65, ".ribs.json:2 is no JSON: "),
    ] as [(String, Int32, String)] {
      try folder.write(text, to: ".ribs.json")
      let refused = try ribs("new", "Other", "--root")
      #expect(refused.status == status && refused.errors.contains(message), "\(refused)")
    }
  }

  @Test("shows with --dry-run what it would do, as git applies it, and does nothing")
  func dryRun() throws {
    try writePackage(outline: "- Root\n  - LoggedOut")
    let before = folder.contents
    let git = URL(filePath: "/usr/bin/env")
    for arguments in [
      ["new", "Order", "--parent", "Root"], ["rename", "LoggedOut", "Guest"], ["remove", "LoggedOut", "--unlink"],
    ] {
      let shown = try Tool.run(Tool.url, arguments + ["--dry-run"], in: folder.url)
      #expect(shown.status == 0)
      #expect(folder.contents == before)
      let copy = TemporaryFolder()
      for (path, text) in before { try copy.write(text, to: path) }
      let applied = try Tool.run(git, ["git", "apply", "--whitespace=nowarn", "-"], in: copy.url, input: shown.output)
      #expect(applied.status == 0, "\(applied.errors)")
      #expect(try Tool.run(Tool.url, arguments, in: folder.url).status == 0)
      #expect(copy.contents == folder.contents)
      if FileManager.default.isExecutableFile(atPath: "/usr/bin/patch") {
        let other = TemporaryFolder()
        for (path, text) in before { try other.write(text, to: path) }
        let patched = try Tool.run(git, ["patch", "-p1", "-E"], in: other.url, input: shown.output)
        #expect(patched.status == 0, "\(patched)")
        #expect(other.contents == folder.contents)
      }
      for path in folder.contents.keys { try FileManager.default.removeItem(at: folder.url.appending(path: path)) }
      for (path, text) in before { try folder.write(text, to: path) }
    }
  }

  @Test("writes what it reads as the same tree, without a finding")
  func written() throws {
    try writePackage(outline: SamplePackage.outline)
    let tree = try Tool.run("tree", "--format", "markdown", in: folder.url)
    let outline = SamplePackage.outline.replacing(#/ \([a-z, ]+\)/#, with: "")
    let lines = tree.output.split(separator: "\n").filter { $0.drop { $0 == " " }.hasPrefix("- ") }
    #expect(lines.map { $0.filter { $0 != "*" && $0 != "`" } }.joined(separator: "\n") == outline, "\(tree)")
    let lint = try Tool.run("lint", "--strict", in: folder.url)
    #expect(lint.status == 0, "\(lint)")
  }

  @Test("leaves every file byte for byte as it was, there and back")
  func roundTrips() throws {
    try writePackage(outline: SamplePackage.outline)
    let before = folder.contents
    for (there, back) in [
      (["link", "Help", "--parent", "LoggedOut"], ["unlink", "Help", "--parent", "LoggedOut"]),
      (["link", "Home", "--parent", "Settings", "--route", "none"], ["unlink", "Home", "--parent", "Settings"]),
      (["link", "Help", "--parent", "LoggedIn", "--route", "slot"], ["unlink", "Help", "--parent", "LoggedIn"]),
      (["link", "Home", "--parent", "Settings", "--route", "slot"], ["unlink", "Home", "--parent", "Settings"]),
      (["rename", "Ride", "Journey"], ["rename", "Journey", "Ride"]),
      (["rename", "Root", "URLList"], ["rename", "URLList", "Root"]),
      (["new", "Extra", "--parent", "Home", "--parent", "Ride", "--route", "slot"], ["remove", "Extra", "--unlink"]),
    ] {
      #expect(try Tool.run(Tool.url, there, in: folder.url).status == 0, "\(there)")
      let between = folder.contents
      #expect(between != before)
      if there[0] == "rename" {
        for (path, text) in between {
          #expect(!path.contains(there[1]), "\(path)")
          // The RIB is in saved trees, which have its old name.
          let text = text.replacing("SavedNames(\"\(there[1])\")", with: "")
          #expect(!text.contains(there[1]) && !text.contains(there[1].lowercased() + "B"), "\(path)")
        }
      }
      let outcome = try Tool.run(Tool.url, back, in: folder.url)
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
      #expect(folder.contents == before, "\(there)")
    }
  }

  @Test("says what it did, unless it is to be quiet, and works in a package that it is not in")
  func output() throws {
    try writePackage()
    let made = try Tool.run("new", "Root", "--root", "--no-tests", in: folder.url)
    #expect(
      made.output == """
        created Sources/App/RIBs/Root/RootBuilder.swift
        created Sources/App/RIBs/Root/RootInteractor.swift
        created Sources/App/RIBs/Root/RootRouter.swift

        """)
    let elsewhere = TemporaryFolder()
    let quiet = try Tool.run(
      "new", "Order", "--parent", "Root", "--quiet", "--package-path", folder.url.path, in: elsewhere.url)
    #expect(quiet.status == 0 && quiet.output.isEmpty && quiet.errors.isEmpty)
    #expect(folder.contents["Tests/AppTests/RIBs/Order/OrderRouterTests.swift"] != nil)
    #expect(elsewhere.everything.isEmpty)
    try folder.write("", to: "Sources/App/Deep/Inner/file.swift")
    let inner = folder.url.appending(path: "Sources/App/Deep/Inner")
    #expect(try Tool.run("new", "Help", "--viewless", "--path", ".", in: inner).status == 0)
    #expect(folder.contents["Sources/App/Deep/Inner/Help/HelpRouter.swift"] != nil)
    #expect(folder.contents["Tests/AppTests/Deep/Inner/Help/HelpDoubles.swift"] != nil)
  }

  @Test("says what may have been meant by a command that there is not")
  func misspelled() throws {
    let outcome = try Tool.run("renam", "Order", "Trip", in: folder.url)
    #expect(outcome.status == 64)
    #expect(outcome.errors == "ribs: there is no command 'renam'; did you mean 'rename'?\n")
    #expect(try Tool.run("something", in: folder.url).errors.contains("Unexpected argument 'something'"))
  }

  @Test("says that there is no package where there is none, and writes where the option says")
  func noPackage() throws {
    let outcome = try Tool.run("new", "Order", "--no-tests", in: folder.url)
    #expect(outcome.status == 64)
    #expect(outcome.errors.hasPrefix("ribs: there is no package here: no Package.swift in '"), "\(outcome)")
    #expect(folder.everything.isEmpty)
    #expect(try Tool.run("new", "Order", "--no-tests", "--path", "App", in: folder.url).status == 0)
    #expect(folder.contents["App/Order/OrderRouter.swift"] != nil)
    #expect(folder.contents["App/Order/OrderViewController.swift"] == nil)
  }

  @Test("keeps what an outline remarks as the summary that a tree shows")
  func remarks() throws {
    try writePackage(outline: "- Root\n  - Order (view): takes an order: one at a time\n  - Help")
    let builder = try #require(folder.contents["Sources/App/RIBs/Order/OrderBuilder.swift"])
    #expect(
      builder.contains("\n// SUMMARY: takes an order: one at a time\n/// Builds Order.\nfinal class OrderBuilder:"))
    let tree = try Tool.run("tree", "--summary", in: folder.url)
    #expect(tree.output.contains("Order: takes an order: one at a time\n"), "\(tree)")
    let lint = URL(filePath: "/usr/bin/env")
    let format = ["swift", "format", "lint", "--strict", "-r", "Sources"]
    #expect(try Tool.run(lint, format, in: folder.url).status == 0)
  }

  @Test("ends the lines of new files as the files around them do")
  func lineEnds() throws {
    try writePackage(outline: "- Root")
    for (path, text) in folder.contents where path.hasPrefix("Sources/") {
      try folder.write(text.replacing("\n", with: "\r\n"), to: path)
    }
    #expect(try Tool.run("new", "Order", "--parent", "Root", in: folder.url).status == 0)
    let made = folder.contents.filter { $0.key.hasPrefix("Sources/") }
    #expect(made.count == 7 && made["Sources/App/RIBs/Root/RootComponent+Order.swift"] != nil)
    for (path, text) in made { #expect(!text.replacing("\r\n", with: "").contains("\n"), "\(path)") }
    for (path, text) in folder.contents where path.hasPrefix("Tests/") { #expect(!text.contains("\r"), "\(path)") }
  }

  @Test("takes a team's own templates, and its own for the rest")
  func templates() throws {
    try writePackage()
    try folder.write(
      "// __RIB__ __rib__ __Module__\nfinal class __RIB__Builder {}\nfinal class __RIB__Router {}\n",
      to: "Ours/Viewless/Sources/__RIB__.swift")
    #expect(try Tool.run("new", "URLList", "--viewless", "--templates", "Ours", in: folder.url).status == 0)
    #expect(
      folder.contents["Sources/App/RIBs/URLList/URLList.swift"] == """
        // URLList urlList App
        final class URLListBuilder {}
        final class URLListRouter {}

        """)
    #expect(try Tool.run("new", "Root", "--root", "--templates", "Ours", in: folder.url).status == 0)
    #expect(folder.contents["Sources/App/RIBs/Root/RootInteractor.swift"] != nil)
    try folder.write("final class __RIB__Builder {", to: "Ours/Viewless/Sources/__RIB__.swift")
    #expect(try Tool.run("new", "Broken", "--templates", "Ours", in: folder.url).status == 73)
  }

  @Test("has a plugin that needs no permission to write, for exactly the commands that write nothing")
  func readingPlugin() throws {
    let plugin = try String(
      contentsOf: Tool.repository.appending(path: "Scripts/ReadingPlugin/RIBsReadingCommand.swift"), encoding: .utf8)
    let list = try #require(plugin.firstMatch(of: #/commands: Set<String> = \[([^\]]*)\]/#)?.1)
    let allowed = Set(list.matches(of: #/"([a-z]+)"/#).map { String($0.1) })
    let help = try Tool.run("--help", in: folder.url).output
    let names = help.matches(of: #/\n  ([a-z]+) +[A-Z]/#).map { String($0.1) }
    #expect(names.count >= 21 && names.contains("saved"), "\(names)")
    for name in names {
      let writes =
        try ["undo", "finish", "record"].contains(name)
        || Tool.run(name, "--help", in: folder.url).output.contains("--dry-run")
      #expect(allowed.contains(name) == !writes, "\(name)")
    }
    #expect(allowed.subtracting(names) == ["help"])
  }

  @Test("writes a plugin for a plugin point, which rename renames, and no other command has to know")
  func plugin() throws {
    try writePackage(outline: "- Root")
    let before = folder.contents
    let made = try Tool.run("new", "Receipt", "--plugin", "--view", in: folder.url)
    #expect(made.status == 0 && made.errors.isEmpty, "\(made)")
    let after = folder.contents
    let path = "Sources/App/RIBs/Receipt/ReceiptPlugin.swift"
    #expect(
      after[path] == """
        import RIBs

        /// What a plugin point passes to Receipt.
        struct ReceiptPluginContext {
          let dependency: any ReceiptDependency
          let listener: any ReceiptListener
        }

        extension Plugin where Context == ReceiptPluginContext, Product == any Routing {
          /// Offers Receipt at a plugin point. The name switches it off.
          static var receipt: Plugin {
            Plugin("receipt") { context in
              ReceiptBuilder(dependency: context.dependency).build(withListener: context.listener)
            }
          }
        }

        """)
    let lint = try Tool.run("lint", "--strict", in: folder.url)
    #expect(lint.status == 0, "\(lint)")
    #expect(try Tool.run("rename", "Receipt", "Invoice", in: folder.url).status == 0)
    let renamed = folder.contents["Sources/App/RIBs/Invoice/InvoicePlugin.swift"]
    #expect(renamed?.contains("where Context == InvoicePluginContext") == true, "\(renamed ?? "")")
    #expect(try Tool.run("rename", "Invoice", "Receipt", in: folder.url).status == 0)
    #expect(folder.contents == after)
    #expect(try Tool.run("remove", "Receipt", in: folder.url).status == 0)
    #expect(folder.contents == before)
    for other in [["--root"], ["--parent", "Root"]] {
      #expect(try Tool.run(Tool.url, ["new", "Receipt", "--plugin"] + other, in: folder.url).status == 64)
    }
  }
}
