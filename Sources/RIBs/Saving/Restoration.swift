// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Restores RIBs from records: a tree at its launch, and parts of it later.
///
/// 1. Before the activation, the topmost RIB takes its record: its state is set, its containers build and link their
///    children, and these take their records in turn. Any error refuses the restore, and no RIB was active.
/// 2. During the activation, a child that other code attaches takes the first record of its name under its parent, just
///    before it becomes active.
/// 3. After the activation, the siblings are put into the saved order, and an event reports the records that no RIB has
///    taken.
///
/// What no RIB has taken is carried along: saved as it is with the RIB that it is below, until a child of its name is
/// attached there. So a child that code attaches on some days only keeps its state.
///
/// A covered child that a stack keeps is inactive after the launch, so its code has not attached its children yet. They are
/// restored in its activation, which is like a launch, as that of a RIB that is restarted.
final class Restoration: TreePart {
  /// What a RIB was restored from.
  private struct Source {
    let records: SavedRecords
    let record: Int
    /// Whether the RIB was active when it was saved.
    let wasActive: Bool
    /// What the RIB itself did not take of its record.
    var rest = Rest()
    /// Whether the records that it is carried along with were reported.
    var isReported = false
  }

  /// What is saved of a RIB and has no place in it: its interactor no longer saves a state, or its router no longer lists a
  /// container.
  struct Rest {
    var state: (value: SavedValue, version: Int)?
    var containers: [SavedTree.Container] = []

    var isEmpty: Bool { state == nil && containers.isEmpty }
  }

  private struct Known {
    weak var router: RouterNode?
    var source: Source
  }

  /// The RIBs of the current launch or activation. Retained, so that their identities are not reused meanwhile.
  private var current: [ObjectIdentifier: (router: RouterNode, source: Source)] = [:]
  /// The restored RIBs that are still inactive, or that records are carried along with.
  private var waiting: [ObjectIdentifier: Known] = [:]
  /// The children of listed containers whose records are missing. They take no record of a child that code attaches.
  private var unrecorded: [ObjectIdentifier: RouterNode] = [:]
  private var phase: RestorePhase
  /// The RIB that is being activated with what was attached below it, after the launch.
  private var activating: RouterNode?
  /// Decodes the values that were read from a document.
  private(set) var coder: (any SavedTree.Coder)?
  private var finishers: [() -> Void] = []
  /// Whether the launched tree differs from the saved one, so that it must be saved.
  private(set) var hasChanges = false
  /// Why the tree was not restored, and has ended.
  private(set) var refusal: SavedTree.RestoreError?
  /// Knows what the RIBs are restored from that their containers restart. Set before the launch.
  weak var saver: TreeSaver? { didSet { for (router, source) in current.values { noteRestartable(router, source) } } }

  /// - Parameter isLaunched: whether a part of a launched tree is restored.
  init(isLaunched: Bool) {
    phase = isLaunched ? .launched : .launching
    super.init([
      .attached, .activationBegins, .activated, .activationEnded, .childrenChanged, .detached, .restoring,
    ])
  }

  // MARK: Called by the tree

  override func node(_ moment: TreeMoments, _ node: RouterNode, in tree: TreeCore) throws(Stop) {
    guard phase != .refused else { throw Stop() }
    do throws(SavedTree.RestoreError) {
      switch moment {
      case .attached: if !tree.hasEnded { try willActivate(node) }
      case .activated: if !tree.hasEnded { try didActivate(node) }
      case .activationBegins: if move(.began) { activating = node }
      case .activationEnded: endActivation(of: node, in: tree)
      default: hasChanges = true
      }
    } catch {
      refuse(error, tree)
      throw Stop()
    }
  }

  /// - Returns: whether the event has changed the phase.
  @discardableResult private func move(_ event: RestorePhase.Event) -> Bool {
    guard let next = phase.after(event) else { return false }
    phase = next
    return true
  }

  /// Whether the tree was launched.
  var isLaunched: Bool { phase.isLaunched }

  /// Ends the tree, because a part of it can't be restored.
  private func refuse(_ error: SavedTree.RestoreError, _ tree: TreeCore) {
    guard !tree.hasEnded else { return }
    if move(.failed) {
      refusal = error
      // No event of a RIB follows.
      setMoments(moments.union([.loaded, .resigned, .unlinked]), in: tree)
    }
    tree.end(.notRestored(error))
  }

