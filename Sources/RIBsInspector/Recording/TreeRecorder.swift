// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBs

/// Records the events of an inspector's trees, on its own queue.
///
/// Trees never wait for it: their events are stored in a queue of limited size, and lost when it is full. A tree that has
/// lost events continues with a keyframe of the live tree.
final class TreeRecorder: Sendable {
  /// A tree that has not ended.
  private struct Recorded {
    let tree: TreeHandle
    let launched: Double
    /// Whether the writer knows the tree, or is about to.
    var isKnown: Bool
    /// The number of lost events; nil if none was lost since the last keyframe.
    var lost: Int?
    /// Whether a keyframe was requested.
    var isAsked = false
    /// When a keyframe with summaries was requested last.
    var lastSummaries: ContinuousClock.Instant?
  }

  fileprivate enum Item {
    case launch(InspectedTree.ID, name: String, launched: Double, labels: [String: String], identity: String?)
    case event(InspectedTree.ID, TreeEvent)
    case keyframe(InspectedTree.ID, TreeKeyframe, lost: Int, name: String, launched: Double)
    case end(InspectedTree.ID, lost: Int)
    /// Lost events of a tree; nil for those of trees that the writer has never known.
    case loss(InspectedTree.ID?, Int)
  }

  private struct State {
    var items: [Item] = []
    var trees: [InspectedTree.ID: Recorded] = [:]
    /// The number of lost events of trees that have ended and that the writer has never known.
    var lostOfUnknown = 0
    /// The trees that have lost events.
    var broken: Set<InspectedTree.ID> = []
    /// The trees with events since the last batch, if summaries are recorded.
    var changed: Set<InspectedTree.ID> = []
    var isScheduled = false
    /// Whether the queue is about to request summaries of trees that have changed.
    var awaitsSummaries = false
    var isClosed = false

    /// Removes the items, with the losses of trees that have none.
    mutating func takeItems() -> [Item] {
      defer { (items, lostOfUnknown) = ([], 0) }
      return lostOfUnknown > 0 ? items + [.loss(nil, lostOfUnknown)] : items
    }
  }

  /// The state that is confined to the queue.
  fileprivate struct Work: Sendable {
    var writer: RecordingWriter
    var names = NameCache()
    var paths: [TreePath: [String]] = [:]
    var kinds: [TreeEvent.Kind: String] = [:]
  }

  /// How long events are collected before they are written.
  private static let delay = DispatchTimeInterval.milliseconds(20)
  /// The number of keyframes requested at a time.
  private static let keyframesAtATime = 64

  private let state = Locked(State())
  private let work: Locked<Work?>
  private let queue = DispatchQueue(label: "ribs.recorder")
  private let capacity: Int
  private let summaries: Recording.Summaries?

  convenience init(_ recording: Recording) throws(InspectorError) {
    try self.init(recording, writingTo: RecordingFile(recording.path))
  }

  init(_ recording: Recording, writingTo output: any RecordingOutput) throws(InspectorError) {
    let process = ProcessInfo.processInfo
    let writer = try RecordingWriter(
      output, segmentSize: recording.segmentSize, limit: recording.limit,
      process: (process.processIdentifier, process.processName))
    work = Locked(Work(writer: writer))
    capacity = recording.capacity
    summaries = recording.summaries
  }

  /// Whether recording has stopped.
  var hasStopped: Bool { state.withLock { $0.isClosed } }

  // MARK: On the trees' actors

  /// Adds a tree that is about to be launched.
  ///
  /// - Returns: the observer of its events.
  func add(_ tree: TreeHandle, _ id: InspectedTree.ID) -> TreeHandle.Observer {
    tree.attachEdits()
    let launched = Date().timeIntervalSince1970
    let (name, labels, identity) = (tree.name, tree.labels, tree.treeName)
    schedule { state in
      guard !state.isClosed else { return }
      let hasRoom = state.items.count < capacity
      state.trees[id] = Recorded(tree: tree, launched: launched, isKnown: hasRoom, lost: hasRoom ? nil : 0)
      if hasRoom {
        state.items.append(.launch(id, name: name, launched: launched, labels: labels, identity: identity))
      } else {
        state.broken.insert(id)
      }
    }
    return { [self] event in record(event, of: id) }
  }

  /// - Returns: whether further events are recorded.
  private func record(_ event: TreeEvent, of id: InspectedTree.ID) -> Bool {
    schedule { state in
      guard !state.isClosed, let tree = state.trees[id] else { return false }
      if let lost = tree.lost {
        state.trees[id]?.lost = lost + 1
      } else if state.items.count < capacity {
        state.items.append(.event(id, event))
        if state.items.count == capacity / 2 { queue.async { [self] in writeAll() } }
        if summaries != nil { state.changed.insert(id) }
      } else {
        state.trees[id]?.lost = 1
        state.broken.insert(id)
      }
      return true
    }
  }

  /// Removes a tree that has ended.
  func remove(_ id: InspectedTree.ID) {
    schedule { state in
      guard let tree = state.trees.removeValue(forKey: id), !state.isClosed else { return }
      state.broken.remove(id)
      // An item for each tree that had room, so that their number is bounded too.
      if tree.isKnown {
        state.items.append(.end(id, lost: tree.lost ?? 0))
      } else {
        state.lostOfUnknown += tree.lost ?? 0
      }
    }
  }

