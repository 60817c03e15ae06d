// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// The world as the design describes it: arrays, recursion, and nothing that is fast.
final class ModelWorld: World {
  let script: Script
  private(set) var nodes: [Node]
  /// The work that waits for an item, or for the walk.
  var pending: [Pending] = []
  private let isObserved: Bool
  private(set) var hasEnded = false
  /// A node that was unlinked in a walk, which has yet to be reported.
  private var unlinked: Node?

  /// What points upwards is unowned: the world holds all nodes.
  final class Node {
    enum Phase { case inactive, active, resigning }

    let number: Int
    unowned(unsafe) var parent: Node?
    var children: [Node] = []
    /// For a node that activates its children: the next child. It is determined when the one before is activated, so a
    /// child attached while the last one is activated is not next: it is activated by its attachment.
    var next: Node?
    /// Of a node that resigns: the child that it waits for.
    var awaited: Node?
    /// The container that has the node among its children, or keeps it.
    unowned(unsafe) var holder: Container?
    private(set) lazy var slot = Slot(of: self)
    private(set) lazy var stack = Stack(of: self)
    private(set) lazy var list = List(of: self)
    /// The workers that were started on the node, those that run, and those that have yet to stop.
    var workers = (started: [Worker](), running: [Worker](), ended: [Worker]())
    private(set) lazy var worker = Worker(number)
    /// Changes with each activation and resignation of the node alone.
    var activity = 0
    /// Whether work can be bound to the node.
    var acceptsWork = false
    var phase = Phase.inactive
    var epoch = 0
    var isActive = false
    var isInTree = false
    var isRoot = false
    /// Whether the node has an id: since its attachment to the tree.
    var hasID = false
    var treeHasEnded = false
    var needsWillResign = false
    var isBound = false
    var isToBeUnlinked = false
    var hasEmittedLifecycle = false
    var isLoaded = false
    var stream = (latest: false, waiting: [Bool](), isDelivering: false)

    init(_ number: Int) { self.number = number }

    /// Whether another node owns this one: as a descendant, or through stacks that keep covered children.
    func isOwned(by other: Node) -> Bool {
      var next = parent ?? holder?.owner
      while let node = next, node !== other { next = node.parent ?? node.holder?.owner }
      return next != nil
    }
  }

  init(_ shape: Shape, count: Int, isObserved: Bool, script: Script) {
    self.script = script
    self.isObserved = isObserved
    nodes = (0..<count).map(Node.init)
    for (index, parent) in shape.parents.enumerated() { link(nodes[index + 1], to: nodes[parent]) }
    script.isRecording = true
  }

  var count: Int { nodes.count }

  var picture: [Picture] {
    nodes.map { node in
      Picture(
        isActive: node.isActive, children: node.children.map(\.number), route: node.slot.visibleRoute,
        routes: node.stack.entries.map(\.route), top: node.stack.entries.last?.child?.number,
        rows: node.list.visibleRows.map(\.row.id), rowChildren: node.list.rows.compactMap { $0.entry.child?.number },
        isWorkerStarted: node.worker.isStarted, isWorkerRunning: node.worker.isRunning)
    }
  }

  var work: [WorkPhase] { pending.map(\.phase) }

  func addNode() -> Node {
    nodes.append(Node(nodes.count))
    return nodes[nodes.count - 1]
  }

  func launch(on stage: isolated any Actor) {
    let root = nodes[0]
    root.isRoot = true
    root.isInTree = true
    if isObserved { assignID(to: root) }
    record(.attached, root)
    if root.isRoot, root.phase == .inactive { activate(root) }
  }

  func perform(_ action: Action) {
    switch action {
    case .attach(let child, let parent): attach(nodes[child], to: nodes[parent])
    case .detach(let child, let parent): detach(nodes[child], from: nodes[parent])
    case .activate(let node): activateByHand(nodes[node])
    case .deactivate(let node): if nodes[node].phase == .active { resign(nodes[node]) }
    case .load(let node): loadByHand(nodes[node])
    case .fail(let node): fail(nodes[node])
    case .end: end()
    case .route(let route, let node): route.map { show($0, in: nodes[node].slot) } ?? empty(nodes[node].slot)
    case .push(let route, let node): push(route, on: nodes[node].stack)
    case .pop(let node): pop(nodes[node].stack)
    case .bringToFront(let route, let node): bringToFront(route, on: nodes[node].stack)
    case .clear(let node): change(nodes[node].stack) { $0.removeAll() }
    case .update(let rows, let node): update(nodes[node].list, to: rows)
    case .startWorker(let worker, let node): start(nodes[worker].worker, on: nodes[node])
    case .stopWorker(let worker): stop(nodes[worker].worker)
    case .prepare(let node): prepareChild(of: nodes[node])
    case .workflow(let first, let second): startWorkflow([nodes[first], nodes[second]])
    case .dispose(let number): pending[number].dispose()
    case .finish(let number): finish(pending[number])
    }
  }

