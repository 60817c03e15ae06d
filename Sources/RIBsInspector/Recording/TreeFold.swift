// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// Follows a tree by its events: gives the snapshot after each of them.
///
/// ```swift
/// func follow(_ client: InspectorClient, _ tree: InspectedTree.ID) async throws {
///   let events = try await client.events(of: tree)
///   var fold = TreeFold(try await client.keyframe(of: tree))
///   for try await event in events {
///     guard let event = event.event, fold.apply(event) else { break }
///     print(fold.snapshot().text())
///   }
/// }
/// ```
///
/// The snapshot after an event is the tree at the moment the event was emitted, before any observer received it. After
/// `resigned`, the RIB is still resigning; it is inactive after the next event. After `detached`, it has left the tree.
/// Differences from a snapshot of the live tree: RIBs that were never active in the tree have no ID and are not shown;
/// subscriptions and summaries are those of the keyframe; restarts are those of the keyframe or the last `restarted`,
/// even when they lie further back than the period. `wallTime` is nil: a RIB says when its sleeping work
/// wakes, but not how long that is. Recordings of programs that did not record that time have none.
///
/// It holds one entry for each RIB. An event takes time linear in the number of its changes.
public struct TreeFold: Sendable {
  /// A RIB, linked by IDs. Zero is no RIB.
  struct RIB {
    let kind: SnapshotKind
    let parent: UInt64
    var first: UInt64 = 0
    var last: UInt64 = 0
    var previous: UInt64 = 0
    var next: UInt64 = 0
    var state = TreeSnapshot.State.inactive
    var since: Int64 = 0

    var names: RIBNames {
      RIBNames(
        name: kind.names.rib, router: kind.names.router, interactor: kind.names.interactor, hasView: kind.hasView)
    }
  }

  /// The properties that few RIBs have, stored separately.
  struct Details {
    var tasks: [Work] = []
    var workers: [Running] = []
    var subscriptions = 0
    var label: String?
    var summary: String?
    var restarts: Restarts.Count?

    /// The work of the interactor, and then that of its workers.
    var allTasks: [Work] { workers.isEmpty ? tasks : tasks + workers.flatMap(\.tasks) }
  }

  struct Work {
    let id: UInt64
    let name: String
    /// The wall time until which it sleeps, in microseconds since 1970.
    var end: Int64?
  }

  struct Running {
    let type: String
    var tasks: [Work] = []
  }

  /// The number of the last event.
  public private(set) var number: Int
  /// The time of the last event or of the keyframe, since the launch of the tree.
  public private(set) var time: Duration
  /// Whether the tree has ended.
  public private(set) var hasEnded = false
  private var ribs: [UInt64: RIB] = [:]
  private var details: [UInt64: Details] = [:]
  private var root: UInt64 = 0
  /// The RIBs of the running work.
  private var places: [UInt64: UInt64] = [:]
  /// The kinds of the RIBs, which they share.
  private var kinds: [RIBNames: SnapshotKind] = [:]
  private var lastKind: (names: RIBNames, kind: SnapshotKind)?
  /// The number of changes of the next event that were applied before.
  private var applied: Int
  let name: String?
  let labels: [String: String]

