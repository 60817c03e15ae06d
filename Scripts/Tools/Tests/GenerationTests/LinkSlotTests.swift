// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SourceModel
import SwiftSyntax
import Support
import Testing

@testable import Generation

@Suite("Linking a child in a slot")
struct LinkSlotTests {
  private let folder = TemporaryFolder()
  private let path = "Home/HomeRouter.swift"

  private func link() throws -> Link {
    var link = try SampleParent.link()
    link.route = .slot
    return link
  }

  /// Links and unlinks, and returns the texts after linking.
  private func linked(_ sample: SampleParent) throws -> [String: String] {
    let workspace = try sample.workspace(in: folder)
    #expect(try link().apply(to: workspace).isEmpty)
    var texts: [String: String] = [:]
    for path in workspace.sourcePaths {
      let source = try workspace.source(at: path)
      #expect(!source.syntax.hasError, "\(source.text)")
      texts[path] = source.text
    }
    try SampleParent.unlink().apply(to: workspace)
    #expect(try workspace.plan().diff == "")
    return texts
  }

  /// A parent whose router has some members.
  private func parent(_ members: String) -> SampleParent {
    var sample = SampleParent()
    sample.router = sample.router.replacing("HomeRouting {}\n", with: "HomeRouting {\n\(members)\n}\n")
    return sample
  }

  /// Links, edits the router, and unlinks.
  ///
  /// - Returns: the router, or the failure that leaves all files unchanged.
  private func unlinked(after edits: [(String, String)]) throws -> Result<(router: String, notes: [String]), Failure> {
    let workspace = try SampleParent().workspace(in: folder)
    _ = try link().apply(to: workspace)
    var text = try workspace.source(at: path).text
    for (written, changed) in edits {
      #expect(text.contains(written), "\(text)")
      text = text.replacing(written, with: changed)
    }
    workspace.write(text, to: path)
    let before = try workspace.plan()
    do {
      let notes = try SampleParent.unlink().apply(to: workspace)
      return .success((try workspace.source(at: path).text, notes))
    } catch let failure as Failure {
      #expect(try workspace.plan() == before)
      return .failure(failure)
    }
  }

