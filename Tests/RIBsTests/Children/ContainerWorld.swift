// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import RIBsLists

/// A tree whose root has a child with a slot, a stack and a list, and which does something else at one or more moments.
final class ContainerWorld {
  /// Something that user code does.
  enum Action: CaseIterable {
    case showA, showB, showNothing
    case pushX, pushY, pop, popToX, replaceWithZ, bringXToFront, clear
    case listForward, listBackward, listOther, listChanged, listEmpty
    case windowAtHead, windowFurther, windowNowhere
    case detachFirst, detachLast, deactivate, activate, leave, enter, end
    case newSlot, newStack, newList
    case failFirst, failLast, failOwner
  }

  /// Called with the number of each moment.
  var reaction: (Int) -> Action? = { _ in nil }
  private(set) var moments = 0
  /// The callbacks of the children, for the invariants of the lifecycle.
  private(set) var lines: [Line] = []
  private(set) var childCount = 0
  fileprivate var liveCount = 0
  private var isOver = false
  private let root = ProbeRouter("root")
  private let owner: Owner
  private let tree: Tree

  /// - Parameter restarts: whether the containers restart children, after pauses longer than a test.
  init(isObserved: Bool, restarts: Bool) {
    owner = Owner(restarts ? .upTo(2, within: .seconds(3600), after: .exponential(from: .seconds(3600))) : .never)
    let reference = WorldReference<ContainerWorld>()
    var configuration = TreeConfiguration(onMisuse: { _ in }, onFailure: { _ in })
    configuration.inspector = TestTree.inspector
    if isObserved { configuration.onEvent = { _ in reference.world?.record(nil) } }
    tree = Tree(root: root, configuration: configuration)
    reference.world = self
    root.attachChild(owner)
    owner.world = self
    owner.interactor.world = self
  }

  func launch(on stage: isolated Stage) { tree.launch() }

  fileprivate func makeChild() -> Child {
    record(nil)
    childCount += 1
    liveCount += 1
    return Child(self, childCount - 1)
  }

  /// User code is called.
  fileprivate func record(_ moment: Moment?, _ child: Int = -1) {
    if let moment { lines.append(Line(moment: moment, node: child)) }
    guard !isOver else { return }
    moments += 1
    if let action = reaction(moments - 1) { perform(action) }
  }

  /// A container that is replaced goes when the property of its router can be used again.
  func perform(_ action: Action) {
    switch action {
    case .showA: owner.slot.route = "a"
    case .showB: owner.slot.route = "b"
    case .showNothing: owner.slot.route = nil
    case .pushX: owner.stack.push("x")
    case .pushY: owner.stack.push("y")
    case .pop: owner.stack.pop()
    case .popToX: owner.stack.pop(to: "x")
    case .replaceWithZ: owner.stack.replace(with: "z")
    case .bringXToFront: owner.stack.bringToFront("x")
    case .clear: owner.stack.removeAll()
    case .listForward: show([1, 2, 3, 4])
    case .listBackward: show([4, 3, 2, 1])
    case .listOther: show([5, 2, 6])
    case .listChanged: show([Row(2, "changed"), 5, Row(1, "changed")])
    case .listEmpty: show([])
    case .windowAtHead: owner.list.setWindow(0..<1, towards: .tail)
    case .windowFurther: owner.list.setWindow(1..<3, towards: .head)
    case .windowNowhere: owner.list.setWindow(0..<0, towards: .tail)
    case .detachFirst: if let child = owner.children.first { owner.detachChild(child) }
    case .detachLast: if let child = owner.children.last { owner.detachChild(child) }
    case .deactivate: owner.interactor.deactivate()
    case .activate:
      guard !owner.interactor.isActive else { return }
      owner.start()
    case .leave: root.detachChild(owner)
    case .enter: root.attachChild(owner)
    case .end: tree.end()
    case .failFirst: (owner.children.first as? Child)?.interactor.fail(Failure())
    case .failLast: (owner.children.last as? Child)?.interactor.fail(Failure())
    case .failOwner: owner.interactor.fail(Failure())
    case .newSlot: withExtendedLifetime(owner.slot) { owner.slot = owner.makeSlot() }
    case .newStack: withExtendedLifetime(owner.stack) { owner.stack = owner.makeStack() }
    case .newList: withExtendedLifetime(owner.list) { owner.list = owner.makeList() }
    }
  }

  private func show(_ rows: [Row]) {
    do { try owner.list.update(rows) } catch { preconditionFailure("\(error)") }
  }

