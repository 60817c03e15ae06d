// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsStore
import RIBsTesting
import Testing

@Suite("A saved tree", .folded) @MainActor
struct SavingTests {
  /// A tree with all that can be saved.
  static func makeTree(isolation: isolated any Actor = #isolation) -> (tree: Tree, root: SavedRouter) {
    let root = SavedRouter(.branch(1))
    let tree = Tree.launched(root)
    root.interactor.savedState = .init(number: 7, text: "a \"b\" \\ \n é 👍", numbers: [3, 1])
    root.slot.route = .branch(2)
    (root.slot.child as? SavedRouter)?.interactor.savedState.number = 8
    for number in 1...3 { root.kept.push(.leaf(number)) }
    root.released.push(.leaf(4))
    root.released.push(.leaf(5))
    (root.kept.child as? SavedRouter)?.kept.push(.leaf(6))
    ((root.kept.child as? SavedRouter)?.kept.child as? SavedRouter)?.interactor.savedState.number = 9
    (root.children.compactMap { $0 as? BadgeRouter }.first)?.interactor.savedState = 5
    return (tree, root)
  }

  private func restore(_ document: String, into root: SavedRouter) throws -> Tree {
    let tree = try Tree.restoring(root, from: document)
    #expect(tree.launch())
    return tree
  }

  @Test("has its states and routes in place before a RIB becomes active, that of a child attached by code too")
  func inPlace() throws {
    let (tree, _) = Self.makeTree()
    let copy = SavedRouter(.branch(1))
    _ = try restore(try tree.document(), into: copy)
    #expect(copy.interactor.stateAtActivation?.number == 7)
    #expect(copy.interactor.slotAtActivation == .branch(2))
    #expect(copy.children.compactMap { ($0 as? BadgeRouter)?.interactor.stateAtActivation } == [5])
  }

  @Test("puts siblings into the order they had, those attached by code and those of containers")
  func order() throws {
    let (tree, root) = Self.makeTree()
    let badge = try #require(root.children.first { $0 is BadgeRouter })
    root.detachChild(badge)
    root.attachChild(badge)
    let names = root.children.map { String(describing: type(of: $0)) }
    #expect(names.last == "BadgeRouter")
    let copy = SavedRouter(.branch(1))
    _ = try restore(try tree.document(), into: copy)
    #expect(copy.children.map { String(describing: type(of: $0)) } == names)
  }