  // MARK: Before an activation

  /// Restores the root of a tree, before its launch.
  func restore(_ root: RouterNode, from saved: SavedTree) throws(SavedTree.RestoreError) {
    coder = saved.coder
    let records = SavedRecords(saved)
    hasChanges = records.isEmpty
    guard !records.isEmpty else { return }
    let (name, names) = (records[0].name.text, root.recordNames)
    guard names.match(name) else {
      throw SavedTree.RestoreError(path: name, reason: .otherRoot(saved: name, built: names.name.text))
    }
    try restore(root, Source(records: records, record: 0, wasActive: true))
  }

  /// Restores a child that its container has built anew, before it is attached.
  func restoreRestarted(_ child: RouterNode, from saved: SavedTree) throws(SavedTree.RestoreError) {
    coder = coder ?? saved.coder
    let records = SavedRecords(saved)
    try check(child, 0, in: records[0].place?.container ?? "a container without a name", records)
    try restore(child, Source(records: records, record: 0, wasActive: true))
  }

  /// Restores an inactive router and everything below it that exists by then.
  private func restore(_ router: RouterNode, _ source: Source) throws(SavedTree.RestoreError) {
    let records = source.records
    take(source, for: router)
    var pending = [(router: router, record: source.record, wasActive: source.wasActive)]
    while let (router, record, wasActive) = pending.popLast() {
      let removed = router.recordNames.removed
      if !removed.isEmpty { records.discardChildren(of: record) { removed.contains($0.name.text) } }
      if let details = records[record].details { try restoreState(details, of: router, record, records) }
      let places = records.places(below: record)
      for (content, saved) in contents(of: router, record, records, removed) {
        let routes = RouterNode.SavedChildren.Routes(
          value: saved.routes, coder: coder, wasActive: wasActive, lost: saved.lost,
          record: { places[SavedTree.Place(container: saved.name, index: $0)] },
          takeRestarting: { (number, child) throws(SavedTree.RestoreError) in
            guard records[number].isRestarting, !records.isTaken[number] else { return nil }
            try self.check(child, number, in: saved.name, records)
            records.take(number)
            return records.saved.part(at: number)
          })
        let children: [(index: Int, child: RouterNode)]
        do { children = try content.restore(routes) } catch {
          if let error = error as? SavedTree.RestoreError { throw error }
          throw SavedTree.RestoreError(
            path: records.path(of: record), reason: .unreadableChildren(container: saved.name, error))
        }
        if wasActive { finishers.append(content.didRestore) }
        for (index, child) in children where self.source(of: child) == nil {
          guard let number = places[SavedTree.Place(container: saved.name, index: index)],
            !records.isTaken[number]
          else {
            unrecorded[ObjectIdentifier(child)] = child
            continue
          }
          try check(child, number, in: saved.name, records)
          let wasActive = wasActive && router.isParent(of: child)
          take(Source(records: records, record: number, wasActive: wasActive), for: child)
          pending.append((child, number, wasActive))
        }
      }
      // Children that the builder has attached.
      for child in router.childNodes {
        guard let number = takeRecord(for: child, Source(records: records, record: record, wasActive: wasActive)) else {
          continue
        }
        take(Source(records: records, record: number, wasActive: wasActive), for: child)
        pending.append((child, number, wasActive))
      }
      putInOrder(router)
    }
  }

  /// Refuses a record of another RIB than the one that was built for its place.
  private func check(
    _ child: RouterNode, _ record: Int, in container: String, _ records: SavedRecords
  ) throws(SavedTree.RestoreError) {
    let (saved, names) = (records[record].name.text, child.recordNames)
    guard !names.match(saved) else { return }
    throw SavedTree.RestoreError(
      path: records.path(of: record),
      reason: .otherChild(container: container, saved: saved, built: names.name.text))
  }

  private func take(_ source: Source, for router: RouterNode) {
    source.records.take(source.record)
    current[ObjectIdentifier(router)] = (router, source)
    noteRestartable(router, source)
  }

  private func noteRestartable(_ router: RouterNode, _ source: Source) {
    if router.container?.supervisor != nil { saver?.note(router, source.records.saved, source.record) }
  }