  /// What is wrong while no user code is being called, or nil.
  var wrong: String? {
    let children = owner.children.compactMap { $0 as? Child }
    let rows = owner.list.children.compactMap { $0 as? Child }
    let single = [owner.slot.child, owner.stack.child].compactMap { $0 as? Child }
    if children.count != owner.children.count { return "a child of another kind" }
    if Set(children.map(\.number)).count != children.count { return "a child twice" }
    if Set(children.map(\.number)) != Set((rows + single).map(\.number)) {
      return "children \(children.map(\.number)), but rows \(rows.map(\.number)), and \(single.map(\.number))"
    }
    if children.filter({ child in rows.contains { $0 === child } }).map(\.number) != rows.map(\.number) {
      return "rows \(rows.map(\.number)) stand as \(children.map(\.number))"
    }
    if owner.slot.route == nil, owner.slot.child != nil { return "a slot with a child and no route" }
    if owner.list.count != owner.list.models.count { return "count of the list" }
    let models = owner.list.models.filter { owner.list[id: $0.id] != nil }
    if models.count != rows.count { return "rows of the list" }
    for model in models where (owner.list[id: model.id] as? Child)?.id != model.id { return "a row's child" }
    // What has no child is to be restarted.
    let missing = (owner.slot.route != nil && owner.slot.child == nil ? 1 : 0) + owner.list.count - rows.count
    if missing > 0, !owner.interactor.isActive || !owner.interactor.isRunning("restart Child") {
      return "\(missing) children are missing"
    }
    for (model, row) in zip(models, rows) where model.id != row.id || model.text != row.text {
      return "\(model) has the child of \(row.id) \(row.text)"
    }
    for child in children where child.interactor.isActive != owner.interactor.isActive {
      return "\(child.number) is \(child.interactor.isActive ? "active" : "inactive"), and its parent is not"
    }
    return nil
  }

  /// Ends all, and says what is wrong with what has happened.
  func finish() -> String? {
    if let wrong { return wrong }
    isOver = true
    tree.end()
    owner.interactor.deactivate()
    perform(.showNothing)
    perform(.clear)
    perform(.listEmpty)
    if let wrong { return wrong }
    if liveCount != 0 { return "\(liveCount) children are still alive" }
    return Invariants.check(lines, nodeCount: childCount)
  }
}

extension ContainerWorld {
  fileprivate final class Owner: Router<OwnerInteractor> {
    unowned(unsafe) var world: ContainerWorld?
    lazy var slot = makeSlot()
    lazy var stack = makeStack()
    lazy var list = makeList()

    private let restarts: Restarts

    init(_ restarts: Restarts) {
      self.restarts = restarts
      super.init(interactor: OwnerInteractor())
    }

    func makeSlot() -> ChildSlot<String> {
      ChildSlot(of: self, restarts: restarts) { owner, _ in owner.makeChild() }
    }

    func makeStack() -> ChildStack<String> {
      ChildStack(of: self, covered: .kept, restarts: restarts) { owner, _ in owner.makeChild() }
    }

    func makeList() -> ChildList<Row> {
      ChildList(of: self, restarts: restarts) { owner, row in
        let child = owner.makeChild()
        child.id = row.id
        child.text = row.text
        return child
      }
    }

    private func makeChild() -> Child {
      guard let world else { preconditionFailure("There is no world.") }
      return world.makeChild()
    }
  }

  /// Does without children that have failed.
  fileprivate final class OwnerInteractor: Interactor {
    unowned(unsafe) var world: ContainerWorld?

    override func childDidFail(_ failure: ChildFailure) { world?.record(nil) }
  }

  fileprivate final class Child: MomentRouter, ModelRouting {
    let number: Int
    var id = -1
    var text = ""
    private unowned(unsafe) let world: ContainerWorld
    private var nearness = Nearness.none

    init(_ world: ContainerWorld, _ number: Int) {
      self.world = world
      self.number = number
      super.init()
      report { moment in world.record(moment, number) }
    }

    deinit {
      world.liveCount -= 1
      world.record(nil)
    }

    func didUpdate(to model: Row, from previous: Row) {
      precondition(previous.text == text && previous.id == id && model.id == id, "It is the model of another.")
      text = model.text
      world.record(nil)
    }

    func nearnessDidChange(to nearness: Nearness, from previous: Nearness) {
      precondition(previous == self.nearness && nearness != previous, "It was notified of another value before.")
      self.nearness = nearness
      world.record(nil)
    }
  }
}
