// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import SourceModel
import Support
import Testing

@testable import Generation

@Suite("Renaming a RIB that is in saved trees")
struct RenameSavedTests {
  private let folder = TemporaryFolder()

  /// An app of four RIBs: `Root` attaches `Order`, which attaches `Item`. `Other` is attached by nothing.
  private func write(
    _ bodies: [String: String], interactors: [String: String] = [:], access: String = ""
  ) throws -> Workspace {
    let children = ["Root": "Order", "Order": "Item"]
    for name in ["Root", "Order", "Item", "Other"] {
      let child = children[name]
      let lower = child?.lowercased() ?? ""
      let attaching =
        child.map {
          """
            private let \(lower)Builder: any \($0)Buildable
            init(interactor: \(name)Interactor, \(lower)Builder: any \($0)Buildable) {
              self.\(lower)Builder = \(lower)Builder
              super.init(interactor: interactor)
            }
            override func didLoad() {
              super.didLoad()
              attachChild(\(lower)Builder.build())
            }

          """
        } ?? ""
      let arguments = child.map { ", \(lower)Builder: \($0)Builder(dependency: dependency)" } ?? ""
      let members = attaching + (bodies[name].map { $0 + "\n" } ?? "")
      try folder.write(
        """
        protocol \(name)Dependency: Dependency {}
        protocol \(name)Buildable: Buildable { func build() -> any Routing }
        final class \(name)Builder: Builder<any \(name)Dependency>, \(name)Buildable {
          func build() -> any Routing { \(name)Router(interactor: \(name)Interactor()\(arguments)) }
        }
        \(interactors[name] ?? "final class \(name)Interactor: Interactor {}")

        """, to: "App/\(name)/\(name)Builder.swift")
      try folder.write(
        "\(access)final class \(name)Router: Router<\(name)Interactor> {\(members.isEmpty ? "" : "\n" + members)}\n",
        to: "App/\(name)/\(name)Router.swift")
    }
    return Workspace(root: folder.url)
  }

  private static func saving(_ name: String, _ rest: String = "") -> [String: String] {
    [name: "final class \(name)Interactor: Interactor, Saving { var savedState = 0\(rest) }"]
  }

  private static let containers = "  override var savedChildren: [SavedChildren] { [slot.saved(as: \"slot\")] }"

  /// Renames a RIB to `Purchase`, and returns its router and the notes. Expects that renaming it back restores all files.
  private func renamed(_ name: String, in workspace: Workspace) throws -> (router: String, notes: [String]) {
    let old = try RIBName(name)
    let new = try RIBName("Purchase")
    let notes = try Rename(from: old, to: new).apply(to: workspace)
    let text = try workspace.source(at: "App/Purchase/PurchaseRouter.swift").text
    #expect(try Rename(from: new, to: old).apply(to: workspace) == [])
    #expect(try workspace.plan().changes.map(\.path) == [])
    return (text, notes)
  }

  private static let line = "override class var savedNames: SavedNames { SavedNames(\"Order\") }"

