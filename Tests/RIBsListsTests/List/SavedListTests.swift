// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import RIBsLists
import RIBsStore
import Testing

@Suite("A saved list of children", .folded) @MainActor
struct SavedListTests {
  struct Item: Identifiable, Hashable, Codable, Sendable {
    var id: Int
    var title = ""
  }

  final class ListRouter: Router<ListInteractor> {
    lazy var list = ChildList<Item>(of: self) { _, item in ItemRouter(item) }
    override var savedChildren: [SavedChildren] { [list.saved(as: "items")] }
  }

  final class ListInteractor: Interactor {
    var onActive: () -> Void = {}

    override func didBecomeActive() {
      super.didBecomeActive()
      onActive()
    }
  }

  final class ItemRouter: Router<ItemInteractor>, ModelRouting {
    init(_ item: Item) { super.init(interactor: ItemInteractor(item)) }
    func didUpdate(to item: Item, from previous: Item) { interactor.title = item.title }
  }

  final class ItemInteractor: Interactor, Saving {
    var savedState = 0
    var title: String

    var onResign: () -> Void = {}

    init(_ item: Item) { title = item.title }

    override func willResignActive() {
      super.willResignActive()
      onResign()
    }
  }

  private func launch(_ items: [Item]) throws -> (Tree, ListRouter) {
    let root = ListRouter(interactor: ListInteractor())
    let tree = Tree(root: root, configuration: TreeConfiguration(inspector: TestTree.inspector))
    tree.launch()
    try root.list.update(items)
    for (index, child) in root.list.children.enumerated() {
      (child as? ItemRouter)?.interactor.savedState = (index + 1) * 10
    }
    return (tree, root)
  }

  private func restore(_ document: [UInt8]) throws -> (Tree, ListRouter) {
    let root = ListRouter(interactor: ListInteractor())
    let tree = try Tree(
      root: root, restoring: SavedTree(document), coder: JSONStateCoder(),
      configuration: TreeConfiguration(inspector: TestTree.inspector))
    #expect(tree.launch())
    return (tree, root)
  }

  private func states(_ root: ListRouter) -> [Int] {
    root.children.compactMap { ($0 as? ItemRouter)?.interactor.savedState }
  }

  /// The document of a list, as format 1 has it. It must not change, and must be restored by every version.
  static let format1 = """
    {"format":1,"ribs":[
    {"rib":"List","children":{"items":[{"id":1,"title":""},{"id":2,"title":"b"}]}},
    {"in":0,"at":"items","rib":"Item","v":1,"state":10},
    {"in":0,"at":"items","index":1,"rib":"Item","v":1,"state":20}
    ]}

    """

  @Test("is written as the golden document, and restored from it")
  func golden() throws {
    let (tree, root) = try launch([Item(id: 1), Item(id: 2, title: "b")])
    #expect(String(decoding: try tree.save().encoded(by: JSONStateCoder()), as: UTF8.self) == Self.format1)
    let (_, copy) = try restore(Array(Self.format1.utf8))
    #expect(copy.list.models == root.list.models && states(copy) == [10, 20])
  }

  @Test("comes back with its models, its children in order, and their states")
  func fixpoint() throws {
    let (tree, root) = try launch([Item(id: 1), Item(id: 2, title: "b"), Item(id: 3)])
    try root.list.update([Item(id: 3), Item(id: 1), Item(id: 4)])
    let document = try tree.save().encoded(by: JSONStateCoder())
    let (restored, copy) = try restore(document)
    #expect(copy.list.models == root.list.models)
    #expect(states(copy) == [30, 10, 0])
    #expect(try restored.save().encoded(by: JSONStateCoder()) == document)
    // The children are those of the models.
    try copy.list.update([Item(id: 1, title: "a"), Item(id: 3)])
    #expect(states(copy) == [10, 30])
    #expect((copy.list[id: 1] as? ItemRouter)?.interactor.title == "a")
  }

