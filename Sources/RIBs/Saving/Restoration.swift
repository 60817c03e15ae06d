/// Restores a tree: from before its launch until all restored RIBs have become active.
///
/// 1. Before the launch, the root takes its record: its state is set, its containers build and link their children,
///    and these take their records in turn. Any error refuses the restore, and no RIB was active.
/// 2. During the launch, a child that other code attaches takes the first record of its name under its parent, just
///    before it becomes active.
/// 3. After the launch, the siblings are put into the saved order, and an event reports the records that no RIB has
///    taken.
///
/// A covered child that a stack keeps is inactive after the launch, so its code has not attached its children yet. Their
/// records wait for its activation, which is like a launch. Until then they are saved as they are.
final class Restoration {
  private let records: [SavedTree.Record]
  private let coder: any SavedTree.Coder
  /// Links between records: the first child, and the next sibling; -1 for none.
  private var firstChild: [Int32]
  private var nextSibling: [Int32]
  private var isTaken: [Bool]
  /// The restored routers with their records. Retained, so that the identities are not reused during the launch.
  private var routers: [ObjectIdentifier: (router: RouterNode, record: Int)] = [:]
  /// The children of listed containers whose records are missing. They take no record of a child that code attaches.
  private var unrecorded: [ObjectIdentifier: RouterNode] = [:]
  /// After the launch: the restored routers that are still inactive, with their records.
  private var inactive: [ObjectIdentifier: Inactive] = [:]
  /// Whether the launch has ended.
  private(set) var isLaunched = false
  private var isActivating = false
  /// The routers of `inactive` that have become active in the current activation.
  private var activated: [RouterNode] = []
  /// By parent and RIB name: the records that children attached by code have yet to take.
  private var waiting: [Int: [String: FIFO<Int>]] = [:]
  /// The records with a state whose interactor no longer conforms to `Saving`.
  private var discardedStates: [Int] = []
  private var finishers: [() -> Void] = []
  /// Whether the launched tree differs from the saved one, so that it must be saved.
  private(set) var hasChanges: Bool
  /// Why the restore has failed during the launch.
  private(set) var failure: RestoreError?

  private struct Inactive {
    weak var router: RouterNode?
    let record: Int
  }