  @Test("writes the slot, its route, its line in 'savedChildren' and the methods, and unlinking takes it back")
  func everything() throws {
    let texts = try linked(SampleParent())
    #expect(
      texts[path] == """
        import RIBs

        protocol HomeInteractable: Interactable, DetailListener {
          var router: (any HomeRouting)? { get set }
        }

        final class HomeRouter: Router<any HomeInteractable>, HomeRouting {
          private let detailBuilder: any DetailBuildable

          /// Holds the child of its route. The route is saved with the tree.
          private lazy var detail = ChildSlot<DetailRoute>(of: self) { router, route in
            switch route {
            case .attached: router.detailBuilder.build(withListener: router.interactor)
            }
          }

          private enum DetailRoute: Hashable, Codable, Sendable {
            case attached
          }

          init(interactor: any HomeInteractable, detailBuilder: any DetailBuildable) {
            self.detailBuilder = detailBuilder
            super.init(interactor: interactor)
          }

          override var savedChildren: [SavedChildren] { [detail.saved(as: "detail")] }

          func routeToDetail() { detail.route = .attached }

          func detachDetail() { detail.route = nil }
        }

        """)
    #expect(texts["Home/HomeInteractor.swift"]?.contains("  func routeToDetail()\n  func detachDetail()\n") == true)
    #expect(
      texts["Home/HomeInteractor.swift"]?.contains("  func detailDidFinish() { router?.detachDetail() }\n") == true)
  }

  @Test(
    "appends to the list in its own layout",
    arguments: [
      ("{ [map.saved(as: \"map\")] }", "{ [map.saved(as: \"map\"), +] }"),
      ("{ return [map.saved(as: \"map\")] }", "{ return [map.saved(as: \"map\"), +] }"),
      ("{ get { [ map.saved(as: \"map\") ] } }", "{ get { [ map.saved(as: \"map\"), + ] } }"),
      ("{ [map.saved(as: \"map\"),] }", "{ [map.saved(as: \"map\"), +,] }"),
      (
        "{ [map.saved(as: \"map\"), other.saved(as: \"a name that is long\")] }",
        "{\n    [map.saved(as: \"map\"), other.saved(as: \"a name that is long\"), +]\n  }"
      ),
      (
        "{\n    [map.saved(as: \"map\"), other.saved(as: \"a name that is even longer, and leaves little space beside it\")]\n  }",
        "{\n    [\n      map.saved(as: \"map\"),\n      "
          + "other.saved(as: \"a name that is even longer, and leaves little space beside it\"),\n      +,\n    ]\n  }"
      ),
      (
        "{\n    [\n      map.saved(as: \"map\"),  // The map.\n    ]\n  }",
        "{\n    [\n      map.saved(as: \"map\"),  // The map.\n      +,\n    ]\n  }"
      ),
      (
        "{\n    [\n      map.saved(as: \"map\")  // The map.\n    ]\n  }",
        "{\n    [\n      map.saved(as: \"map\"),  // The map.\n      +\n    ]\n  }"
      ),
      ("{\n    // None yet.\n    []\n  }", "{\n    // None yet.\n    [+]\n  }"),
    ])
  func lists(before: String, after: String) throws {
    let property = "  // The children to save.\n  override var savedChildren: [SavedChildren] "
    let router = try #require(try linked(parent(property + before + "\n"))[path])
    let expected = after.replacing("+", with: "detail.saved(as: \"detail\")")
    #expect(router.contains(property + expected + "\n"), "\(router)")
  }

  @Test("with four spaces, tabs, and lines that end as on Windows", arguments: ["    ", "\t"], ["\n", "\r\n"])
  func layouts(unit: String, newline: String) throws {
    func laidOut(_ text: String) -> String { text.replacing("  ", with: unit).replacing("\n", with: newline) }
    var sample = parent("  func show() {}")
    sample.router = laidOut(sample.router)
    let router = try #require(try linked(sample)[path])
    let type = "  private enum DetailRoute: Hashable, Codable, Sendable {\n    case attached\n  }\n"
    #expect(router.contains(laidOut(type)), "\(router)")
    if newline == "\r\n" { #expect(!router.replacing("\r\n", with: "").contains("\n")) }
  }

  @Test("overrides a property of a public or a package class as that is accessible", arguments: ["public", "package"])
  func access(modifier: String) throws {
    var sample = SampleParent()
    sample.router = sample.router.replacing("final class", with: "\(modifier) final class")
    #expect(try linked(sample)[path]?.contains("  \(modifier) override var savedChildren:") == true)
  }

  @Test(
    "in an empty list that was there before, which stays",
    arguments: [
      "{ [] }", "{ return [] }", "{\n    []\n  }", "{ [ ] }", "{ get { [] } }", "{[]}", "{\n    // None.\n    []\n  }",
    ])
  func emptyList(body: String) throws {
    var sample = SampleParent()
    sample.router = sample.router.replacing(
      "HomeRouting {}", with: "HomeRouting {\n  override var savedChildren: [SavedChildren] \(body)\n}")
    #expect(try linked(sample)[path]?.contains("detail.saved(as: \"detail\")") == true)
  }

  @Test("beside others, which can be taken out in any order")
  func several() throws {
    let names = try ["Detail", "Feed", "Chat"].map { try RIBName($0) }
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      var sample = SampleParent()
      for name in names.dropFirst() {
        sample.others["\(name).swift"] = (sample.childListener + sample.childBuilder)
          .replacing("Detail", with: name.text).replacing("detail", with: name.lowerCamel)
      }
      let workspace = try sample.workspace(in: folder)
      let home = try RIBName("Home")
      let templates = try TemplateLibrary()
      for name in names {
        #expect(try Link(child: name, parent: home, route: .slot, templates: templates).apply(to: workspace).isEmpty)
      }
      let elements = names.map { "\($0.lowerCamel).saved(as: \"\($0.lowerCamel)\")" }
      #expect(try workspace.source(at: path).text.contains("[\(elements.joined(separator: ", "))]\n"))
      for (index, position) in order.enumerated() {
        try Unlink(child: names[position], parent: home).apply(to: workspace)
        let left = elements.indices.filter { !order[...index].contains($0) }.map { elements[$0] }
        let list = "[\(left.joined(separator: ", "))]"
        #expect(try workspace.source(at: path).text.contains(list) == !left.isEmpty)
      }
      #expect(try workspace.plan().diff == "")
    }
  }

  @Test("is refused where the child is built with values, with the code for a route that has them")
  func values() throws {
    var sample = SampleParent()
    sample.childBuilder = sample.childBuilder.replacing(
      "listener: any DetailListener)", with: "listener: any DetailListener, for place: Place, _ count: Int)")
    let workspace = try sample.workspace(in: folder)
    let failure = #expect(throws: Failure.self) { try link().apply(to: workspace) }
    #expect(failure?.status == 73)
    #expect(
      failure?.message == """
        'DetailBuildable.build' (Detail/DetailBuilder.swift:6) takes 'for place: Place', '_ count: Int', which a slot has \
        to get from its route
          '--route attach' writes methods that take this; a restored tree has the child only if they are called again.
          For a slot, use '--route none'. If all values are Hashable, Codable and Sendable, write by hand:

          in HomeRouter:
            /// Holds the child of its route. The route is saved with the tree.
            private lazy var detail = ChildSlot<DetailRoute>(of: self) { router, route in
              switch route {
              case .attached(let place, let count): router.detailBuilder.build(withListener: router.interactor, for: place, count)
              }
            }
            private enum DetailRoute: Hashable, Codable, Sendable {
              case attached(place: Place, count: Int)
            }
            override var savedChildren: [SavedChildren] { [detail.saved(as: "detail")] }
            func routeToDetail(for place: Place, _ count: Int) { detail.route = .attached(place: place, count: count) }
            func detachDetail() { detail.route = nil }
          in the protocol HomeRouting:
            func routeToDetail(for place: Place, _ count: Int)
            func detachDetail()
        Nothing was changed.
        """)
    #expect(try workspace.plan().changes.isEmpty)

    // Unlinking takes this out, too.
    var none = try SampleParent.link()
    none.route = .none
    _ = try none.apply(to: workspace)
    let lines = failure?.message.split(separator: "\n").filter { $0.hasPrefix("    ") } ?? []
    let router = try workspace.source(at: path).text
    let members = lines.dropLast(2).joined(separator: "\n")
    workspace.write(router.dropLast(2) + members + "\n}\n", to: path)
    let routing = "Home/HomeInteractor.swift"
    let requirements = "HomeRouting: Routing {\n" + lines.suffix(2).joined(separator: "\n") + "\n}"
    workspace.write(
      try workspace.source(at: routing).text.replacing("HomeRouting: Routing {}", with: requirements), to: routing)
    try SampleParent.unlink().apply(to: workspace)
    let rest = try workspace.source(at: path).text
    #expect(!rest.lowercased().contains("detail") && !rest.contains("savedChildren"), "\(rest)")
  }

  @Test(
    "is refused where the router has something in its place, with the lines to write by hand",
    arguments: [
      (
        "  override var savedChildren: [SavedChildren] { super.savedChildren + [] }",
        "'savedChildren' (Home/HomeRouter.swift:8) is not an array literal that a link can extend"
      ),
      (
        "  override var savedChildren: [SavedChildren] { [other.saved(as: \"detail\")] }",
        "'savedChildren' (Home/HomeRouter.swift:8) has an element 'detail' already"
      ),
      (
        "  func open(_ route: DetailRoute) {}",
        "'HomeRouter' uses the name 'DetailRoute' for something else (Home/HomeRouter.swift:8)"
      ),
      ("  func detachDetail() {}", "'HomeRouter' (Home/HomeRouter.swift:7) has a member 'detachDetail' of its own"),
    ])
  func refusals(member: String, reason: String) throws {
    let workspace = try parent(member).workspace(in: folder)
    let message = #expect(throws: Failure.self) { try link().apply(to: workspace) }?.message ?? ""
    #expect(message.hasPrefix(reason), "\(message)")
    for line in [
      "private lazy var detail = ChildSlot<DetailRoute>(of: self) { router, route in",
      "private enum DetailRoute: Hashable, Codable, Sendable {",
      member.contains("savedChildren")
        ? "in 'savedChildren' of HomeRouter, as another element:\n    detail.saved(as: \"detail\")\n"
        : "  override var savedChildren: [SavedChildren] { [detail.saved(as: \"detail\")] }\n",
      "func routeToDetail() { detail.route = .attached }", "func detailDidFinish() { router?.detachDetail() }",
    ] {
      #expect(message.contains(line), "\(message)")
    }
    #expect(try workspace.plan().changes.isEmpty)
  }

  @Test(
    "and unlinking it after a change is refused with the place",
    arguments: [
      (
        "    case attached\n", "    case attached\n    case other(id: Int)\n",
        "'DetailRoute' (Home/HomeRouter.swift:17) has"
      ),
      (">(of: self)", ">(of: self, restarts: .upTo(3))", "'detail' (Home/HomeRouter.swift:11) has been changed"),
      (
        "[detail.saved(as: \"detail\")]", "isOn ? [detail.saved(as: \"detail\")] : []",
        "'savedChildren' (Home/HomeRouter.swift:26) saves 'detail' in another way than a link writes it"
      ),
      (
        "[detail.saved(as: \"detail\")]", "[Wrapped(detail).saved(as: \"detail\")]",
        "'savedChildren' (Home/HomeRouter.swift:26) saves 'detail' in another way than a link writes it"
      ),
      (
        "  func detach", "  var shown: DetailRoute? { detail.route }\n\n  func detach",
        "'Home' still uses 'Detail'\n  take this out first:\n    Home/HomeRouter.swift:30: DetailRoute\n"
          + "    Home/HomeRouter.swift:30: detail\n"
      ),
    ])
  func changed(written: String, changed: String, reason: String) throws {
    guard case .failure(let failure) = try unlinked(after: [(written, changed)]) else {
      Issue.record("It was unlinked.")
      return
    }
    #expect(failure.status == 73)
    #expect(failure.message.hasPrefix(reason), "\(failure.message)")
  }

  @Test("and unlinking it takes out its uses, and leaves what is about another slot")
  func uses() throws {
    let own = """
        override func didLoad() {
          super.didLoad()
          detail.begin(with: .attached)
        }

        func show(_ isShown: Bool) { detail.route = isShown ? .attached : nil }

        func swap() {
          detail.route = nil
          feed.route = 1
        }

        func name() -> String {
          let detail = "a constant"
          return detail
        }

        private lazy var feed = ChildSlot<Int>(of: self) { router, _ in router.makeFeed() }

        func detach
      """
    let result = try unlinked(after: [
      ("  func detach", own),
      ("[detail.saved(as: \"detail\")]", "[feed.saved(as: \"feed\"), detail.saved(as: \"stage\")]"),
    ])
    let (router, notes) = try result.get()
    #expect(notes.isEmpty)
    #expect(
      router == """
        import RIBs

        protocol HomeInteractable: Interactable {
          var router: (any HomeRouting)? { get set }
        }

        final class HomeRouter: Router<any HomeInteractable>, HomeRouting {
          override var savedChildren: [SavedChildren] { [feed.saved(as: "feed")] }

          override func didLoad() {
            super.didLoad()
          }

          func swap() {
            feed.route = 1
          }

          func name() -> String {
            let detail = "a constant"
            return detail
          }

          private lazy var feed = ChildSlot<Int>(of: self) { router, _ in router.makeFeed() }
        }

        """)
  }

  @Test("keeps its route and the name under which it is saved when the child is renamed, also below two parents")
  func renaming() throws {
    var sample = SampleParent()
    for (file, text) in [("Builder", sample.builder), ("Interactor", sample.interactor), ("Router", sample.router)] {
      sample.others["Other/Other\(file).swift"] = text.replacing("Home", with: "Other")
    }
    let workspace = try sample.workspace(in: folder)
    for parent in ["Home", "Other"] {
      var link = try link()
      link.parent = try RIBName(parent)
      #expect(try link.apply(to: workspace).isEmpty)
    }
    try Rename(from: try RIBName("Detail"), to: try RIBName("Place")).apply(to: workspace)
    let router = try workspace.source(at: path).text
    for line in [
      "private lazy var place = ChildSlot<PlaceRoute>(of: self) { router, route in",
      "case .attached: router.placeBuilder.build(withListener: router.interactor)", "private enum PlaceRoute: Hashable",
      "[place.saved(as: \"detail\")]", "func routeToPlace() { place.route = .attached }",
    ] {
      #expect(router.contains(line), "\(router)")
    }
    for parent in ["Home", "Other"] {
      try Unlink(child: try RIBName("Place"), parent: try RIBName(parent)).apply(to: workspace)
    }
    #expect(try !workspace.source(at: path).text.lowercased().contains("place"))
  }

  @Test("is what an outline says, for one entry or for all")
  func outline() throws {
    let templates = try TemplateLibrary()
    for (text, route) in [("- Feed (slot)\n  - Chat", Link.Route.attach), ("- Feed\n  - Chat", .slot)] {
      let workspace = try SampleParent().workspace(in: folder)
      var scaffold = Scaffold(outline: try Outline(text), templates: templates)
      scaffold.parent = try RIBName("Home")
      scaffold.folder = "App"
      scaffold.hasTests = false
      scaffold.route = route
      _ = try scaffold.apply(to: workspace)
      #expect(try workspace.source(at: path).text.contains("[feed.saved(as: \"feed\")]"))
      let feed = try workspace.source(at: "App/Feed/FeedRouter.swift").text
      #expect(feed.contains("[chat.saved(as: \"chat\")]") == (route == .slot))
      #expect(feed.contains("attachChild(chat)") == (route == .attach))
    }
    let workspace = try SampleParent().workspace(in: folder)
    let failure = #expect(throws: Failure.self) {
      try Scaffold(outline: try Outline("- Feed (slot)"), templates: templates).apply(to: workspace)
    }
    #expect(failure == .usage("line 1: 'Feed' has no parent with a slot for it"))
  }
}