  /// Begins with a keyframe.
  public init(_ keyframe: InspectedKeyframe) {
    number = keyframe.number
    time = keyframe.time
    applied = keyframe.changes
    name = keyframe.snapshot.name
    labels = keyframe.snapshot.labels
    let work = Dictionary(keyframe.work.map { ($0.node, $0) }) { first, _ in first }
    defer { for (id, end) in keyframe.sleeps { note(id, sleepsUntil: end.microsecondsSince1970) } }
    let nodes = keyframe.snapshot.nodes
    // The IDs of the RIBs that are shown, by their indexes.
    var ids: [UInt64] = []
    ids.reserveCapacity(nodes.count)
    ribs.reserveCapacity(nodes.count)
    for (index, node) in nodes.enumerated() {
      let parent = node.parent.map { $0 < index ? ids[$0] : 0 }
      let isShown = node.id.map { ribs[$0.rawValue] == nil } == true && (parent == nil ? root == 0 : parent != 0)
      ids.append(isShown ? node.id?.rawValue ?? 0 : 0)
      guard isShown, let id = node.id?.rawValue, id != 0 else { continue }
      var rib = RIB(kind: node.kind, parent: parent ?? 0)
      rib.state = node.state
      if let age = node.age { rib.since = (keyframe.time - age).wholeNanoseconds }
      ribs[id] = rib
      if node.subscriptions != 0 || node.label != nil || node.summary != nil || node.restarts != nil {
        details[id] = Details(
          subscriptions: node.subscriptions, label: node.label, summary: node.summary, restarts: node.restarts)
      }
      insert(id, under: parent ?? 0, at: .last)
      if let work = work[index] { add(work, of: node, to: id) }
    }
  }

  /// Begins with a tree that is about to be launched.
  package init(name: String? = nil, labels: [String: String] = [:]) {
    self.name = name
    self.labels = labels
    number = 0
    time = .zero
    applied = 0
  }

  /// Begins at a time, without RIBs.
  ///
  /// - Parameter count: the number of RIBs that follow.
  mutating func begin(at time: Duration, number: Int, count: Int) {
    ribs.reserveCapacity(min(count, 1_000_000))
    self.time = time
    self.number = number
  }

  /// Sets what events don't follow.
  mutating func note(_ id: UInt64, subscriptions: Int? = nil, label: String? = nil, summary: String? = nil) {
    guard ribs[id] != nil else { return }
    if let label { details[id, default: Details()].label = label }
    if let subscriptions { details[id, default: Details()].subscriptions = subscriptions }
    if let summary { details[id, default: Details()].summary = summary }
  }

  /// The number of changes of the next event that were applied before. The caller leaves them out.
  mutating func takeApplied() -> Int {
    defer { applied = 0 }
    return applied
  }

  /// Whether the tree has no RIBs that are shown.
  var isEmpty: Bool { root == 0 }

  /// The number of RIBs.
  public var count: Int { ribs.count }

  private mutating func add(_ work: TreeKeyframe.Work, of node: TreeSnapshot.Node, to id: UInt64) {
    var names = node.tasks[...]
    func next(_ ids: [UInt64]) -> [Work] { ids.compactMap { id in names.popFirst().map { Work(id: id, name: $0) } } }
    let tasks = next(work.tasks)
    let workers = zip(node.workers, work.workers).map { Running(type: $0, tasks: next($1)) }
    details[id, default: Details()].tasks = tasks
    details[id, default: Details()].workers = workers
    for task in tasks + workers.flatMap(\.tasks) { places[task.id] = id }
  }

  // MARK: Events

  /// Applies the next event of the tree. Events up to the keyframe are ignored.
  ///
  /// - Returns: false if events before this one are missing. The snapshots may be wrong from then on: begin again with
  ///   a keyframe.
  @discardableResult
  public mutating func apply(_ event: InspectedEvent) -> Bool {
    guard event.number > number else { return true }
    let isNext = event.number == number + 1
    apply(event.changes ?? [], time: event.time, isEnd: event.kind == "ended")
    number = event.number
    return isNext
  }

  /// Applies the next event of a tree of this process.
  package mutating func apply(_ event: TreeEvent, _ names: inout NameCache) {
    apply(InspectedEdit.all(of: event, &names) ?? [], time: event.time, isEnd: event.kind == .ended)
  }

  /// - Parameter isEnd: whether the tree has ended with the event.
  mutating func apply(_ changes: [InspectedEdit], time: Duration, isEnd: Bool) {
    number += 1
    self.time = time
    for change in changes.dropFirst(applied) { apply(change) }
    applied = 0
    if isEnd { end() }
  }

  /// Notes that the tree has ended.
  mutating func end() {
    hasEnded = true
    ribs = [:]
    details = [:]
    places = [:]
    root = 0
  }

