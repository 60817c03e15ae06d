/// The restore of a tree: from before its launch, until all of its RIBs have become active.
///
/// 1. Before the launch, the root takes its record: its state is set, its containers build and link their children,
///    and these take their records in turn. Any error refuses the restore, and no RIB was active.
/// 2. During the launch, a child that other code attaches takes the first record of its name under its parent, just
///    before it becomes active.
/// 3. After the launch, the siblings are put into the saved order, and an event reports the records that no RIB has
///    taken.
final class Restoration {
  private let records: [SavedTree.Record]
  private let coder: any StateCoder
  /// The first record below each, and the next one with the same parent; negative for none.
  private var firstChild: [Int32]
  private var nextSibling: [Int32]
  private var isTaken: [Bool]
  /// The restored routers with their records. Retained, so that the identities are not reused during the launch.
  private var routers: [ObjectIdentifier: (router: RouterNode, record: Int)] = [:]
  /// The records of children that were attached by code, by name, for each parent that was asked for one.
  private var waiting: [Int: [String: FIFO<Int>]] = [:]
  /// The RIBs that no longer save the state that they have saved.
  private var discardedStates: [Int] = []
  private var finishers: [() -> Void] = []
  /// Why the restore has failed during the launch.
  private(set) var failure: RestoreError?

  init(_ saved: SavedTree, coder: any StateCoder) {
    records = saved.records
    self.coder = coder
    isTaken = Array(repeating: false, count: records.count)
    firstChild = Array(repeating: -1, count: records.count)
    nextSibling = firstChild
    for index in records.indices.reversed() where records[index].parent >= 0 {
      let parent = Int(records[index].parent)
      nextSibling[index] = firstChild[parent]
      firstChild[parent] = Int32(index)
    }
  }

  // MARK: Before the launch

  func restore(_ root: RouterNode) throws(RestoreError) {
    guard let saved = records.first?.name.text else { return }
    guard saved == root.ribName else {
      throw RestoreError(path: saved, reason: .otherRoot(saved: saved, built: root.ribName))
    }
    try restore(root, from: 0)
  }

  /// Restores an inactive router and everything below it that exists by then.
  private func restore(_ router: RouterNode, from record: Int) throws(RestoreError) {
    take(record, for: router)
    var pending = [(router: router, record: record, wasActive: true)]
    while let (router, record, wasActive) = pending.popLast() {
      if let details = records[record].details { try restoreState(details, of: router, from: record) }
      let places = places(below: record)
      for (content, saved) in contents(of: router, from: record) {
        let routes = SavedChildren.Routes(
          value: saved.routes, coder: coder, wasActive: wasActive,
          hadChild: { places[SavedTree.Place(container: saved.name, index: $0)] != nil })
        let children: [(index: Int, child: RouterNode)]
        do { children = try content.restore(routes) } catch {
          throw RestoreError(path: path(of: record), reason: .unreadableChildren(container: saved.name, error))
        }
        finishers.append(content.didRestore)
        for (index, child) in children {
          guard let record = places[SavedTree.Place(container: saved.name, index: index)], !isTaken[record],
            records[record].name.text == child.ribName, routers[ObjectIdentifier(child)] == nil
          else { continue }
          take(record, for: child)
          pending.append((child, record, wasActive && router.isParent(of: child)))
        }
      }
      // Children that the builder has attached.
      var next = router.firstChild
      while let child = next?.takeUnretainedValue() {
        if let record = takeRecord(for: child, below: record) { pending.append((child, record, wasActive)) }
        next = child.nextSibling
      }
      putInOrder(router)
    }
  }

  private func take(_ record: Int, for router: RouterNode) {
    isTaken[record] = true
    routers[ObjectIdentifier(router)] = (router, record)
  }

  private func restoreState(
    _ details: SavedTree.Details, of router: RouterNode, from record: Int
  ) throws(RestoreError) {
    guard let state = details.state else { return }
    guard let interactor = router.interactorCore?.takeUnretainedValue() as? any Saving else {
      return discardedStates.append(record)
    }
    if let reason = setState(of: interactor, to: state, version: details.version) {
      throw RestoreError(path: path(of: record), reason: reason)
    }
  }

