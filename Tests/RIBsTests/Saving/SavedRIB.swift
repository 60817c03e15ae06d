// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore

/// What a RIB of these tests is built from.
enum SavedRoute: Hashable, Codable, Sendable {
  case leaf(Int)
  /// Attaches a `Badge` and a `Lamp` in `didBecomeActive()`, and a `Lamp` in `didLoad()`.
  case branch(Int)
}

/// A RIB with a state, a slot, and two stacks.
final class SavedRouter: Router<SavedInteractor> {
  let route: SavedRoute
  /// A router that a test keeps.
  var other: SavedRouter?

  lazy var slot = ChildSlot<SavedRoute>(of: self) { _, route in SavedRouter(route) }
  lazy var kept = ChildStack<SavedRoute>(of: self, covered: .kept) { _, route in SavedRouter(route) }
  lazy var released = ChildStack<SavedRoute>(of: self, covered: .released) { _, route in SavedRouter(route) }

  override var savedChildren: [SavedChildren] {
    [slot.saved(as: "slot"), kept.saved(as: "kept"), released.saved(as: "released")]
  }

  init(_ route: SavedRoute = .leaf(0)) {
    self.route = route
    super.init(interactor: SavedInteractor())
    interactor.router = self
  }

  override func didLoad() {
    super.didLoad()
    if case .branch = route { attachChild(LampRouter(interactor: LampInteractor())) }
  }

  fileprivate func attachStatic() {
    guard case .branch = route, !children.contains(where: { $0 is BadgeRouter }) else { return }
    attachChild(BadgeRouter(interactor: BadgeInteractor()))
    attachChild(LampRouter(interactor: LampInteractor()))
  }
}

final class SavedInteractor: Interactor, Saving {
  struct SavedState: Codable, Hashable, Sendable {
    var number = 0
    var text = ""
    var numbers: [Int] = []
  }

  weak var router: SavedRouter?
  /// The number is negated when this resigns.
  var changesWhenResigning = false
  var savedState = SavedState() { didSet { setNeedsSave() } }
  var begins: SavedRoute?
  /// What was there when this became active.
  private(set) var stateAtActivation: SavedState?
  private(set) var slotAtActivation: SavedRoute?

  override var treeSummary: String? { "\(savedState.number)" }

  override func didBecomeActive() {
    super.didBecomeActive()
    stateAtActivation = savedState
    slotAtActivation = router?.slot.route
    router?.attachStatic()
    if let begins { router?.slot.begin(with: begins) }
  }

  override func willResignActive() {
    if changesWhenResigning { savedState.number.negate() }
    super.willResignActive()
  }
}

/// A child that code attaches, with a state.
final class BadgeRouter: Router<BadgeInteractor> {}

final class BadgeInteractor: Interactor, Saving {
  var savedState = 0
  private(set) var stateAtActivation: Int?

  override func didBecomeActive() {
    super.didBecomeActive()
    stateAtActivation = savedState
  }
}

/// A child that code attaches, without a state.
final class LampRouter: Router<LampInteractor> {}

final class LampInteractor: Interactor {}

/// A RIB with a state, which does something when the tree is copied.
final class CountingInteractor: Interactor, Saving {
  var number = 0
  var onCopy: (() -> Void)?

  var savedState: Int {
    get {
      onCopy?()
      return number
    }
    set { number = newValue }
  }

  func change() {
    number += 1
    setNeedsSave()
  }
}

extension Tree {
  /// A tree that restores a document when it is launched.
  static func restoring(
    _ root: any Routing, from document: String, _ configuration: TreeConfiguration = TreeConfiguration()
  ) throws(SavedTree.RestoreError) -> Tree {
    try Tree(
      root: root, restoring: SavedTree(Array(document.utf8)), coder: PlainCoder(), configuration: configuration)
  }

  /// The document of this tree.
  func document() throws -> String { String(decoding: try save().encoded(by: PlainCoder()), as: UTF8.self) }
}

extension RouterNode {
  /// The RIBs below this by name and state, each indented below its parent.
  var saved: String { lines(0).joined(separator: "\n") }

  private func lines(_ depth: Int) -> [String] {
    let state = (interactable as? SavedInteractor)?.savedState.number ?? (interactable as? BadgeInteractor)?.savedState
    let name = String(describing: type(of: self)).replacing("Router", with: "")
    let line = String(repeating: "  ", count: depth) + name + (state.map { " \($0)" } ?? "")
    return [line] + children.flatMap { ($0 as? RouterNode)?.lines(depth + 1) ?? [] }
  }
}