  mutating func apply(_ change: InspectedEdit) {
    switch change {
    case .inserted(let id, let parent, let place, let names, let label):
      guard id != 0, ribs[id] == nil, parent == 0 ? root == 0 : ribs[parent] != nil else { return }
      ribs[id] = RIB(kind: kind(names), parent: parent)
      if let label { note(id, label: label) }
      insert(id, under: parent, at: place)
    case .moved(let id, let place):
      guard let parent = ribs[id]?.parent, parent != 0 else { return }
      unlink(id)
      insert(id, under: parent, at: place)
    case .removed(let id):
      guard ribs[id] != nil else { return }
      unlink(id)
      remove(id)
    case .activated(let id, let since):
      ribs[id]?.state = .active
      ribs[id]?.since = since
    case .resigning(let id): ribs[id]?.state = .resigning
    case .resigned(let id): ribs[id]?.state = .inactive
    case .workStarted(let work, let id, let worker, let name, let end):
      guard ribs[id] != nil else { return }
      guard places[work] == nil else { return note(work, sleepsUntil: end) }
      places[work] = id
      if worker < 0 {
        details[id, default: Details()].tasks.append(Work(id: work, name: name, end: end))
      } else if worker < details[id]?.workers.count ?? 0 {
        details[id]?.workers[worker].tasks.append(Work(id: work, name: name, end: end))
      }
    case .workEnded(let work):
      guard let id = places.removeValue(forKey: work), let workers = details[id]?.workers.indices else { return }
      details[id]?.tasks.removeAll { $0.id == work }
      for index in workers { details[id]?.workers[index].tasks.removeAll { $0.id == work } }
    case .workerStarted(let id, let type):
      if ribs[id] != nil { details[id, default: Details()].workers.append(Running(type: type)) }
    case .workerStopped(let id, let index):
      guard index >= 0, let workers = details[id]?.workers, index < workers.count else { return }
      for work in workers[index].tasks { places[work.id] = nil }
      details[id]?.workers.remove(at: index)
    case .restarted(let id, let made, let limit):
      if ribs[id] != nil { details[id, default: Details()].restarts = Restarts.Count(made: made, limit: limit) }
    }
  }

  /// Notes when work wakes; nil if it has woken.
  private mutating func note(_ work: UInt64, sleepsUntil end: Int64?) {
    guard let id = places[work], var changed = details[id] else { return }
    for index in changed.tasks.indices where changed.tasks[index].id == work { changed.tasks[index].end = end }
    for worker in changed.workers.indices {
      for index in changed.workers[worker].tasks.indices where changed.workers[worker].tasks[index].id == work {
        changed.workers[worker].tasks[index].end = end
      }
    }
    details[id] = changed
  }

  private mutating func kind(_ names: RIBNames) -> SnapshotKind {
    if let lastKind, lastKind.names == names { return lastKind.kind }
    let kind =
      kinds[names]
      ?? SnapshotKind(name: names.name, router: names.router, interactor: names.interactor, hasView: names.hasView)
    kinds[names] = kind
    lastKind = (names, kind)
    return kind
  }

  // MARK: Links

  private mutating func insert(_ id: UInt64, under parent: UInt64, at place: InspectedEdit.Place) {
    guard parent != 0, let owner = ribs[parent] else {
      root = id
      return
    }
    let previous: UInt64
    switch place {
    case .first: previous = 0
    case .last: previous = owner.last
    // A sibling that is unknown, as in a damaged recording, is taken for the last.
    case .after(let sibling):
      previous = ribs[sibling.rawValue]?.parent == parent && sibling.rawValue != id ? sibling.rawValue : owner.last
    }
    let next = previous == 0 ? owner.first : ribs[previous]?.next ?? 0
    ribs[id]?.previous = previous
    ribs[id]?.next = next
    if previous == 0 { ribs[parent]?.first = id } else { ribs[previous]?.next = id }
    if next == 0 { ribs[parent]?.last = id } else { ribs[next]?.previous = id }
  }

