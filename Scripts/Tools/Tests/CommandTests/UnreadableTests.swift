// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Support
import Testing

@Suite("A Swift file that can't be read")
struct UnreadableTests {
  private let folder = TemporaryFolder()
  private let other = TemporaryFolder()

  private enum Kind: String, CaseIterable {
    case latin1, utf16, danglingLink, deep
  }

  private func write() throws {
    try folder.write(
      """
      protocol HomeBuildable: Buildable {}
      final class HomeBuilder: Builder<HomeDependency>, HomeBuildable {
        func build(withListener listener: HomeListener) -> Routing { HomeRouter(interactor: HomeInteractor()) }
      }
      final class HomeRouter: Router<HomeInteractable> {}

      """, to: "App/Home.swift")
  }

  private func write(_ kind: Kind, to path: String) throws {
    let text = "// Café\nextension HomeRouter {}\n"
    switch kind {
    case .latin1: try write(text.data(using: .isoLatin1), to: path)
    case .utf16: try write(text.data(using: .utf16), to: path)
    case .deep:
      let branches = String(repeating: "  else if n == 1 {}\n", count: 5_000)
      let deep = "\(text)protocol HomeExtra {}\nfunc show() {\n  if n == 0 {}\n\(branches)}\n"
      try write(deep.data(using: .utf8), to: path)
    case .danglingLink: try link(path, to: other.url.appending(path: "gone.swift"))
    }
  }

  private func write(_ data: Data?, to path: String) throws {
    try #require(data).write(to: folder.url.appending(path: path))
  }

  private func link(_ path: String, to target: URL) throws {
    try FileManager.default.createSymbolicLink(at: folder.url.appending(path: path), withDestinationURL: target)
  }

  @Test("is named by 'tree' and 'lint', which exit with 73", arguments: Kind.allCases)
  private func reading(kind: Kind) throws {
    try write()
    #expect(try Tool.run("tree", in: folder.url).status == 0)
    #expect(try Tool.run("lint", in: folder.url).status == 0)
    try write(kind, to: "App/Extras.swift")
    let tree = try Tool.run("tree", in: folder.url)
    #expect(
      tree.status == 73 && tree.output == "Home\n" && tree.errors.contains("not read: App/Extras.swift: "), "\(tree)")
    let lint = try Tool.run("lint", in: folder.url)
    #expect(lint.status == 73 && lint.errors.contains("not read: App/Extras.swift: "), "\(lint)")
  }

  @Test("stops an edit, which names it and changes nothing", arguments: Kind.allCases)
  private func editing(kind: Kind) throws {
    try write()
    try write(kind, to: "App/Extras.swift")
    let before = folder.contents
    for arguments in [
      ["rename", "Home", "Start"], ["remove", "Home"], ["mocks"], ["link", "Home", "--parent", "Root"],
    ] {
      let edit = try Tool.run(Tool.url, arguments, in: folder.url)
      #expect(edit.status == 73 && edit.errors.contains("App/Extras.swift: "), "\(edit)")
      #expect(folder.contents == before)
    }
  }

  @Test("but that a symbolic link leads to is read by 'tree', and an edit that would change it is refused")
  func links() throws {
    try write()
    try other.write("extension HomeRouter {}\n", to: "Shared/Extras.swift")
    try other.write(
      """
      final class SideBuilder: Builder<SideDependency> {}
      final class SideRouter: Router<SideInteractable> {}

      """, to: "Shared/Side.swift")
    try link("App/Shared", to: other.url.appending(path: "Shared"))
    // Is read at its own place, once.
    try link("App/Again.swift", to: folder.url.appending(path: "App/Home.swift"))
    let tree = try Tool.run("tree", in: folder.url)
    #expect(tree.status == 0 && tree.output == "Home\nSide\n", "\(tree)")
    let edit = try Tool.run("rename", "Home", "Start", in: folder.url)
    #expect(edit.status == 73 && edit.errors.contains("App/Shared/Extras.swift: a symbolic link"), "\(edit)")
    #expect(!edit.errors.contains("Again.swift"))
  }

  @Test("but that a symbolic link leads to is not migrated, and a link to another file is not moved")
  func linkedEdits() throws {
    let uber = "import RIBs\nimport RxSwift\n\nfinal class SideInteractor: Interactor {}\n"
    try other.write(uber, to: "Shared/Side.swift")
    try other.write(uber, to: "Single.swift")
    try folder.write("let package = Package(name: \"App\")\n", to: "Package.swift")
    try folder.write(uber, to: "App/Main.swift")
    try link("App/Shared", to: other.url.appending(path: "Shared"))
    try link("App/Single.swift", to: other.url.appending(path: "Single.swift"))
    let before = folder.contents
    for paths in [["App"], ["App/Shared"]] {
      let migrated = try Tool.run(Tool.url, ["migrate"] + paths, in: folder.url)
      #expect(migrated.status == 73, "\(migrated)")
      #expect(migrated.errors.contains("App/Shared/Side.swift: a symbolic link leads to it"), "\(migrated)")
      #expect(migrated.errors.contains("App/Single.swift: a symbolic link leads to it") == (paths == ["App"]))
    }
    #expect(folder.contents == before && other.contents["Shared/Side.swift"] == uber)
    let alone = try Tool.run("migrate", "App", "--only", "App/Main.swift", in: folder.url)
    #expect(alone.status == 0, "\(alone)")

    try write()
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "App/Home"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      at: folder.url.appending(path: "App/Home.swift"), to: folder.url.appending(path: "App/Home/HomeBuilder.swift"))
    try other.write("text", to: "notes.txt")
    try link("App/Home/notes.txt", to: other.url.appending(path: "notes.txt"))
    let edit = try Tool.run("rename", "Home", "Start", in: folder.url)
    #expect(edit.status == 73 && edit.errors.contains("'App/Home/notes.txt' is a symbolic link"), "\(edit)")
  }
}
