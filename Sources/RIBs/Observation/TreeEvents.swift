// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The part of a tree that passes its events to the inspector, the handler and the subscribers, in this order.
@usableFromInline
final class TreeEvents: TreePart {
  private let onEvent: (@Sendable (TreeEvent) -> Void)?
  private let inspector: (any TreeObserver)?
  private let watchdog: TurnWatchdog?
  private let subject = Subject<TreeEvent>()
  /// The launched tree, until it and its work have ended.
  private unowned var tree: TreeCore?
  /// The kinds of events that the configuration's handler is called with.
  private let kindsForHandler: TreeMoments
  /// The inspector's handle, until the tree ends.
  private var handle: TreeHandle?
  /// Replaced as a whole: an access that calls nothing needs no check at run time, and each event reads this.
  private var observations: [Observation] = []
  /// What the events carry for the inspector, while it observes the tree.
  private var notes: EventNotesPart?
  /// The path of the RIB of the last event, and its ID.
  private var lastPath = TreePath()
  private var lastID: UInt64 = 0
  /// The events of RIBs that are being unlinked. They are created while the RIB has its place.
  @exclusivity(unchecked) private var unlinking: [(child: ObjectIdentifier, event: TreeEvent)] = []

  private final class Observation {
    let observer: TreeHandle.Observer
    var hasEnded = false

    init(_ observer: @escaping TreeHandle.Observer) { self.observer = observer }
  }

  init(
    _ onEvent: (@Sendable (TreeEvent) -> Void)?, _ kindsForHandler: TreeMoments, _ inspector: (any TreeObserver)?,
    _ watchdog: TurnWatchdog?
  ) {
    self.onEvent = onEvent
    self.kindsForHandler = kindsForHandler
    self.inspector = inspector
    self.watchdog = watchdog
    super.init([])
  }

  /// The events of all kinds.
  var all: Observable<TreeEvent> { Observable(source: subscribe) }

  private func subscribe(_ observer: AnyObserver<TreeEvent>) -> any Disposable {
    let subscription = subject.add(observer, first: nil)
    update()
    return subscription
  }

  /// Begins to follow the launched tree.
  func follow(_ tree: TreeCore) {
    self.tree = tree
    update()
  }

  /// Ends the events, after those that the subscribers have yet to receive. Also called for a tree that was never launched,
  /// when it is released.
  func complete() {
    tree = nil
    subject.complete()
  }

  private func update() {
    var moments = subject.hasSubscribers || !observations.isEmpty ? TreeMoments.events : kindsForHandler
    if !moments.isEmpty { moments.insert(.exactTimes) }
    if moments.contains(.detached) { moments.insert(.unlinked) }
    setMoments(moments, in: tree)
  }

  // MARK: Called by the tree

  override func node(_ moment: TreeMoments, _ node: RouterNode, in tree: TreeCore) {
    switch moment {
    case .attached: pass(event(.attached, at: node, tree.now(), in: tree), in: tree)
    case .activated: pass(event(.activated, at: node, node.activeSince, in: tree), in: tree)
    case .loaded: pass(event(.loaded, at: node, tree.now(), in: tree), in: tree)
    case .resigned: pass(event(.resigned, at: node, tree.now(), since: node.activeSince, in: tree), in: tree)
    case .detached:
      let event = event(.detached, at: node, tree.now(), since: node.activeSince, in: tree)
      unlinking.append((ObjectIdentifier(node), event))
    case .unlinked:
      // What is notified of an event may detach others.
      if unlinking.last?.child == ObjectIdentifier(node), let (_, event) = unlinking.popLast() { pass(event, in: tree) }
    default: break
    }
  }