  @Test("writes the old name, in the class and with the access that count, says why, and takes it out again")
  func kept() throws {
    for (bodies, interactors, reason) in [
      ([:], Self.saving("Order"), "its state is saved"),
      (["Order": Self.containers], [:], "its containers are saved"),
      ([:], Self.saving("Item"), "it contains Item, which is saved"),
      (["Root": Self.containers], [:], "a saved container of Root may hold it"),
    ] as [([String: String], [String: String], String)] {
      for access in ["", "public "] {
        let workspace = try write(bodies, interactors: interactors, access: access)
        let (router, notes) = try renamed("Order", in: workspace)
        #expect(router.contains("\n  \(access)\(Self.line)\n"), "\(router)")
        #expect(
          notes == [
            """
            'Purchase' is still saved as 'Order', by 'savedNames' of PurchaseRouter (App/Purchase/PurchaseRouter.swift:\
            8), because \(reason); trees that were saved before can be restored, also by earlier versions of the \
            program
            """
          ])
      }
    }
  }

  @Test("writes nothing where no saved tree has the RIB")
  func unsaved() throws {
    for (name, interactors) in [("Other", Self.saving("Order")), ("Item", Self.saving("Order")), ("Order", [:])] {
      let (router, notes) = try renamed(name, in: try write([:], interactors: interactors))
      #expect(!router.contains("savedNames") && notes.isEmpty, "\(name)")
    }
  }

  @Test("and has a name like that of a test: it is saved, and its strings are no expectations")
  func testLike() throws {
    try folder.write(
      "let package = Package(name: \"App\", targets: [.target(name: \"App\", path: \"App\")])\n", to: "Package.swift")
    let (check, test) = (try RIBName("Other"), try RIBName("SpeedTest"))
    let workspace = try write([:], interactors: Self.saving("Other", "; let key = \"SpeedTest\""))
    _ = try Rename(from: check, to: test).apply(to: workspace)
    let router = try workspace.source(at: "App/SpeedTest/SpeedTestRouter.swift").text
    #expect(router.contains("SavedNames(\"Other\")"), "\(router)")
    _ = try Rename(from: test, to: try RIBName("Later")).apply(to: workspace)
    #expect(try workspace.source(at: "App/Later/LaterRouter.swift").text.contains("SavedNames(\"Other\")"))
    #expect(try workspace.source(at: "App/Later/LaterBuilder.swift").text.contains("let key = \"SpeedTest\""))
  }

  @Test("into an empty class, and one of an app with another meaning of these words")
  func empty() throws {
    let (router, _) = try renamed("Other", in: try write([:], interactors: Self.saving("Other")))
    #expect(
      router == """
        final class PurchaseRouter: Router<PurchaseInteractor> {
          override class var savedNames: SavedNames { SavedNames("Other") }
        }

        """)
    let other = ["Other": "final class OtherInteractor: Interactor, Saving {} // savedState"]
    #expect(try renamed("Other", in: try write([:], interactors: other)).notes == [])
  }

  @Test("leaves a name alone that is said already, and adds it to other saved names")
  func existing() throws {
    func names(_ arguments: String) -> String { "  override class var savedNames: SavedNames { \(arguments) }" }
    for (written, expected) in [
      ("SavedNames(\"Cart\")", "SavedNames(\"Cart\")"),
      ("SavedNames(removed: [\"Help\"])", "SavedNames(\"Other\", removed: [\"Help\"])"),
      ("SavedNames()", "SavedNames(\"Other\")"),
      ("SavedNames(\"Purchase\", removed: [\"Help\"])", "SavedNames(\"Purchase\", removed: [\"Help\"])"),
    ] {
      let workspace = try write(["Other": names(written)], interactors: Self.saving("Other"))
      let (old, new) = (try RIBName("Other"), try RIBName("Purchase"))
      let notes = try Rename(from: old, to: new).apply(to: workspace)
      #expect(notes.isEmpty == (written == expected), "\(written)")
      let text = try workspace.source(at: "App/Purchase/PurchaseRouter.swift").text
      if written == "SavedNames(\"Purchase\", removed: [\"Help\"])" {
        // The class has that name by itself now.
        #expect(text.contains(names("SavedNames(removed: [\"Help\"])")), "\(text)")
      } else {
        #expect(text.contains(names(expected)), "\(text)")
      }
    }
    // In the interactor, and in a way that can't be read.
    let named = "; override class var savedNames: SavedNames { SavedNames(\"Cart\") }"
    let (router, notes) = try renamed("Other", in: try write([:], interactors: Self.saving("Other", named)))
    #expect(!router.contains("savedNames") && notes == [])
    let computed = try write(["Other": names("names")], interactors: Self.saving("Other"))
    let told = try Rename(from: try RIBName("Other"), to: try RIBName("Purchase")).apply(to: computed)
    #expect(
      told == [
        "'PurchaseRouter' was saved as 'Other': see that its 'savedNames' (App/Purchase/PurchaseRouter.swift:2) still says "
          + "it"
      ])
  }
}