  private func source(of router: RouterNode) -> Source? {
    let id = ObjectIdentifier(router)
    if let known = current[id] { return known.source }
    guard let known = waiting[id], known.router === router else { return nil }
    return known.source
  }

  private func restoreState(
    _ details: SavedTree.Details, of router: RouterNode, _ record: Int, _ records: SavedRecords
  ) throws(SavedTree.RestoreError) {
    guard let state = details.state else { return }
    guard let interactor = router.interactorCore as? any Saving else {
      current[ObjectIdentifier(router)]?.source.rest.state = (state, details.version)
      return
    }
    if let reason = setState(of: interactor, to: state, version: details.version) {
      throw SavedTree.RestoreError(path: records.path(of: record), reason: reason)
    }
  }

  /// - Returns: why the state was refused; nil if it was set.
  private func setState<Interactor: Saving>(
    of interactor: Interactor, to state: SavedValue, version: Int
  ) -> SavedTree.RestoreError.Reason? {
    let known = Interactor.savedVersion
    guard version <= known else { return .laterVersion(saved: version, known: known) }
    do {
      interactor.savedState =
        if version == known {
          try state.decode(Interactor.SavedState.self, by: coder)
        } else {
          try Interactor.migrate(SavedTree.OldState(value: state, coder: coder), from: version)
        }
      return nil
    } catch {
      return version == known ? .unreadableState(error) : .migrationFailed(version: version, error)
    }
  }

  /// The containers of a router that have saved routes. The saved ones that the router does not list are carried along.
  private func contents(
    of router: RouterNode, _ record: Int, _ records: SavedRecords, _ removed: [String]
  ) -> [(RouterNode.SavedChildren, SavedTree.Container)] {
    guard let saved = records[record].details?.containers, !saved.isEmpty else { return [] }
    var found: Set<String> = []
    let contents = router.savedChildren.compactMap { content -> (RouterNode.SavedChildren, SavedTree.Container)? in
      guard found.insert(content.name).inserted, let container = saved.last(where: { $0.name == content.name }) else {
        return nil
      }
      return (content, container)
    }
    for container in saved where found.insert(container.name).inserted {
      if removed.contains(container.name) {
        records.discardChildren(of: record) { $0.place?.container == container.name }
      } else {
        current[ObjectIdentifier(router)]?.source.rest.containers.append(container)
      }
    }
    return contents
  }

  // MARK: During an activation

  /// Restores a child that was attached by code, and is about to become active.
  func willActivate(_ child: RouterNode) throws(SavedTree.RestoreError) {
    guard let parent = child.parentNode, source(of: child) == nil else { return }
    guard let known = source(of: parent), let record = takeRecord(for: child, known) else {
      hasChanges = true
      return
    }
    try restore(child, Source(records: known.records, record: record, wasActive: known.wasActive))
  }

  /// Restores the children that other RIBs have attached to a router while it was inactive.
  func didActivate(_ router: RouterNode) throws(SavedTree.RestoreError) {
    let id = ObjectIdentifier(router)
    if current[id] == nil, let source = source(of: router) { current[id] = (router, source) }
    for child in router.childNodes where child.state.isInactive { try willActivate(child) }
  }

  /// Takes the first record of a child's names that no other child has taken. The names of the children of a list do not tell
  /// them apart.
  private func takeRecord(for child: RouterNode, _ parent: Source) -> Int? {
    guard source(of: child) == nil, unrecorded[ObjectIdentifier(child)] == nil, child.container?.isList != true else {
      return nil
    }
    return parent.records.takeFirst(of: child.recordNames, below: parent.record)
  }

  // MARK: After an activation

  /// Ends the launch, or the activation of a child that was attached after it, and reports what no RIB has taken.
  private func endActivation(of node: RouterNode, in tree: TreeCore) {
    let isLaunch = phase == .launching
    guard isLaunch ? tree.rootNode === node || tree.rootNode == nil : activating === node else { return }
    activating = nil
    move(.ended)
    let untaken = finish()
    if isLaunch, hasChanges { tree.saver?.request() }
    tree.endRestorationIfComplete()
    if isLaunch || !untaken.isEmpty { tree.emitRestored(at: node, untaken) }
  }

