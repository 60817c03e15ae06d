// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import Support
import Testing

@testable import Generation

@Suite("Removing")
struct RemoveTests {
  private let folder = TemporaryFolder()

  private func remove(_ name: String, unlinks: Bool, in workspace: Workspace) throws -> [String] {
    var remove = Remove(name: try RIBName(name))
    remove.unlinks = unlinks
    return try remove.apply(to: workspace)
  }

  @Test("deletes the files of a RIB and takes it from its parents, and names what is left")
  func linked() throws {
    var sample = SampleParent()
    sample.others["Detail/README.txt"] = "words"
    let workspace = try sample.workspace(in: folder)
    let before = try workspace.plan()
    _ = try SampleParent.link().apply(to: workspace)
    let failure = #expect(throws: Failure.self) { try remove("Detail", unlinks: false, in: workspace) }
    #expect(failure?.message.contains("'Detail' is linked to 'Home'") == true)
    #expect(try remove("Detail", unlinks: true, in: workspace) == ["left where it is: Detail/README.txt"])
    #expect(before.changes.isEmpty)
    #expect(
      try workspace.plan().changes.map(\.path) == ["Detail/DetailBuilder.swift", "Detail/DetailListener.swift"])
  }

  @Test("names the children that have no parent any more")
  func orphans() throws {
    let workspace = try SampleParent().workspace(in: folder)
    _ = try SampleParent.link().apply(to: workspace)
    #expect(try remove("Home", unlinks: false, in: workspace) == ["'Detail' has no parent now"])
    #expect(workspace.sourcePaths == ["Detail/DetailBuilder.swift", "Detail/DetailListener.swift"])
  }

  @Test("is refused while other code uses a type of the RIB, with the places")
  func used() throws {
    var sample = SampleParent()
    sample.others["Other.swift"] = "\nlet builder: DetailBuilder? = nil\n"
    let workspace = try sample.workspace(in: folder)
    let failure = #expect(throws: Failure.self) { try remove("Detail", unlinks: true, in: workspace) }
    #expect(failure?.message.contains("Other.swift:2: DetailBuilder") == true)
    #expect(try workspace.plan().changes.isEmpty)
  }

  @Test("leaves the files of a RIB whose folder is in the RIB's, whatever their names are")
  func nestedFolder() throws {
    for (name, path) in [("Home", "Home/HomeBuilder.swift"), ("HomeList", "Home/HomeList/HomeListBuilder.swift")] {
      try folder.write(SmallRIB.file(name, []), to: path)
    }
    try folder.write("final class Row {}\n", to: "Home/HomeList/Row.swift")
    try folder.write("final class Header {}\n", to: "Home/Header.swift")
    let workspace = Workspace(root: folder.url)
    #expect(try remove("Home", unlinks: false, in: workspace) == [])
    #expect(workspace.sourcePaths == ["Home/HomeList/HomeListBuilder.swift", "Home/HomeList/Row.swift"])
  }

  /// A RIB `Home` in a folder of its own, with another file there and one elsewhere.
  private func workspace(_ own: String, _ other: String) throws -> Workspace {
    try folder.write(SmallRIB.file("Home", []), to: "Home/HomeBuilder.swift")
    try folder.write(own, to: "Home/HomeHelp.swift")
    try folder.write(other, to: "Other.swift")
    return Workspace(root: folder.url)
  }

  @Test(
    "is refused while other code uses a function, a constant or a member that goes with the RIB",
    arguments: [
      ("func formatted() {}\n", "let text = formatted()\n", "formatted"),
      ("let limit = 3\n", "struct Page { var size = limit }\n", "limit"),
      ("extension Money { func short() {} }\n", "struct Money { func show() { short() } }\n", "short"),
      ("extension Money { func short() {} }\n", "func show(_ money: Money) { money.short() }\n", "short"),
      ("extension Money { static var none: Money }\n", "let price = Money.none\n", "none"),
    ])
  func words(own: String, other: String, word: String) throws {
    let workspace = try workspace(own, other)
    let failure = #expect(throws: Failure.self) { try remove("Home", unlinks: true, in: workspace) }
    #expect(failure?.message.contains("  Other.swift:1: \(word)") == true, "\(failure?.message ?? "")")
    #expect(try workspace.plan().changes.isEmpty)
    var forced = Remove(name: try RIBName("Home"))
    forced.isForced = true
    #expect(try forced.apply(to: workspace) == ["this uses what is gone: Other.swift:1: \(word)"])
    #expect(workspace.sourcePaths == ["Other.swift"])
  }

  @Test(
    "ignores words that only look like those that go, and lists those of which the code does not say it",
    arguments: [
      ("private func formatted() {}\n", "let text = formatted()\n", []),
      ("func formatted() {}\n", "func show(formatted: Int) { print(text.formatted) }\n", []),
      ("final class Header {}\n", "struct Page { struct Header {}; var header: Header }\n", []),
      ("extension Money { func short() {} }\n", "func show(_ name: Name) { name.short() }; struct Name {}\n", []),
      (
        "extension Money { func short() {} }\n", "func show() { current().short() }\n",
        ["this may use what is gone: Other.swift:1: short"]
      ),
    ])
  func others(own: String, other: String, notes: [String]) throws {
    #expect(try remove("Home", unlinks: true, in: try workspace(own, other)) == notes)
  }

  @Test("is refused if another RIB is declared in the same files")
  func sameFile() throws {
    let workspace = try workspace(SmallRIB.file("Help", []), "")
    let failure = #expect(throws: Failure.self) { try remove("Home", unlinks: true, in: workspace) }
    #expect(failure?.message.contains("'Help' is declared in the same files") == true, "\(failure?.message ?? "")")
    #expect(try workspace.plan().changes.isEmpty)
  }

  @Test("takes its protocols out of inheritance clauses, and names the members that are left")
  func conformances() throws {
    let other = """
      final class RootComponent: Component<RootDependency> {}
      extension RootComponent: HomeDependency {}
      protocol RootInteractable: HomeListener, Interactable {}
      final class RootInteractor: Interactor, RootInteractable, HomeListener {
        func homeDidClose() {}
      }
      protocol Only: HomeListener {}

      """
    let workspace = try workspace("", other)
    let failure = #expect(throws: Failure.self) { try remove("Home", unlinks: false, in: workspace) }
    #expect(failure?.message.contains("'ribs remove Home --unlink' takes protocols out") == true)
    #expect(
      try remove("Home", unlinks: true, in: workspace) == [
        "left in Other.swift: RootInteractor.homeDidClose, which 'HomeListener' required"
      ])
    #expect(
      try workspace.source(at: "Other.swift").text == """
        final class RootComponent: Component<RootDependency> {}
        protocol RootInteractable: Interactable {}
        final class RootInteractor: Interactor, RootInteractable {
          func homeDidClose() {}
        }
        protocol Only {}

        """)
  }
}