  // MARK: Telling

  /// Calls user code. Events are reported only for nodes in an observed tree.
  func record(_ moment: Moment, _ node: Node) {
    switch moment {
    case .attached, .activated, .loaded, .resigned, .detached, .failed: guard isObserved, node.isInTree else { return }
    default: break
    }
    script.record(Line(moment: moment, node: node.number), to: self)
  }

  func refuse(_ kind: Misuse.Kind, at node: Node) {
    if isObserved, node.isInTree { script.record(Line(moment: .misuseEvent, misuse: kind), to: self) }
    script.record(Line(moment: .misuse, misuse: kind), to: self)
  }

  /// The stream publishes whether the node is active, then workers stop or start.
  private func publishActivity(of node: Node) {
    let activity = node.activity
    announce(node)
    while let worker = node.workers.ended.popLast() { halt(worker) }
    for worker in node.workers.started.filter({ !$0.isRunning })
    where node.activity == activity && node.acceptsWork { begin(worker, on: node) }
  }

  /// A stream that delivers one value after another.
  private func announce(_ node: Node) {
    guard node.stream.latest != node.isActive else { return }
    node.stream.latest = node.isActive
    node.stream.waiting.append(node.isActive)
    guard !node.stream.isDelivering else { return }
    node.stream.isDelivering = true
    while !node.stream.waiting.isEmpty {
      record(node.stream.waiting.removeFirst() ? .streamTrue : .streamFalse, node)
    }
    node.stream.isDelivering = false
  }

  // MARK: Attaching

  private func link(_ child: Node, to parent: Node, at index: Int? = nil) {
    child.hasID = false
    child.parent = parent
    parent.children.insert(child, at: index ?? parent.children.count)
  }

  private func unlink(_ child: Node, from parent: Node) {
    if parent.next === child { parent.next = self.child(of: parent, after: child) }
    parent.children.removeAll { $0 === child }
    leaveHolder(child)
    child.parent = nil
    child.isToBeUnlinked = false
    child.treeHasEnded = false
    child.hasID = false
  }

  private func child(of parent: Node, after child: Node) -> Node? {
    let index = parent.children.firstIndex { $0 === child }
    return index.flatMap { $0 + 1 < parent.children.count ? parent.children[$0 + 1] : nil }
  }

  private func leaveHolder(_ child: Node) {
    let holder = child.holder
    child.holder = nil
    holder?.didLose(child)
  }

  /// Moves a child. A cascade that activates the children starts again.
  func move(_ child: Node, to index: Int) {
    guard let parent = child.parent else { return }
    parent.children.removeAll { $0 === child }
    parent.children.insert(child, at: index)
    if parent.phase == .active, parent.next != nil { parent.next = parent.children.first }
  }

  /// - Parameters:
  ///   - index: the position among the children; nil for the end.
  ///   - container: the container that attaches the child. Any other one loses it.
  func attach(_ child: Node, to parent: Node, at index: Int? = nil, by container: Container? = nil) {
    if child.parent != nil { return refuse(.alreadyAttached, at: parent) }
    if child === parent { return refuse(.cycle, at: parent) }
    if child.phase != .inactive || child.isRoot { return refuse(.alreadyActive, at: parent) }
    if parent.isOwned(by: child) { return refuse(.cycle, at: parent) }
    if cannotAttach(to: parent) { return refuse(.treeEnded, at: parent) }
    if let container { container.hold(child) } else { leaveHolder(child) }
    link(child, to: parent, at: index)
    guard parent.phase == .active else { return }
    let epoch = parent.epoch
    if isObserved, parent.isInTree {
      assignID(to: child)
      script.record(Line(moment: .attached, node: child.number), to: self)
    }
    if parent.epoch == epoch, child.parent === parent, child.phase == .inactive { activate(child) }
  }

  func cannotAttach(to parent: Node) -> Bool { parent.treeHasEnded || parent.isInTree && hasEnded }

  private func activateByHand(_ node: Node) {
    guard node.phase == .inactive else { return }
    if let parent = node.parent, parent.phase != .active { return refuse(.inactiveParent, at: node) }
    if becomeActive(node, loading: false) { activateChildren(of: node) }
  }

  private func activate(_ node: Node) {
    if becomeActive(node, loading: true) { activateChildren(of: node) }
  }

  private func activateChildren(of node: Node) {
    let epoch = node.epoch
    node.next = node.children.first
    while node.epoch == epoch, let child = node.next {
      node.next = self.child(of: node, after: child)
      if child.phase == .inactive { activate(child) }
    }
  }