  /// Creates the event of a RIB. A RIB keeps its path as long as its ID, and most events are of the same RIB as the last.
  private func event(
    _ kind: TreeEvent.Kind, at node: RouterNode, _ time: Duration, since start: Duration? = nil, in tree: TreeCore
  ) -> TreeEvent {
    if node.id == 0 || lastID != node.id {
      lastID = node.id
      lastPath = node.path.inTree(tree.identity)
    }
    return TreeEvent(
      kind: kind, node: node.nodeID, parent: node.parentID, path: lastPath, time: time,
      duration: start.map { time - $0 })
  }

  override func receive(_ event: TreeEvent, in tree: TreeCore) {
    var event = event
    if let identity = tree.identity { event.setTree(identity) }
    pass(event, in: tree)
  }

  override func treeDidEnd(_ tree: TreeCore) {
    if let handle = handle.take() { inspector?.treeDidEnd(handle) }
  }

  override func treeDidComplete() { complete() }

  // MARK: Delivery

  /// Passes an event on. The inspector and the handler receive nested events immediately. The subscribers receive them
  /// after the current event, so that all of them see the same order.
  private func pass(_ event: consuming TreeEvent, in tree: TreeCore) {
    if observations.isEmpty { deliver(event) } else { inspect(event, in: tree) }
    // The last subscriber may have left since the last event.
    if kindsForHandler != .events, !subject.hasSubscribers, observations.isEmpty, moments.isSuperset(of: .events) {
      update()
    }
  }

  /// Passes an event with its notes to the observers, and then on. Apart, because an event that is changed is copied.
  @inline(never)
  private func inspect(_ event: consuming TreeEvent, in tree: TreeCore) {
    if let notes { event.attachment = notes.notes.attachment(of: event, in: tree) }
    report(event, in: tree)
    deliver(event)
  }

  private func deliver(_ event: TreeEvent) {
    guard kindsForHandler.contains(TreeMoments(event.kind)), let onEvent else { return subject.send(event) }
    guard subject.hasSubscribers else { return onEvent(event) }
    subject.holding {
      subject.send(event)
      onEvent(event)
    }
  }

  // MARK: The inspector

  /// Notifies the inspector, if there is one, before the root becomes active.
  func notifyInspectorOfLaunch(of tree: TreeCore) {
    guard let inspector, let root = tree.rootNode, let actor = tree.actor else { return }
    let handle = TreeHandle(tree, root: root.namingType, on: actor, watchdog)
    self.handle = handle
    if let observer = inspector.treeWillLaunch(handle) { observe(observer, in: tree) }
  }

  func observe(_ observer: @escaping TreeHandle.Observer, in tree: TreeCore) {
    observations = observations + [Observation(observer)]
    if notes == nil, let notes = handle?.makeNotes(for: tree).map(EventNotesPart.init) {
      self.notes = notes
      tree.add(notes, before: self)
    }
    update()
  }

  /// Passes an event to the observers, until they return false. What an observer releases may emit more events.
  private func report(_ event: TreeEvent, in tree: TreeCore) {
    var hasEnded = false
    for observation in observations where !observation.hasEnded && !observation.observer(event) {
      observation.hasEnded = true
      hasEnded = true
    }
    guard hasEnded else { return }
    observations = observations.filter { !$0.hasEnded }
    guard observations.isEmpty else { return }
    if let notes { tree.remove(notes) }
    notes = nil
    update()
  }
}

/// What an inspector reads of a tree.
extension TreeCore {
  /// The part that passes the events of this tree on.
  var events: TreeEvents? { part() }

  /// The events of all kinds.
  var allEvents: Observable<TreeEvent> { events?.all ?? .empty() }

  /// Takes a snapshot of the tree; nil once it has ended.
  ///
  /// - Parameters:
  ///   - time: the present time, since the launch.
  ///   - withSummaries: whether the snapshot has the summaries of the RIBs.
  package func snapshot(at time: Duration, withSummaries: Bool = true) -> TreeSnapshot? {
    rootNode.map { TreeSnapshot(of: $0, at: time, identity, withSummaries: withSummaries) }
  }
}
