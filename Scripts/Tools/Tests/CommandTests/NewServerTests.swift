// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@Suite("ribs new --server")
struct NewServerTests {
  private let folder = TemporaryFolder()

  @Test("writes the third step of the tutorial, with other names")
  func files() throws {
    let outcome = try Tool.run("new", "--server", "Order", in: folder.url)
    #expect(outcome.status == 0, "\(outcome)")
    let example = Tool.repository.appending(path: "Scripts/Examples/Chat3Directory")
    let written = folder.contents
    for (path, text) in written {
      let names = [("OrderServer", "Chat"), ("orderServer", "chat"), ("Order", "Room"), ("order", "room")]
      func original(_ text: String) -> String { names.reduce(text) { $0.replacing($1.0, with: $1.1) } }
      let shown = try String(
        contentsOf: example.appending(path: original(path.replacing(/^orderServer\//, with: ""))), encoding: .utf8)
      let repository = "path: \"\(Tool.repository.path)\""
      #expect(original(text).replacing(repository, with: "path: \"../../..\"") == shown, "\(path)")
      #expect(!text.contains("room") && !text.contains("Room") && !text.contains("chat"), "\(path)")
    }
    #expect(written.count == 8 && written["orderServer/Tests/orderServerTests/OrdersTests.swift"] != nil)
    #expect(outcome.output.contains("created Sources/orderServer/OrderServer.swift\n"))
    #expect(outcome.output.hasSuffix("swift test tests the server, and swift run orderServer starts it.\n"))
    #expect(outcome.errors.contains("Package.swift names this copy of swift-ribs by its path"))
  }

  @Test("replaces nothing, and refuses names that its types have and options for a RIB")
  func refusals() throws {
    try folder.write("mine\n", to: "orderServer/notes")
    let before = folder.contents
    #expect(try Tool.run("new", "Order", "--server", in: folder.url).status == 73)
    for name in ["Member", "Message", "Route"] {
      let refused = try Tool.run("new", name, "--server", in: folder.url)
      #expect(refused.status == 64 && refused.errors.contains("already"), "\(refused)")
    }
    for options in [["--view"], ["--templates", "orderServer"], ["--package-path", "orderServer"]] {
      #expect(try Tool.run(Tool.url, ["new", "Game", "--server"] + options, in: folder.url).status == 64, "\(options)")
    }
    #expect(folder.contents == before)
  }

  @Test("is refused without a copy of the package, a template or a place, and leaves no folder behind")
  func refusedPlaces() throws {
    let library = TemporaryFolder()
    try FileManager.default.copyItem(
      at: Tool.repository.appending(path: "Templates"), to: library.url.appending(path: "Templates"))
    func made() throws -> Tool.Outcome {
      let templates = "RIBS_TEMPLATES=\(library.url.path)/Templates"
      return try Tool.run(
        URL(filePath: "/usr/bin/env"), [templates, Tool.url.path, "new", "Game", "--server"], in: folder.url)
    }
    let copyless = try made()
    #expect(copyless.status == 73 && copyless.errors.contains("has no Package.swift"), "\(copyless)")
    try library.write("", to: "Package.swift")
    // The status 1 would mean differences.
    let file = library.url.appending(path: "Templates/Server/Package.swift")
    try Data([0xFF]).write(to: file)
    let unreadable = try made()
    #expect(unreadable.status == 73 && unreadable.errors.hasSuffix("\nNothing was changed.\n"), "\(unreadable)")
    try FileManager.default.removeItem(at: file.deletingLastPathComponent())
    let missing = try made()
    #expect(missing.status == 66, "\(missing)")
    #expect(folder.everything == [])
    let placeless = try Tool.run("new", "Game", "--server", "--path", "/proc", in: folder.url)
    #expect(placeless.status == 73 && placeless.errors.contains("/proc/gameServer"), "\(placeless)")
  }

  @Test("shows the files with --dry-run, and teaches with --help")
  func dryRun() throws {
    let shown = try Tool.run("new", "Game", "--server", "--dry-run", in: folder.url)
    #expect(shown.status == 0 && shown.output.contains("+++ b/Sources/gameServer/Games.swift"), "\(shown)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    #expect(try Tool.run("new", "--help", in: folder.url).output.contains("ribs new Order --server"))
  }
}