  private func becomeActive(_ node: Node, loading: Bool) -> Bool {
    node.phase = .active
    node.epoch += 1
    let epoch = node.epoch
    if node.parent?.isInTree == true { node.isInTree = true }
    if node.isInTree { assignID(to: node) }
    node.activity += 1
    node.isActive = true
    node.acceptsWork = true
    record(.activated, node)
    guard node.epoch == epoch else { return false }
    publishActivity(of: node)
    guard node.epoch == epoch else { return false }
    node.needsWillResign = true
    node.isBound = true
    record(.didBecomeActive, node)
    guard node.epoch == epoch else { return false }
    if loading { load(node) }
    return node.epoch == epoch && node.isLoaded
  }

  private func assignID(to node: Node) {
    if !node.hasID || node.treeHasEnded {
      node.hasID = true
      // What was attached to it before gets ids of this attachment.
      for child in node.children where child.phase == .inactive { child.hasID = false }
    }
    node.treeHasEnded = false
  }

  private func load(_ node: Node) {
    guard !node.isLoaded else { return }
    let epoch = node.epoch
    record(.loaded, node)
    guard node.epoch == epoch, !node.isLoaded else { return }
    if !node.hasEmittedLifecycle {
      node.hasEmittedLifecycle = true
      record(.lifecycle, node)
      guard node.epoch == epoch, !node.isLoaded else { return }
    }
    node.isLoaded = true
    record(.didLoad, node)
  }

  private func loadByHand(_ node: Node) {
    let epoch = node.epoch
    load(node)
    if node.phase == .active, node.epoch == epoch { activateChildren(of: node) }
  }

  // MARK: Detaching

  func detach(_ child: Node, from parent: Node) {
    guard child.parent === parent else { return refuse(.notAChild, at: parent) }
    switch child.phase {
    case .inactive:
      let isKnown = isObserved && parent.isInTree && child.hasID
      unlink(child, from: parent)
      if isKnown { script.record(Line(moment: .detached, node: child.number), to: self) }
    case .active:
      child.isToBeUnlinked = true
      resign(child)
    case .resigning: child.isToBeUnlinked = true
    }
  }

  private func resign(_ node: Node) {
    node.phase = .resigning
    node.epoch += 1
    node.next = nil
    resignOn(node)
  }

  /// Lets the children resign that have not, the last first; then the node itself, and then the parent's next child if
  /// the parent waits for this one.
  private func resignOn(_ node: Node) {
    node.awaited = node.children.last { $0.phase != .inactive }
    if let child = node.awaited { return child.phase == .active ? resign(child) : tellOfUnlinked() }
    tellOfUnlinked()
    finishResigning(node)
  }

  private func tellOfUnlinked() {
    guard let node = unlinked else { return }
    unlinked = nil
    script.record(Line(moment: .detached, node: node.number), to: self)
  }

  private func finishResigning(_ node: Node) {
    node.activity += 1
    node.acceptsWork = false
    if node.needsWillResign {
      node.needsWillResign = false
      record(.willResignActive, node)
    }
    if node.isBound {
      node.isBound = false
      record(.disposed, node)
    }
    node.workers.ended += node.workers.running
    node.workers.running = []
    node.isActive = false
    publishActivity(of: node)
    record(.resigned, node)
    let isKnown = isObserved && node.isInTree
    node.phase = .inactive
    leaveTree(node)
    guard let parent = node.parent else { return }
    let isAwaited = parent.phase == .resigning && parent.awaited === node
    if node.isToBeUnlinked {
      unlink(node, from: parent)
      if isKnown { unlinked = node }
    }
    if isAwaited { resignOn(parent) } else { tellOfUnlinked() }
  }

  private func leaveTree(_ node: Node) {
    guard node.isInTree else { return }
    node.treeHasEnded = node.treeHasEnded || hasEnded
    guard !node.isRoot || hasEnded else { return }
    node.isInTree = false
    guard node.isRoot else { return }
    node.isRoot = false
    if isObserved { script.record(Line(moment: .ended), to: self) }
  }

  // MARK: Failing

  private func canFail(_ node: Node) -> Bool { node.phase == .active && node.isInTree && !hasEnded }

  /// Detaches a node, and then all above it, because none of them answers. The tree ends with the root.
  private func fail(_ node: Node) {
    guard canFail(node) else { return refuse(.failedWhileInactive, at: node) }
    let epoch = node.epoch
    record(.failed, node)
    guard node.epoch == epoch, canFail(node) else { return }
    var node = node
    while let parent = node.parent {
      detach(node, from: parent)
      guard canFail(parent) else { return }
      node = parent
    }
    end()
  }

  private func end() {
    guard !hasEnded, nodes[0].isRoot else { return }
    hasEnded = true
    switch nodes[0].phase {
    case .active: resign(nodes[0])
    case .inactive: leaveTree(nodes[0])
    case .resigning: break
    }
  }
}
