// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import RIBsLists
import RIBsStore
import Testing

@Suite("A random walk over a tree that is saved and restored", .folded) @MainActor
struct SavingWalkTests {
  static let count = Thoroughness.count(usual: 1_200, share: 30_000, whole: 1_000_000)

  @Test("leaves the tree as its model, after each restore", arguments: [1, 2, 3] as [UInt64])
  func walk(seed: UInt64) throws {
    var walk = try SavingWalk(seed: seed)
    for _ in 0..<(Self.count / 3) { try walk.step() }
    #expect(walk.restores > Self.count / 300)
    #expect(walk.largest > 15)
  }
}

/// A RIB with each kind of container. Those with an odd number attach a `Badge` and a `Lamp` by code.
private final class MixedRouter: Router<MixedInteractor>, ModelRouting {
  struct Item: Identifiable, Hashable, Codable, Sendable {
    var id: Int
    var title = 0
  }

  let hasBadge: Bool
  lazy var slot = ChildSlot<Int>(of: self) { _, number in MixedRouter(number) }
  lazy var kept = ChildStack<Int>(of: self, covered: .kept) { _, number in MixedRouter(number) }
  lazy var released = ChildStack<Int>(of: self, covered: .released) { _, number in MixedRouter(number) }
  lazy var list = ChildList<Item>(of: self) { _, item in MixedRouter(item.id) }

  override var savedChildren: [SavedChildren] {
    [slot.saved(as: "slot"), list.saved(as: "list"), kept.saved(as: "kept"), released.saved(as: "released")]
  }

  var badge: BadgeRouter? { children.lazy.compactMap { $0 as? BadgeRouter }.first }

  init(_ number: Int) {
    hasBadge = !number.isMultiple(of: 2)
    super.init(interactor: MixedInteractor())
    interactor.router = self
  }

  func didUpdate(to item: Item, from previous: Item) {}

  func attachBadge() {
    guard hasBadge, badge == nil else { return }
    // ribs:ignore attach-without-detach: it stays as long as this RIB
    attachChild(BadgeRouter(interactor: BadgeInteractor()))
    attachChild(LampRouter(interactor: LampInteractor()))
  }

  var modelText: String {
    let slot = slot.route.map { "\($0)\((self.slot.child as? MixedRouter)?.modelText ?? "")" } ?? ""
    let tops = [kept, released].map { ($0.child as? MixedRouter)?.modelText ?? "" }
    let list = zip(list.models, list.children).map { "\($0.id):\($0.title)\(($1 as? MixedRouter)?.modelText ?? "")" }
    let badge = badge.map { "\($0.interactor.savedState)" } ?? ""
    return "(\(interactor.savedState) \(badge) [\(slot)] \(list) \(kept.routes)\(tops[0]) \(released.routes)\(tops[1]))"
  }
}

private final class MixedInteractor: Interactor, Saving {
  weak var router: MixedRouter?
  var savedState = 0

  override func didBecomeActive() {
    super.didBecomeActive()
    router?.attachBadge()
  }
}

/// What a tree is expected to be.
private final class ModelRIB {
  typealias Item = MixedRouter.Item

  var number = 0
  /// The state of the badge; nil without one.
  var badge: Int?
  var slot: (route: Int, child: ModelRIB)?
  var list: [(item: Item, child: ModelRIB)] = []
  var kept: [(route: Int, child: ModelRIB)] = []
  /// Covered children have no model: they are built again.
  var released: [(route: Int, child: ModelRIB?)] = []

  init(_ number: Int) { if !number.isMultiple(of: 2) { badge = 0 } }

  /// As `MixedRouter.modelText`: covered children can't be seen.
  var visibleText: String {
    let slot = slot.map { "\($0.route)\($0.child.visibleText)" } ?? ""
    let tops = [kept.last?.child.visibleText ?? "", released.last?.child?.visibleText ?? ""]
    let list = list.map { "\($0.item.id):\($0.item.title)\($0.child.visibleText)" }
    let badge = badge.map { "\($0)" } ?? ""
    let (kept, released) = (kept.map(\.route), released.map(\.route))
    return "(\(number) \(badge) [\(slot)] \(list) \(kept)\(tops[0]) \(released)\(tops[1]))"
  }

  /// The number of saved RIBs. A covered RIB that was never active has no badge yet, but all were.
  var count: Int {
    1 + (badge == nil ? 0 : 2) + (slot?.child.count ?? 0) + list.reduce(0) { $0 + $1.child.count }
      + kept.reduce(0) { $0 + $1.child.count } + released.reduce(0) { $0 + ($1.child?.count ?? 0) }
  }
}