  private func finish() -> [String] {
    let ready = finishers
    finishers = []
    for finish in ready { finish() }
    for (router, _) in current.values { putInOrder(router) }
    let finished = current
    current = [:]
    unrecorded = [:]
    var reported: [(record: Int, path: String)] = []
    var inactive: [ObjectIdentifier: Known] = [:]
    var isAwaited = false
    for (id, (router, var source)) in finished {
      waiting[id] = nil
      let untaken = untaken(source)
      let isInactive = router.state.isInactive
      if !source.isReported {
        reported += report(source, isInactive ? untaken.dropped : untaken.dropped + untaken.carried)
        source.isReported = !isInactive
      }
      if isInactive {
        inactive[id] = Known(router: router, source: source)
        if !untaken.carried.isEmpty || !source.rest.isEmpty { isAwaited = true }
      } else if !untaken.carried.isEmpty || !source.rest.isEmpty {
        waiting[id] = Known(router: router, source: source)
      }
    }
    // All of them, because the children of those that wait are saved in the order of the records.
    if isAwaited { waiting.merge(inactive) { $1 } }
    return reported.sorted { ($0.record, $0.path) < ($1.record, $1.path) }.map(\.path)
  }

  /// The records below a RIB that no RIB has taken: those that are carried along, and those of a container that has no
  /// child in their place.
  private func untaken(_ source: Source) -> (carried: [Int], dropped: [Int]) {
    var (carried, dropped): ([Int], [Int]) = ([], [])
    for child in source.records.untaken(below: source.record) {
      let container = source.records[child].place?.container
      if container == nil || source.rest.containers.contains(where: { $0.name == container }) {
        carried.append(child)
      } else {
        dropped.append(child)
      }
    }
    return (carried, dropped)
  }

  private func report(_ source: Source, _ untaken: [Int]) -> [(record: Int, path: String)] {
    let path = { source.records.path(of: $0) }
    var reported = untaken.map { (record: $0, path: path($0)) }
    if source.rest.state != nil { reported.append((source.record, path(source.record))) }
    for container in source.rest.containers {
      reported.append((source.record, "\(path(source.record)) \"\(container.name)\""))
    }
    return reported
  }

  /// Whether there are records that no RIB has taken yet.
  var isWaiting: Bool { !waiting.isEmpty || !current.isEmpty }

  /// Ends the restore of a child that was not activated.
  func endRestart() { if activating == nil { _ = finish() } }

  /// Removes the routers that were released.
  func removeReleased() { waiting = waiting.filter { $0.value.router != nil } }

  // MARK: Saving

  /// What a RIB did not take of its record.
  func rest(of router: RouterNode) -> Rest? { source(of: router)?.rest }

  /// The children of a restored RIB, with the records that no child has taken yet: in the saved order if the RIB is
  /// inactive, and the records last otherwise. Nil if there are no such records.
  func children(of router: RouterNode) -> [SavedTree.Child]? {
    guard let source = source(of: router) else { return nil }
    let carried = untaken(source).carried
    guard !carried.isEmpty else { return nil }
    let isInactive = router.state.isInactive
    let records = carried.map { record in
      (order: isInactive ? record : Int.max, child: SavedTree.Child.record(source.records, record))
    }
    let attached = router.childNodes.map { child in
      (order: isInactive ? self.source(of: child)?.record ?? Int.max : 0, child: SavedTree.Child.node(child))
    }
    return (isInactive ? records + attached : attached + records).sorted { $0.order < $1.order }.map(\.child)
  }

  /// Puts the attached children of a router into the saved order. Others follow.
  private func putInOrder(_ router: RouterNode) {
    guard router.firstChildNode?.nextSibling != nil else { return }
    let children = router.childNodes.map { (child: $0, record: source(of: $0)?.record ?? Int.max) }
    // Those of a list keep the order of its models, which may have changed since.
    var lists: [ObjectIdentifier: FIFO<RouterNode>] = [:]
    for (child, _) in children {
      if let list = child.container, list.isList { lists[ObjectIdentifier(list), default: FIFO()].append(child) }
    }
    let sorted = children.sorted { $0.record < $1.record }.map { child, _ in
      child.container.flatMap { lists[ObjectIdentifier($0)]?.popFirst() } ?? child
    }
    guard !sorted.elementsEqual(children, by: { $0 === $1.child }) else { return }
    for child in sorted { router.move(child, to: .end) }
  }
}
