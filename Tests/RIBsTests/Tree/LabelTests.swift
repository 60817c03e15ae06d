// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsLists
import RIBsStore
import RIBsTesting
import Testing

@Suite("The label of a RIB", .folded) @MainActor
struct LabelTests {
  struct Topic: Codable, Equatable, Identifiable, Sendable {
    let id: String
  }

  /// A RIB with a label.
  final class RoomRouter: Router<RoomInteractor> {
    init(_ name: String?) { super.init(interactor: RoomInteractor(name)) }
  }

  final class RoomInteractor: Interactor, Saving {
    var savedState = 0
    var onLabel: () -> Void = {}
    private let name: String?

    init(_ name: String?) { self.name = name }

    override var ribLabel: String? {
      onLabel()
      return name
    }

    func listen() { task("listen", overlap: .concurrent) { try await self.treeClock.sleep(for: .seconds(60)) } }
  }

  final class ChatInteractor: Interactor {
    var failures: [Interactor.ChildFailure] = []

    override func childDidFail(_ failure: ChildFailure) { failures.append(failure) }
  }

  final class ChatRouter: Router<ChatInteractor> {
    private lazy var list = ChildList<Topic>(of: self) { router, topic in
      RoomRouter(router.labels ? topic.id : nil)
    }
    override var savedChildren: [SavedChildren] { [list.saved(as: "rooms")] }

    private let labels: Bool

    init(labels: Bool = true) {
      self.labels = labels
      super.init(interactor: ChatInteractor())
    }

    func open(_ names: String...) throws { try list.update(names.map { Topic(id: $0) }) }

    func room(_ name: String) throws -> RoomRouter { try #require(list[id: name] as? RoomRouter) }
  }

  @Test("follows its name in events, work, failures, misuse and the tree, from the first event to the last")
  func places() throws {
    let test = TestTree(recording: [.attachments, .activity, .loading, .tasks, .failures])
    let chat = test.launch { ChatRouter() }
    test.skip()
    try chat.open("swift", "tea")
    try chat.room("swift").attachChild(Scripted.LeafRouter())
    try chat.room("swift").interactor.listen()
    test.expectTree(
      """
      Chat
        Room swift
          Leaf
        Room tea
      """)
    #expect(test.runningWork.map { $0.prefix { $0 != ":" } } == ["Chat/Room swift"])
    chat.attachChild(try chat.room("swift"))

    let message = "Room swift can't be attached: it is attached already, at Chat/Room swift."
    #expect(test.takeMisuses().map(\.message) == [message])
    try chat.room("tea").interactor.fail(Failure())
    test.settle()
    let failed = chat.interactor.failures.map { [$0.path.description, $0.source.description] }
    #expect(failed == [["Chat/Room tea", "Chat/Room tea"]])
    try chat.open()
    test.settle()
    test.expect(
      """
      Chat/Room swift attached
      Chat/Room swift active
      Chat/Room swift loaded
      Chat/Room tea attached
      Chat/Room tea active
      Chat/Room tea loaded
      Chat/Room swift/Leaf attached
      Chat/Room swift/Leaf active
      Chat/Room swift/Leaf loaded
      Chat/Room swift task listen started
      Chat/Room tea failed: Failure
      Chat/Room tea resigned
      Chat/Room tea detached
      Chat/Room swift/Leaf resigned
      Chat/Room swift resigned
      Chat/Room swift detached
      Chat/Room swift task listen ended
      """)
    test.finish()
  }

  @Test("is never computed for a tree without observers, and once for each path that an observer receives")
  func cost() throws {
    var count = 0
    let root = RoomRouter("swift")
    root.interactor.onLabel = { count += 1 }
    let tree = Tree.launched(root, TreeConfiguration(leakDetection: .off))
    root.attachChild(Scripted.LeafRouter())
    let child = RoomRouter("tea")
    child.interactor.onLabel = { count += 1 }
    root.attachChild(child)
    root.interactor.listen()
    for child in root.children { root.detachChild(child) }
    #expect(count == 0)
    let paths = StreamRecorder(tree.events.map(\.path.description))
    root.attachChild(Scripted.LeafRouter())
    #expect(paths.values == ["swift", "swift", "swift"].map { "Room \($0)/Leaf" })
    #expect(count == 1)
    _ = tree.snapshot()
    #expect(count == 2)
    paths.stop()
    tree.end()
  }

