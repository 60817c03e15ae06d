import Foundation
import RIBs
import RIBsStore
import Testing

@Suite("A random walk over a tree that is saved and restored") @MainActor
struct SavingWalkTests {
  static let count = Thoroughness.count(usual: 20_000, share: 200_000, whole: 1_000_000)

  @Test("leaves the tree as its model, after each restore", arguments: [1, 2, 3] as [UInt64])
  func walk(seed: UInt64) throws {
    var walk = try SavingWalk(seed: seed)
    for _ in 0..<(Self.count / 3) { try walk.step() }
    #expect(walk.restores > Self.count / 300)
    #expect(walk.largest > 15)
  }
}

/// What a tree is expected to be.
private final class ModelRIB {
  var number = 0
  var slot: (route: SavedRoute, child: ModelRIB)?
  var kept: [(route: SavedRoute, child: ModelRIB)] = []
  /// Covered children have no model: they are built again.
  var released: [(route: SavedRoute, child: ModelRIB?)] = []

  var text: String {
    let slot = slot.map { "\($0.route)\($0.child.text)" } ?? ""
    let kept = kept.map { "\($0.route)\($0.child.text)" }.joined(separator: ",")
    let released = released.map { "\($0.route)\($0.child?.text ?? "")" }.joined(separator: ",")
    return "(\(number) [\(slot)] [\(kept)] [\(released)])"
  }

  var count: Int {
    1 + (slot?.child.count ?? 0) + kept.reduce(0) { $0 + $1.child.count }
      + released.reduce(0) { $0 + ($1.child?.count ?? 0) }
  }
}

extension SavedRouter {
  fileprivate var modelText: String {
    let slot = slot.route.map { "\($0)\((self.slot.child as? SavedRouter)?.modelText ?? "")" } ?? ""
    let tops = [kept, released].map { ($0.child as? SavedRouter)?.modelText ?? "" }
    let (kept, released) = (kept.routes.map { "\($0)" }, released.routes.map { "\($0)" })
    return "(\(interactor.savedState.number) [\(slot)] \(kept)\(tops[0]) \(released)\(tops[1]))"
  }
}

extension ModelRIB {
  /// As `SavedRouter.modelText`: covered children can't be seen.
  fileprivate var visibleText: String {
    let slot = slot.map { "\($0.route)\($0.child.visibleText)" } ?? ""
    let tops = [kept.last?.child.visibleText ?? "", released.last?.child?.visibleText ?? ""]
    let (kept, released) = (kept.map { "\($0.route)" }, released.map { "\($0.route)" })
    return "(\(number) [\(slot)] \(kept)\(tops[0]) \(released)\(tops[1]))"
  }
}

@MainActor
private struct SavingWalk {
  private var random: SplitMix
  private let seed: UInt64
  private var tree: Tree
  private var root: SavedRouter
  private let model = ModelRIB()
  private var lastNumber = 0
  var restores = 0
  var largest = 0

  init(seed: UInt64) throws {
    self.seed = seed
    random = SplitMix(seed)
    root = SavedRouter()
    tree = Tree(root: root)
    tree.launch()
  }

  private mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  private mutating func newRoute() -> SavedRoute {
    lastNumber += 1
    return .leaf(lastNumber)
  }

  /// An attached RIB, with its model.
  private mutating func place() -> (SavedRouter, ModelRIB, depth: Int) {
    var (router, model, depth) = (root, model, 0)
    while number(below: 3) > 0 {
      var next: [(any Routing, ModelRIB)] = []
      if let child = router.slot.child, let slot = model.slot { next.append((child, slot.child)) }
      if let child = router.kept.child, let top = model.kept.last { next.append((child, top.child)) }
      if let child = router.released.child, let top = model.released.last?.child { next.append((child, top)) }
      guard !next.isEmpty else { break }
      let (child, childModel) = next[number(below: next.count)]
      guard let child = child as? SavedRouter else { break }
      (router, model, depth) = (child, childModel, depth + 1)
    }
    return (router, model, depth)
  }

  mutating func step() throws {
    let (router, model, depth) = place()
    let isFull = depth > 3
    switch number(below: 12) {
    case 0...2:
      model.number = number(below: 1_000)
      router.interactor.savedState.number = model.number
    case 3 where !isFull:
      let route = newRoute()
      model.slot = (route, ModelRIB())
      router.slot.route = route
    case 4:
      model.slot = nil
      router.slot.route = nil
    case 5, 6:
      guard !isFull, model.kept.count < 4 else { break }
      let route = newRoute()
      model.kept.append((route, ModelRIB()))
      router.kept.push(route)
    case 7:
      _ = model.kept.popLast()
      router.kept.pop()
    case 8:
      guard !isFull, model.released.count < 4 else { break }
      let route = newRoute()
      if !model.released.isEmpty { model.released[model.released.count - 1].child = nil }
      model.released.append((route, ModelRIB()))
      router.released.push(route)
    case 9:
      _ = model.released.popLast()
      if !model.released.isEmpty { model.released[model.released.count - 1].child = ModelRIB() }
      router.released.pop()
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
    let root = SavedRouter()
    let tree = try Tree(root: root, restoring: SavedTree(saved), coder: PlainCoder())
    #expect(tree.launch())
    #expect(root.modelText == model.visibleText, "seed \(seed), restore \(restores)")
    #expect(tree.save().count == model.count, "seed \(seed), restore \(restores)")
    #expect(try tree.save().encoded(by: PlainCoder()) == saved, "seed \(seed), restore \(restores)")
    self.tree.end()
    (self.root, self.tree) = (root, tree)
  }
}