  private mutating func unlink(_ id: UInt64) {
    guard let rib = ribs[id] else { return }
    if id == root { root = 0 }
    if rib.previous == 0 { ribs[rib.parent]?.first = rib.next } else { ribs[rib.previous]?.next = rib.next }
    if rib.next == 0 { ribs[rib.parent]?.last = rib.previous } else { ribs[rib.next]?.previous = rib.previous }
  }

  /// Removes a RIB that is unlinked, and all below it.
  private mutating func remove(_ id: UInt64) {
    var waiting = [id]
    while let id = waiting.popLast() {
      guard let rib = ribs.removeValue(forKey: id) else { continue }
      if let gone = details.removeValue(forKey: id) {
        for task in gone.tasks + gone.workers.flatMap(\.tasks) { places[task.id] = nil }
      }
      var child = rib.first
      while child != 0, let next = ribs[child]?.next {
        waiting.append(child)
        child = next
      }
    }
  }

  // MARK: Snapshots

  /// The tree after the last event; empty before the launch and after the end of the tree.
  ///
  /// - Parameter time: the time for which the ages are given, since the launch of the tree. Defaults to the time of the
  ///   last event.
  /// - Complexity: linear in the number of RIBs.
  public func snapshot(at time: Duration? = nil) -> TreeSnapshot {
    TreeSnapshot(nodes: nodes(at: (time ?? self.time).wholeNanoseconds), name: name, labels: labels)
  }

  private func nodes(at time: Int64) -> [TreeSnapshot.Node] {
    var nodes: [TreeSnapshot.Node] = []
    nodes.reserveCapacity(ribs.count)
    forEach { id, rib, details, parent in
      let tasks = details?.allTasks ?? []
      nodes.append(
        TreeSnapshot.Node(
          kind: rib.kind, id: NodeID(id), parent: parent, state: rib.state,
          age: rib.state == .inactive ? nil : .nanoseconds(time.subtractingReportingOverflow(rib.since).partialValue),
          tasks: tasks.map(\.name),
          workers: details?.workers.map(\.type) ?? [], subscriptions: details?.subscriptions ?? 0,
          label: details?.label, summary: details?.summary, restarts: details?.restarts,
          wakes: tasks.lazy.compactMap(\.end).min().map { WallTime(microsecondsSince1970: $0) }))
    }
    return nodes
  }

  /// Calls a closure for each RIB in pre-order, with the index of its parent.
  func forEach(_ body: (UInt64, RIB, Details?, Int?) -> Void) {
    var parents: [Int] = []
    var index = 0
    var id = root
    while id != 0, let rib = ribs[id] {
      body(id, rib, details.isEmpty ? nil : details[id], parents.last)
      if rib.first != 0 {
        parents.append(index)
        id = rib.first
      } else {
        var finished = rib
        while finished.next == 0, finished.parent != 0, let parent = ribs[finished.parent] {
          parents.removeLast()
          finished = parent
        }
        id = finished.next
      }
      index += 1
    }
  }

  /// A keyframe of the tree after the last event.
  package func keyframe(of tree: InspectedTree.ID) -> InspectedKeyframe {
    var work: [TreeKeyframe.Work] = []
    var sleeps: [UInt64: WallTime] = [:]
    var index = 0
    forEach { _, _, details, _ in
      if let details, !details.tasks.isEmpty || !details.workers.isEmpty {
        work.append(
          TreeKeyframe.Work(
            node: index, tasks: details.tasks.map(\.id), workers: details.workers.map { $0.tasks.map(\.id) }))
        for task in details.allTasks {
          if let end = task.end { sleeps[task.id] = WallTime(microsecondsSince1970: end) }
        }
      }
      index += 1
    }
    return InspectedKeyframe(tree: tree, snapshot: snapshot(), time: time, number: number, work: work, sleeps: sleeps)
  }
}