  @Test(
    "is printed on one line, and cut off after 64 characters; an empty one counts as none",
    arguments: [
      (nil, "Room"), ("", "Room"), ("a b/c", "Room a b/c"), ("a\n\u{1B}[31m", "Room a\\n\\u{1B}[31m"),
      (String(repeating: "ü", count: 64), "Room " + String(repeating: "ü", count: 64)),
      (String(repeating: "ü", count: 65), "Room " + String(repeating: "ü", count: 63) + "…"),
    ] as [(String?, String)])
  func text(label: String?, text: String) throws {
    let tree = Tree(root: RoomRouter(label))
    let paths = StreamRecorder(tree.events.map(\.path))
    tree.launch()
    #expect(paths.values.first?.description == text)
    #expect(paths.values.first?.components == ["Room"])
    #expect(tree.snapshot().nodes.map(\.title) == [text])
    #expect(tree.snapshot().nodes.map(\.name) == ["Room"])
    paths.stop()
    tree.end()
  }

  @Test("belongs to its RIB in a path of any length, and makes paths differ")
  func paths() throws {
    let root = RoomRouter("0")
    let tree = Tree(root: root)
    let paths = StreamRecorder(tree.events.filter { $0.kind == .activated }.map(\.path))
    tree.launch()
    let labels = (0...69).map { $0 % 2 == 0 || $0 == 69 ? "\($0)" : nil }
    root.attachChain(labels.dropFirst().map { RoomRouter($0) })
    #expect(paths.values.map(\.ribLabels) == labels.indices.map { Array(labels[...$0].suffix(64)) })
    #expect(paths.values.last?.description.hasPrefix("…/Room 6/Room/Room 8/") == true)
    #expect(Set(paths.values.suffix(2)).count == 2)
    paths.stop()
    tree.end()
  }

  @Test("is encoded with a snapshot, absent for a RIB without one, and ignored by earlier versions")
  func coding() throws {
    let test = TestTree(recording: [])
    let chat = test.launch { ChatRouter() }
    try chat.open("swift")
    let snapshot = try #require(test.tree?.snapshot())
    let encoder = JSONEncoder()
    let data = try encoder.encode(snapshot)
    #expect(try JSONDecoder().decode(TreeSnapshot.self, from: data) == snapshot)
    let nodes = try #require(
      (try JSONSerialization.jsonObject(with: data) as? [String: Any])?["nodes"] as? [[String: Any]])
    #expect(nodes.map { $0["label"] as? String } == [nil, "swift"])
    #expect(nodes.map { $0["name"] as? String } == ["Chat", "Room"])
    #expect(nodes[0].keys.contains("label") == false)
    test.finish()
  }

  @Test("is not saved: a RIB is restored whatever its label")
  func saving() async throws {
    let plain = await TreeHost { ChatRouter(labels: false) }
    try await plain.perform { chat in
      try chat.open("swift", "tea")
      try chat.room("tea").interactor.savedState = 7
    }
    let document = try await plain.save().encoded(by: JSONStateCoder())
    _ = await plain.shutdown()

    let labeled = try await TreeHost(restoring: SavedTree(document), coder: JSONStateCoder()) { ChatRouter() }
    #expect(try await labeled.perform { chat in try chat.room("tea").interactor.savedState } == 7)
    #expect(await labeled.snapshot().nodes.map(\.title) == ["Chat", "Room swift", "Room tea"])
    #expect(try await labeled.save().encoded(by: JSONStateCoder()) == document)
    _ = await labeled.shutdown()
  }
}