  @Test("gives no state to the children of a list that is not listed, whose models tell them apart")
  func unlisted() throws {
    final class MirrorRouter: Router<ListInteractor> {
      lazy var list = ChildList<Item>(of: self) { _, item in ItemRouter(item) }
      var items: [Item] = []

      override func didLoad() {
        super.didLoad()
        try? list.update(items)
      }
    }
    func root(_ items: [Item]) -> MirrorRouter {
      let root = MirrorRouter(interactor: ListInteractor())
      root.items = items
      return root
    }
    let test = TestTree(recording: [])
    let first = test.launch(root([Item(id: 1), Item(id: 2)]))
    for child in first.children { (child as? ItemRouter)?.interactor.savedState = 10 }
    let saved = try #require(test.tree).save()
    #expect(try String(decoding: saved.encoded(by: JSONStateCoder()), as: UTF8.self).contains("Item") == false)
    // What an earlier version has saved of rows is kept and reported.
    let former = """
      {"format":1,"ribs":[
      {"rib":"Mirror"},
      {"in":0,"rib":"Item","v":1,"state":10}
      ]}

      """
    for document in try [saved.encoded(by: JSONStateCoder()), Array(former.utf8)] {
      let restored = TestTree(restoring: try SavedTree(document), recording: .everything)
      let second = restored.launch(root([Item(id: 2)]))
      #expect(second.children.compactMap { ($0 as? ItemRouter)?.interactor.savedState } == [0])
      #expect(
        restored.transcript.lines.contains { $0.contains("restored without") } == (document == Array(former.utf8)))
      restored.skip()
      restored.finish()
    }
    test.finish()
  }

  @Test("keeps the order of models that it was given during the restored launch")
  func order() throws {
    let (tree, _) = try launch([Item(id: 1), Item(id: 2), Item(id: 3)])
    let root = ListRouter(interactor: ListInteractor())
    root.interactor.onActive = { try? root.list.update([Item(id: 3), Item(id: 0), Item(id: 1)]) }
    let restored = try Tree(root: root, restoring: tree.save(), coder: JSONStateCoder())
    #expect(restored.launch())
    #expect(states(root) == [30, 0, 10])
    #expect(root.children.map { ObjectIdentifier($0) } == root.list.children.map { ObjectIdentifier($0) })
    root.interactor.onActive = {}
  }

  @Test("is saved without a row whose removal ends the tree")
  func ending() throws {
    let saves = TestTree(recording: [])
    let root = saves.launch(building: { ListRouter(interactor: ListInteractor()) })
    try root.list.update([Item(id: 1), Item(id: 2)])
    saves.settle()
    (root.list.children.first as? ItemRouter)?.interactor.onResign = { root.endTree() }
    root.list.remove(id: 1)
    saves.settle()
    let last = try #require(saves.saves.last).encoded(by: JSONStateCoder())
    let (_, copy) = try restore(last)
    #expect(copy.list.models == [Item(id: 2)])
    saves.finish()
  }

  @Test("leaves out a model whose child was detached by other code")
  func lost() throws {
    let (tree, root) = try launch([Item(id: 1), Item(id: 2)])
    if let child = root.children.first { root.detachChild(child) }
    let (_, copy) = try restore(tree.save().encoded(by: JSONStateCoder()))
    #expect(copy.list.models == [Item(id: 2)])
    #expect(states(copy) == [20])
  }

  @Test("with an identity that comes twice is refused")
  func repeated() throws {
    let (tree, _) = try launch([Item(id: 1), Item(id: 2)])
    let text = String(decoding: try tree.save().encoded(by: JSONStateCoder()), as: UTF8.self)
      .replacing("\"id\":2", with: "\"id\":1")
    let error = #expect(throws: SavedTree.RestoreError.self) { try restore(Array(text.utf8)) }
    let isRepeated = if case .unreadableChildren("items", is RepeatedIdentity)? = error?.reason { true } else { false }
    #expect(isRepeated, "\(error as Any)")
  }

  @Test("with a changed byte is refused, or comes back as a list that can be saved")
  func changed() throws {
    let (tree, _) = try launch([Item(id: 1), Item(id: 2, title: "b"), Item(id: 3)])
    let document = try tree.save().encoded(by: JSONStateCoder())
    var refused = 0
    for index in document.indices {
      for mask: UInt8 in [0x01, 0x02, 0x20, 0x80] {
        var changed = document
        changed[index] ^= mask
        do {
          let saved = try restore(changed).0.save().encoded(by: JSONStateCoder())
          #expect(try restore(saved).0.save().encoded(by: JSONStateCoder()) == saved)
        } catch is SavedTree.RestoreError { refused += 1 }
      }
    }
    #expect(refused > document.count)
  }
}