  init(_ saved: SavedTree, coder: any SavedTree.Coder) {
    records = saved.records
    hasChanges = records.isEmpty
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
    var pending = [(router: router, record: record, wasActive: !isLaunched)]
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
        if wasActive { finishers.append(content.didRestore) }
        for (index, child) in children {
          guard let record = places[SavedTree.Place(container: saved.name, index: index)], !isTaken[record],
            records[record].name.text == child.ribName, self.record(of: child) == nil
          else {
            if self.record(of: child) == nil { unrecorded[ObjectIdentifier(child)] = child }
            continue
          }
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
    if isLaunched {
      inactive[ObjectIdentifier(router)] = Inactive(router: router, record: record)
    } else {
      routers[ObjectIdentifier(router)] = (router, record)
    }
  }

  private func record(of router: RouterNode) -> Int? {
    let id = ObjectIdentifier(router)
    if !isLaunched { return routers[id]?.record }
    guard let known = inactive[id], known.router === router else { return nil }
    return known.record
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
          try Interactor.migrate(SavedTree.OldState(value: state, coder: coder), from: version)
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
    guard failure == nil, let parent = child.parentNode, record(of: child) == nil else { return }
    guard let known = record(of: parent), let record = takeRecord(for: child, below: known) else {
      hasChanges = true
      return
    }
    do { try restore(child, from: record) } catch {
      failure = error
      throw error
    }
  }

  /// Called when a child was detached, or a list has changed its children.
  func didChange() { hasChanges = true }

  /// Restores the children that other RIBs have attached to a router while it was inactive.
  func didActivate(_ router: RouterNode) throws(RestoreError) {
    if isLaunched, record(of: router) != nil { activated.append(router) }
    var next = router.firstChild
    while let child = next?.takeUnretainedValue() {
      if child.state.isInactive { try willActivate(child) }
      next = child.nextSibling
    }
  }

  /// The first record of a child's name that no other child has taken.
  private func takeRecord(for child: RouterNode, below parent: Int) -> Int? {
    guard firstChild[parent] >= 0, record(of: child) == nil, unrecorded[ObjectIdentifier(child)] == nil else {
      return nil
    }
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

  /// Ends the launch.
  ///
  /// - Returns: the paths of saved RIBs and states that nothing was restored from.
  func finishLaunch() -> [String] {
    for finish in finishers { finish() }
    finishers = []
    for (router, _) in routers.values { putInOrder(router) }
    var isWaiting = Array(repeating: false, count: records.count)
    for (id, (router, record)) in routers where router.state.isInactive {
      inactive[id] = Inactive(router: router, record: record)
      for child in unclaimed(below: record) { isWaiting[child] = true }
    }
    if !isWaiting.contains(true) { inactive = [:] }
    let lost = records.indices.filter { index in
      !isTaken[index] && !isWaiting[index] && (records[index].parent < 0 || isTaken[Int(records[index].parent)])
    }
    defer { discardedStates = [] }
    isLaunched = true
    routers = [:]
    unrecorded = [:]
    return (lost + discardedStates).sorted().map(path(of:))
  }

  /// Whether there are records that wait for the activation of a RIB.
  var isWaiting: Bool { !inactive.isEmpty }

  /// Activates a child that was attached after the launch.
  ///
  /// - Returns: the paths of saved RIBs and states that nothing was restored from.
  func activate(_ child: RouterNode) -> [String] {
    guard !isActivating else {
      child.activate(loading: true)
      return []
    }
    isActivating = true
    child.activate(loading: true)
    isActivating = false
    unrecorded = [:]
    return activated.isEmpty ? [] : finishActivation()
  }

  private func finishActivation() -> [String] {
    var lost = discardedStates
    discardedStates = []
    let routers = activated
    activated = []
    for router in routers {
      if let record = record(of: router) { lost += unclaimed(below: record) }
      putInOrder(router)
    }
    for router in routers { inactive[ObjectIdentifier(router)] = nil }
    return lost.sorted().map(path(of:))
  }

  /// Removes the routers that were released without becoming active.
  func removeReleased() {
    for (id, known) in inactive where known.router == nil { inactive[id] = nil }
  }

  /// The records of the children that the code of an inactive RIB has not attached yet.
  private func unclaimed(below parent: Int) -> [Int] {
    var unclaimed: [Int] = []
    forEachRecord(below: parent) { if !isTaken[$0], records[$0].place == nil { unclaimed.append($0) } }
    return unclaimed
  }

  // MARK: Saving

  /// The children of a restored RIB that is still inactive, in the saved order, including the records of those that its
  /// code has not attached yet; nil if there are no such records.
  func children(of router: RouterNode) -> [SavedTree.Child]? {
    guard router.state.isInactive, let known = record(of: router) else { return nil }
    let waiting = unclaimed(below: known)
    guard !waiting.isEmpty else { return nil }
    var children = waiting.map { (order: $0, child: SavedTree.Child.record($0)) }
    var next = router.firstChildNode
    while let child = next {
      children.append((record(of: child) ?? Int.max, .node(child)))
      next = child.nextSiblingNode
    }
    return children.indices.sorted { (children[$0].order, $0) < (children[$1].order, $1) }.map { children[$0].child }
  }

  /// A record, and the records of its children.
  func savedRecord(_ index: Int) -> (record: SavedTree.Record, children: [Int]) {
    var children: [Int] = []
    forEachRecord(below: index) { children.append($0) }
    return (records[index], children)
  }

  /// Puts the attached children of a router into the saved order. Others follow.
  private func putInOrder(_ router: RouterNode) {
    guard let first = router.firstChildNode, first.nextSibling != nil else { return }
    var children: [(child: RouterNode, record: Int)] = []
    var isSorted = true
    var next: RouterNode? = first
    while let child = next {
      let record = record(of: child) ?? Int.max
      if let last = children.last, last.record > record { isSorted = false }
      children.append((child, record))
      next = child.nextSiblingNode
    }
    guard !isSorted else { return }
    let order = children.indices.sorted { (children[$0].record, $0) < (children[$1].record, $1) }
    for index in order { router.move(children[index].child, to: .end) }
  }

  /// The names from the root to a record, shortened at the root's end if there are many.
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