  /// - Returns: why the state was refused; nil if it was set.
  private func setState<Interactor: Saving>(
    of interactor: Interactor, to state: SavedValue, version: Int
  ) -> RestoreError.Reason? {
    let known = Interactor.savedVersion
    guard version <= known else { return .laterVersion(saved: version, known: known) }
    do {
      interactor.savedState =
        if version == known {
          try state.decode(Interactor.SavedState.self, by: coder)
        } else {
          try Interactor.migrate(OldState(value: state, coder: coder), from: version)
        }
      return nil
    } catch {
      return version == known ? .unreadableState(error) : .migrationFailed(version: version, error)
    }
  }

  /// The containers of a router that have saved routes.
  private func contents(of router: RouterNode, from record: Int) -> [(SavedChildren, SavedTree.Container)] {
    guard let saved = records[record].details?.containers, !saved.isEmpty else { return [] }
    var found: Set<String> = []
    return router.savedChildren.compactMap { content in
      guard found.insert(content.name).inserted, let container = saved.last(where: { $0.name == content.name }) else {
        return nil
      }
      return (content, container)
    }
  }

  /// The records of the children of containers.
  private func places(below record: Int) -> [SavedTree.Place: Int] {
    var places: [SavedTree.Place: Int] = [:]
    forEachRecord(below: record) { child in
      if let place = records[child].place, places[place] == nil { places[place] = child }
    }
    return places
  }

  private func forEachRecord(below record: Int, _ body: (Int) -> Void) {
    var next = firstChild[record]
    while next >= 0 {
      body(Int(next))
      next = nextSibling[Int(next)]
    }
  }

  // MARK: During the launch

  /// Restores a child that was attached by code, and is about to become active.
  func willActivate(_ child: RouterNode) throws(RestoreError) {
    guard failure == nil, let parent = child.parentNode, let known = routers[ObjectIdentifier(parent)] else { return }
    guard let record = takeRecord(for: child, below: known.record) else { return }
    do { try restore(child, from: record) } catch {
      failure = error
      throw error
    }
  }

  /// Restores the children that other RIBs have attached to a router while it was inactive.
  func didActivate(_ router: RouterNode) throws(RestoreError) {
    var next = router.firstChild
    while let child = next?.takeUnretainedValue() {
      if child.state.isInactive { try willActivate(child) }
      next = child.nextSibling
    }
  }

  /// The first record of a child's name that no other child has taken.
  private func takeRecord(for child: RouterNode, below parent: Int) -> Int? {
    guard firstChild[parent] >= 0, routers[ObjectIdentifier(child)] == nil else { return nil }
    if waiting[parent] == nil {
      var names: [String: FIFO<Int>] = [:]
      forEachRecord(below: parent) { record in
        if records[record].place == nil { names[records[record].name.text, default: FIFO()].append(record) }
      }
      waiting[parent] = names
    }
    guard let record = waiting[parent]?[child.ribName]?.popFirst() else { return nil }
    take(record, for: child)
    return record
  }

  // MARK: After the launch

  /// Ends the restore.
  ///
  /// - Returns: the paths of saved RIBs and states that nothing was restored from.
  func finish() -> [String] {
    for finish in finishers { finish() }
    for (router, _) in routers.values { putInOrder(router) }
    let lost = records.indices.filter { !isTaken[$0] && (records[$0].parent < 0 || isTaken[Int(records[$0].parent)]) }
    return (lost + discardedStates).sorted().map(path(of:))
  }

  /// Puts the attached children of a router into the saved order. Others follow.
  private func putInOrder(_ router: RouterNode) {
    guard let first = router.firstChildNode, first.nextSibling != nil else { return }
    var children: [(child: RouterNode, record: Int)] = []
    var isSorted = true
    var next: RouterNode? = first
    while let child = next {
      let record = routers[ObjectIdentifier(child)]?.record ?? Int.max
      if let last = children.last, last.record > record { isSorted = false }
      children.append((child, record))
      next = child.nextSiblingNode
    }
    guard !isSorted else { return }
    let order = children.indices.sorted { (children[$0].record, $0) < (children[$1].record, $1) }
    for index in order { router.move(children[index].child, to: .end) }
  }

  /// The names from the root to a record; the last ones, if there are many.
  private func path(of record: Int) -> String {
    var names: [String] = []
    var next = record
    while next >= 0, names.count < TreePath.limit {
      names.append(records[next].name.text)
      next = Int(records[next].parent)
    }
    return (next >= 0 ? "…/" : "") + names.reversed().joined(separator: "/")
  }
}