  @Test("can be captured and restored without encoding, and is not restored by another coder")
  func coders() throws {
    let (tree, root) = Self.makeTree()
    let copy = SavedRouter(.branch(1))
    let direct = try Tree(root: copy, restoring: tree.save(), coder: PlainCoder())
    direct.launch()
    #expect(copy.saved == root.saved)
    let odd = try tree.save().encoded(by: OddCoder())
    #expect(throws: SavedTree.RestoreError.self) {
      try Tree(root: SavedRouter(.branch(1)), restoring: SavedTree(odd), coder: PlainCoder())
    }
    #expect(throws: SavedTree.RestoreError.self) {
      try Tree(
        root: SavedRouter(.branch(1)), restoring: SavedTree(tree.save().encoded(by: PlainCoder())), coder: OddCoder())
    }
  }

  @Test("begins with a route only where none was saved")
  func begin() throws {
    let root = SavedRouter()
    root.interactor.begins = .leaf(1)
    let tree = Tree.launched(root)
    #expect(root.slot.route == .leaf(1))
    root.slot.route = .leaf(2)
    let busy = SavedRouter()
    busy.interactor.begins = .leaf(1)
    let other = try restore(try tree.document(), into: busy)
    #expect(busy.slot.route == .leaf(2))
    busy.slot.route = nil
    let empty = SavedRouter()
    empty.interactor.begins = .leaf(1)
    let third = try restore(try other.document(), into: empty)
    #expect(empty.slot.route == nil)
    #expect(try third.document() == other.document())
    // Later it begins as ever.
    empty.slot.begin(with: .leaf(3))
    #expect(empty.slot.route == .leaf(3))
    empty.kept.begin(with: .leaf(4))
    empty.kept.begin(with: .leaf(5))
    #expect(empty.kept.routes == [.leaf(4)])
  }

  @Test("says which saved RIBs and states nothing was restored from")
  func discarded() throws {
    let (tree, root) = Self.makeTree()
    root.attachChild(SavedRouter(.branch(11)))
    let document = try tree.document().replacing("\"rib\":\"Lamp\"}", with: "\"rib\":\"Lamp\",\"v\":1,\"state\":1}")
    let copy = SavedRouter(.branch(1))
    let restored = try Tree.restoring(copy, from: document)
    let events = StreamRecorder(restored.events.filter { $0.kind == .restored }.map { $0.untaken })
    restored.launch()
    let paths = try #require(events.values.first)
    #expect(paths.filter { $0 == "Saved/Saved" }.count == 1)
    #expect(paths.filter { $0 == "Saved/Lamp" }.count == 2)
    #expect(Set(paths) == ["Saved/Saved", "Saved/Lamp", "Saved/Saved/Lamp"])
  }

  @Test("gives a child of a container whose record is missing no state of a sibling that code attaches")
  func missingRecord() throws {
    final class StageInteractor: Interactor {
      weak var router: StageRouter?
      override func didBecomeActive() {
        super.didBecomeActive()
        router?.attachChild(BadgeRouter(interactor: BadgeInteractor()))
      }
    }
    final class StageRouter: Router<StageInteractor> {
      lazy var slot = ChildSlot<Int>(of: self) { _, _ in BadgeRouter(interactor: BadgeInteractor()) }
      override var savedChildren: [SavedChildren] { [slot.saved(as: "slot")] }
    }
    func build() -> StageRouter {
      let root = StageRouter(interactor: StageInteractor())
      root.interactor.router = root
      return root
    }
    let root = build()
    let tree = Tree.launched(root)
    root.slot.route = 1
    let document = try tree.document()
      .replacing(
        "{\"in\":0,\"rib\":\"Badge\",\"v\":1,\"state\":0}", with: "{\"in\":0,\"rib\":\"Badge\",\"v\":1,\"state\":5}"
      )
      .replacing(",\n{\"in\":0,\"at\":\"slot\",\"rib\":\"Badge\",\"v\":1,\"state\":0}", with: "")
    #expect(document.contains("5") && !document.contains("\"at\""))
    let copy = build()
    let restored = try Tree.restoring(copy, from: document)
    restored.launch()
    #expect((copy.slot.child as? BadgeRouter)?.interactor.stateAtActivation == 0)
    let attached = copy.children.compactMap { $0 as? BadgeRouter }.filter { $0 !== copy.slot.child }
    #expect(attached.map(\.interactor.stateAtActivation) == [5])
  }

  @Test("restores a child that another RIB attaches while its parent is still inactive")
  func attachedElsewhere() throws {
    final class FirstInteractor: Interactor {
      var other: RouterNode?
      override func didBecomeActive() {
        super.didBecomeActive()
        other?.attachChild(BadgeRouter(interactor: BadgeInteractor()))
      }
    }
    final class FirstRouter: Router<FirstInteractor> {}
    func build() -> Router<LampInteractor> {
      let root = Router(interactor: LampInteractor())
      let (first, second) = (FirstRouter(interactor: FirstInteractor()), LampRouter(interactor: LampInteractor()))
      first.interactor.other = second
      root.attachChild(first)
      root.attachChild(second)
      return root
    }
    let root = build()
    let tree = Tree.launched(root)
    (root.children.last?.children.first as? BadgeRouter)?.interactor.savedState = 3
    let copy = build()
    let restored = try Tree(root: copy, restoring: tree.save(), coder: PlainCoder())
    restored.launch()
    #expect((copy.children.last?.children.first as? BadgeRouter)?.interactor.stateAtActivation == 3)
  }

  @Test("reports two containers under one name, and saves the first")
  func repeatedName() throws {
    final class TwiceRouter: Router<LampInteractor> {
      lazy var one = ChildSlot<SavedRoute>(of: self) { _, route in SavedRouter(route) }
      lazy var two = ChildSlot<SavedRoute>(of: self) { _, route in SavedRouter(route) }
      override var savedChildren: [SavedChildren] { [one.saved(as: "a"), two.saved(as: "a")] }
    }
    let root = TwiceRouter(interactor: LampInteractor())
    let journal = Journal()
    let tree = Tree.launched(root, TreeConfiguration(onMisuse: { journal.write("\($0.kind)") }))
    root.one.route = .leaf(1)
    root.two.route = .leaf(2)
    let document = try tree.document()
    #expect(journal.lines == ["repeatedSavedName"])
    #expect(document.contains("{\"a\":[{\"leaf\":{\"_0\":1}}]}"))
  }
}