  /// Changes the state, and makes the queue write soon.
  private func schedule<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
    let (result, isFirst) = state.withLock { state in
      let result = change(&state)
      defer { state.isScheduled = state.isScheduled || !state.isClosed }
      return (result, !state.isScheduled && !state.isClosed)
    }
    if isFirst { queue.asyncAfter(deadline: .now() + TreeRecorder.delay) { [self] in writeAll() } }
    return result
  }

  // MARK: On the queue

  /// Writes the queued items. Requests keyframes of the trees that have lost events or whose summaries are due.
  private func writeAll() {
    let (items, asked, isEarly) = state.withLock { state -> ([Item], [(InspectedTree.ID, Recorded)], Bool) in
      state.isScheduled = false
      var asked: [(InspectedTree.ID, Recorded)] = []
      for id in state.broken where asked.count < TreeRecorder.keyframesAtATime {
        guard let tree = state.trees[id], !tree.isAsked else { continue }
        state.trees[id]?.isAsked = true
        asked.append((id, tree))
      }
      for id in state.changed {
        guard let tree = state.trees[id] else {
          state.changed.remove(id)
          continue
        }
        guard tree.lost == nil, !tree.isAsked else { continue }
        if let last = tree.lastSummaries, .now - last < .seconds(1) { continue }
        state.changed.remove(id)
        state.trees[id]?.isAsked = true
        state.trees[id]?.lastSummaries = .now
        asked.append((id, tree))
      }
      // Some have to wait, and may have no further event.
      let isEarly = !state.changed.isEmpty && !state.awaitsSummaries
      if isEarly { state.awaitsSummaries = true }
      return (state.takeItems(), asked, isEarly)
    }
    if isEarly {
      queue.asyncAfter(deadline: .now() + 1) { [weak self] in
        self?.state.withLock { $0.awaitsSummaries = false }
        self?.writeAll()
      }
    }
    write(items)
    for (id, tree) in asked {
      Task.detached { [self] in
        await tree.tree.keyframe(withSummaries: summaries != nil) { [self] keyframe in add(keyframe, of: id) }
      }
    }
  }

  /// Continues a tree with a keyframe, on the tree's actor.
  private func add(_ keyframe: TreeKeyframe?, of id: InspectedTree.ID) {
    schedule { state in
      guard var tree = state.trees[id], !state.isClosed else { return }
      tree.isAsked = false
      // Without room it is requested again.
      if let keyframe, state.items.count < capacity {
        state.items.append(
          .keyframe(id, keyframe, lost: tree.lost ?? 0, name: tree.tree.name, launched: tree.launched))
        tree.isKnown = true
        tree.lost = nil
        state.broken.remove(id)
      }
      state.trees[id] = tree
    }
  }

  private func write(_ items: [Item]) {
    let problem = work.withLock { work -> InspectorError? in
      guard var current = work.take() else { return nil }
      do throws(InspectorError) {
        for item in items { try current.write(item, summaries) }
        try current.writer.flush()
        work = current
        return nil
      } catch {
        return error
      }
    }
    guard let problem else { return }
    close()
    writeToStandardError("RIBs: \(problem) The trees continue without a recording.\n")
  }

  private func close() {
    let removed = state.withLock { state in
      defer { state = State(isClosed: true) }
      return (state.items, state.trees)
    }
    withExtendedLifetime(removed) {}
  }

  /// Writes the queued items, and ends the recording.
  ///
  /// - Parameter waits: whether to wait until everything is written.
  func stop(waits: Bool) {
    let finish = { @Sendable [self] in
      let items = state.withLock { state in
        defer { state = State(isClosed: true) }
        let losses = state.trees.sorted { $0.key < $1.key }.compactMap { id, tree in
          tree.lost.flatMap { $0 > 0 ? Item.loss(id, $0) : nil }
        }
        return state.takeItems() + losses
      }
      write(items)
      work.withLock { work in
        var last = work.take()
        // The file is complete without the last line, too.
        try? last?.writer.finish()
      }
    }
    if waits { queue.sync(execute: finish) } else { queue.async(execute: finish) }
  }
}

extension TreeRecorder.Work {
  fileprivate mutating func write(
    _ item: TreeRecorder.Item, _ summaries: Recording.Summaries?
  ) throws(InspectorError) {
    switch item {
    case .launch(let id, let name, let launched, let labels, let identity):
      writer.launch(id, name: name, launched: launched, TreeFold(name: identity, labels: labels))
    case .event(let id, let event):
      if paths.count == EventEncoder.keptPaths { paths = [:] }
      let path = paths[event.path] ?? event.path.components
      paths[event.path] = path
      let kind = kinds[event.kind] ?? event.kind.description
      kinds[event.kind] = kind
      try writer.append(
        InspectedEvent(event, tree: id, number: 0, path: path, kind: kind, InspectedEdit.all(of: event, &names)))
    case .keyframe(let id, let keyframe, let lost, let name, let launched):
      if lost > 0 { try writer.appendLoss(lost, of: id) }
      let number = writer.number(of: id) + lost
      try writer.append(
        InspectedKeyframe(keyframe, of: id, after: number).withSummaries(summaries), name: name, launched: launched)
    case .loss(let id, let count): try writer.appendLoss(count, of: id)
    case .end(let id, let lost):
      if lost > 0 { try writer.appendLoss(lost, of: id) }
      try writer.end(id)
    }
  }
}