@MainActor
private struct SavingWalk {
  private var random: SplitMix
  private let seed: UInt64
  private var tree: Tree
  private var root: MixedRouter
  private let model = ModelRIB(1)
  private var lastNumber = 0
  var restores = 0
  var largest = 0

  init(seed: UInt64) throws {
    self.seed = seed
    random = SplitMix(seed)
    root = MixedRouter(1)
    tree = Tree(root: root, configuration: TreeConfiguration(inspector: TestTree.inspector))
    tree.launch()
  }

  private mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  private mutating func newRoute() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// An attached RIB, with its model.
  private mutating func place() -> (MixedRouter, ModelRIB, depth: Int) {
    var (router, model, depth) = (root, model, 0)
    while number(below: 3) > 0 {
      var next: [(any Routing, ModelRIB)] = []
      if let child = router.slot.child, let slot = model.slot { next.append((child, slot.child)) }
      if let child = router.kept.child, let top = model.kept.last { next.append((child, top.child)) }
      if let child = router.released.child, let top = model.released.last?.child { next.append((child, top)) }
      next += zip(router.list.children, model.list).map { ($0, $1.child) }
      guard !next.isEmpty else { break }
      let (child, childModel) = next[number(below: next.count)]
      guard let child = child as? MixedRouter else { break }
      (router, model, depth) = (child, childModel, depth + 1)
    }
    return (router, model, depth)
  }

  mutating func step() throws {
    let (router, model, depth) = place()
    let isFull = depth > 3
    switch number(below: 17) {
    case 0...2:
      model.number = number(below: 1_000)
      router.interactor.savedState = model.number
    case 3 where model.badge != nil:
      model.badge = number(below: 1_000)
      router.badge?.interactor.savedState = model.badge ?? 0
    case 4 where !isFull:
      let route = newRoute()
      model.slot = (route, ModelRIB(route))
      router.slot.route = route
    case 5:
      model.slot = nil
      router.slot.route = nil
    case 6, 7:
      guard !isFull, model.kept.count < 4 else { break }
      let route = newRoute()
      model.kept.append((route, ModelRIB(route)))
      router.kept.push(route)
    case 8:
      _ = model.kept.popLast()
      router.kept.pop()
    case 9:
      guard !isFull, model.released.count < 4 else { break }
      let route = newRoute()
      if !model.released.isEmpty { model.released[model.released.count - 1].child = nil }
      model.released.append((route, ModelRIB(route)))
      router.released.push(route)
    case 11:
      _ = model.released.popLast()
      if let route = model.released.last?.route { model.released[model.released.count - 1].child = ModelRIB(route) }
      router.released.pop()
    case 12, 13:
      guard !isFull, model.list.count < 4 else { break }
      let route = newRoute()
      let place = number(below: model.list.count + 1)
      model.list.insert((ModelRIB.Item(id: route), ModelRIB(route)), at: place)
      try router.list.update(model.list.map(\.item))
    case 14, 15:
      guard !model.list.isEmpty else { break }
      let removed = model.list.remove(at: number(below: model.list.count))
      if number(below: 2) == 0 { model.list.insert(removed, at: number(below: model.list.count + 1)) }
      if !model.list.isEmpty { model.list[number(below: model.list.count)].item.title += 1 }
      try router.list.update(model.list.map(\.item))
    case 10:
      guard let route = model.kept.first?.route else { break }
      model.kept.append(model.kept.removeFirst())
      router.kept.bringToFront(route)
    default:
      if number(below: 4) == 0 { try restart() }
    }
  }

  /// Replaces the tree with its restored copy.
  private mutating func restart() throws {
    restores += 1
    let saved = try tree.save().encoded(by: PlainCoder())
    largest = max(largest, model.count)
    let root = MixedRouter(1)
    let tree = try Tree(
      root: root, restoring: SavedTree(saved), coder: PlainCoder(),
      configuration: TreeConfiguration(inspector: TestTree.inspector))
    #expect(tree.launch())
    #expect(root.modelText == model.visibleText, "seed \(seed), restore \(restores)")
    #expect(tree.save().count == model.count, "seed \(seed), restore \(restores)")
    #expect(try tree.save().encoded(by: PlainCoder()) == saved, "seed \(seed), restore \(restores)")
    self.tree.end()
    (self.root, self.tree) = (root, tree)
  }
}
