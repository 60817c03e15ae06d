// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import RIBsLists
import Testing

@Suite("A live list", .folded)
struct LiveUpdateTests {
  @Test("of a hundred children stays in step through update after update, and nothing of what goes stays alive")
  func updates() async {
    let seed = firstSeed()
    let count = Thoroughness.count(usual: 100, share: 5_000, whole: 3_900_000)
    print("Updates of a live list: seed \(seed), \(count) updates")
    let wrong = await Stage().run { stage in
      var live = LiveList(seed: seed)
      live.launch(on: stage)
      return live.run(count) ?? live.end()
    }
    #expect(wrong == nil)
  }
}

/// A tree with a list, in which a tenth of the children are deleted, inserted and moved by each update.
private struct LiveList {
  private var random: SplitMix
  private var models: [Row] = []
  private var lastID = 0
  private let owner = Owner()
  private let tree: Tree

  init(seed: UInt64) {
    random = SplitMix(seed)
    tree = Tree(root: owner, configuration: TreeConfiguration(leakDetection: .off, inspector: TestTree.inspector))
  }

  func launch(on stage: isolated Stage) { tree.launch() }

  /// - Returns: what is wrong, or nil.
  mutating func run(_ count: Int) -> String? {
    for _ in 0..<100 { insert() }
    for number in 0..<count {
      if number > 0 { change() }
      do { try owner.list.update(models) } catch { return "update \(number): \(error)" }
      if let wrong { return "update \(number): \(wrong)" }
    }
    return nil
  }

  func end() -> String? {
    tree.end()
    do { try owner.list.update([]) } catch { return "\(error)" }
    return owner.live == 0 ? nil : "\(owner.live) children are still alive"
  }

  private mutating func insert() {
    lastID += 1
    models.insert(Row(lastID), at: random.below(models.count + 1))
  }

  private mutating func change() {
    for _ in 0..<10 { models.remove(at: random.below(models.count)) }
    for _ in 0..<10 { insert() }
    for _ in 0..<10 { models.insert(models.remove(at: random.below(models.count)), at: random.below(models.count + 1)) }
  }

  private var wrong: String? {
    let children = owner.children
    if children.count != 100 || owner.live != 100 || owner.list.count != 100 {
      return "\(children.count) children, \(owner.live) of them alive, \(owner.list.count) in the list"
    }
    for (child, model) in zip(children, models) {
      let child = unsafeDowncast(child, to: Child.self)
      if child.id != model.id { return "\(child.id) stands in the place of \(model.id)" }
      if !child.interactor.isActive { return "\(child.id) is not active" }
      if owner.list[id: model.id] !== child { return "\(child.id) is not found" }
    }
    return nil
  }

  private final class Census {
    var count = 0
  }

  private final class Owner: Router<Interactor> {
    let census = Census()
    private(set) lazy var list = ChildList<Row>(of: self) { owner, row in Child(row.id, owner.census) }

    var live: Int { census.count }

    init() { super.init(interactor: Interactor()) }
  }

  private final class Child: Router<Interactor>, ModelRouting {
    let id: Int
    private let census: Census

    init(_ id: Int, _ census: Census) {
      self.id = id
      self.census = census
      census.count += 1
      super.init(interactor: Interactor())
    }

    deinit { census.count -= 1 }

    func didUpdate(to model: Row, from previous: Row) { preconditionFailure("No model has changed.") }
  }
}
