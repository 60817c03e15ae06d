import RIBs

/// The world as the design describes it: arrays, recursion, and nothing that is fast.
final class ModelWorld: World {
  let script: Script
  private let nodes: [Node]
  private let isObserved: Bool
  private var hasEnded = false
  private var lastLink = 0
  /// A node that was unlinked in a walk, which has yet to be reported.
  private var unlinked: Node?

  final class Node {
    enum Phase { case inactive, active, resigning }

    let number: Int
    var parent: Node?
    var children: [Node] = []
    /// Counts all links ever made: children stand in this order.
    var link = 0
    /// For a node that activates its children: the next child. It is determined when the one before is activated, so a
    /// child attached while the last one is activated is not next: it is activated by its attachment.
    var next: Node?
    /// Of a node that resigns: the link of the child that it waits for.
    var position = 0
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
  }

  init(_ shape: Shape, count: Int, isObserved: Bool, script: Script) {
    self.script = script
    self.isObserved = isObserved
    nodes = (0..<count).map(Node.init)
    for (index, parent) in shape.parents.enumerated() { link(nodes[index + 1], to: nodes[parent]) }
    script.isRecording = true
  }

  deinit {
    for node in nodes {
      node.parent = nil
      node.next = nil
    }
  }

  var picture: [Picture] {
    nodes.map { Picture(isActive: $0.isActive, children: $0.children.map(\.number)) }
  }

  func launch(on stage: isolated Stage) {
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
    }
  }

  // MARK: Telling

  /// Calls user code. Events are reported only for nodes in an observed tree.
  private func record(_ moment: Moment, _ node: Node) {
    switch moment {
    case .attached, .activated, .loaded, .resigned, .detached, .failed: guard isObserved, node.isInTree else { return }
    default: break
    }
    script.record(Line(moment: moment, node: node.number), to: self)
  }

  private func refuse(_ kind: Misuse.Kind, at node: Node) {
    if isObserved, node.isInTree { script.record(Line(moment: .misuseEvent, misuse: kind), to: self) }
    script.record(Line(moment: .misuse, misuse: kind), to: self)
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

  private func link(_ child: Node, to parent: Node) {
    lastLink += 1
    child.link = lastLink
    child.hasID = false
    child.parent = parent
    parent.children.append(child)
  }

  private func unlink(_ child: Node, from parent: Node) {
    if parent.next === child { parent.next = self.child(of: parent, after: child) }
    parent.children.removeAll { $0 === child }
    child.parent = nil
    child.isToBeUnlinked = false
    child.treeHasEnded = false
    child.hasID = false
  }

  private func child(of parent: Node, after child: Node) -> Node? {
    parent.children.first { $0.link > child.link }
  }

  private func attach(_ child: Node, to parent: Node) {
    if child.parent != nil { return refuse(.alreadyAttached, at: parent) }
    if child === parent { return refuse(.cycle, at: parent) }
    if child.phase != .inactive || child.isRoot { return refuse(.alreadyActive, at: parent) }
    var above = parent.parent
    while let node = above {
      if node === child { return refuse(.cycle, at: parent) }
      above = node.parent
    }
    if parent.treeHasEnded || parent.isInTree && hasEnded { return refuse(.treeEnded, at: parent) }
    link(child, to: parent)
    guard parent.phase == .active else { return }
    let epoch = parent.epoch
    if isObserved, parent.isInTree {
      assignID(to: child)
      script.record(Line(moment: .attached, node: child.number), to: self)
    }
    if parent.epoch == epoch, child.parent === parent, child.phase == .inactive { activate(child) }
  }

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
    node.isActive = true
    record(.activated, node)
    guard node.epoch == epoch else { return false }
    announce(node)
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

  private func detach(_ child: Node, from parent: Node) {
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
    node.position = .max
    resignOn(node)
  }

  /// Lets the children resign that have not, the last first; then the node itself, and then the parent's next child if
  /// the parent waits for this one.
  private func resignOn(_ node: Node) {
    while let child = node.children.last(where: { $0.link < node.position }) {
      node.position = child.link
      switch child.phase {
      case .inactive: continue
      case .active: return resign(child)
      case .resigning: return tellOfUnlinked()
      }
    }
    tellOfUnlinked()
    finishResigning(node)
  }

  private func tellOfUnlinked() {
    guard let node = unlinked else { return }
    unlinked = nil
    script.record(Line(moment: .detached, node: node.number), to: self)
  }

  private func finishResigning(_ node: Node) {
    if node.needsWillResign {
      node.needsWillResign = false
      record(.willResignActive, node)
    }
    if node.isBound {
      node.isBound = false
      record(.disposed, node)
    }
    node.isActive = false
    announce(node)
    record(.resigned, node)
    let isKnown = isObserved && node.isInTree
    node.phase = .inactive
    leaveTree(node)
    guard let parent = node.parent else { return }
    let isAwaited = parent.phase == .resigning && parent.position == node.link
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
