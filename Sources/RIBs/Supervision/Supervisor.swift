// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The restarts of one container that restarts its children.
@usableFromInline
final class Supervisor {
  let restarts: Restarts
  /// When the restarts of each place were begun, until they lie further back than the period.
  private var history: [Int: [Duration]] = [:]
  /// The number of places in the history at which those without a recent restart are removed.
  private var sweepAt = 64
  /// The children to be built again, by their places in the container.
  private var pending: [Int: Pending] = [:]
  /// The key of the last pause, with the type that its child is named after: to make the text takes a fifth of the
  /// instructions of a restart.
  private var lastKey: (type: any AnyObject.Type, key: String)?

  /// A child to be built again.
  private struct Pending {
    enum Stage {
      /// The failed child resigns.
      case resigning
      /// The tree was saved during the pause, and is being restored.
      case restored
      /// The child was covered. The pause begins when it is uncovered.
      case postponed
      case pausing(PauseTask)
    }

    var stage: Stage
    /// The key of the pause.
    let key: String
    /// What is saved of the child, from which it is restored.
    let saved: SavedTree
  }

  init?(_ restarts: Restarts) {
    guard restarts.supervises else { return nil }
    self.restarts = restarts
  }

  deinit { for case .pausing(let task) in pending.values.map(\.stage) { task.cancel(.requested) } }

  /// The key of the pause before the restart of a child, as bound work.
  func keyOfPause(of child: RouterNode) -> String {
    let type: any AnyObject.Type = child.namingType
    if let lastKey, lastKey.type == type { return lastKey.key }
    let key = Supervisor.keyOfPause(of: nameOfRIB(type))
    lastKey = (type, key)
    return key
  }

  static func keyOfPause(of name: String) -> String { "restart \(name)" }

  /// Begins a restart, unless the limit is reached.
  ///
  /// - Parameter saved: what is saved of the child.
  func begin(
    at place: Int, _ now: Duration, named key: @autoclosure () -> String, _ saved: @autoclosure () -> SavedTree
  ) -> Bool {
    if history.count >= sweepAt {
      history = history.filter { ($0.value.last ?? .zero) > now - restarts.period }
      sweepAt = max(64, history.count * 2)
    }
    var times = history[place] ?? []
    times.removeAll { $0 <= now - restarts.period }
    defer { history[place] = times }
    guard times.count < restarts.limit else { return false }
    times.append(now)
    pending[place] = Pending(stage: .resigning, key: key(), saved: saved())
    return true
  }

  /// Begins a restart that had begun before the tree was saved.
  func restore(at place: Int, of name: String, _ saved: SavedTree) {
    history[place] = [.zero]
    pending[place] = Pending(stage: .restored, key: Supervisor.keyOfPause(of: name), saved: saved)
  }

  /// Makes a restart wait, because its child was covered.
  func postpone(at place: Int) {
    let stage = pending[place]?.stage
    pending[place]?.stage = .postponed
    if case .pausing(let task)? = stage { task.cancel(.requested) }
  }

  /// Gives up a restart that was postponed.
  func endPostponed(at place: Int) { if case .postponed? = pending[place]?.stage { pending[place] = nil } }

  /// What is saved of a child that is to be built again; nil for others.
  package func saved(at place: Int) -> SavedTree? { pending[place]?.saved }

  /// The places of the children to be built again.
  var places: [Int] { pending.keys.sorted() }

  /// The places whose pauses are to begin.
  var waiting: [Int] {
    places.filter {
      switch pending[$0]?.stage {
      case .restored, .postponed: true
      case .resigning, .pausing, nil: false
      }
    }
  }

  /// The key of the pause of a restart.
  func key(at place: Int) -> String? { pending[place]?.key }

  /// Continues a restart with its pause.
  ///
  /// - Returns: whether the restart continues. False if the route or the model has changed meanwhile.
  func pause(_ task: PauseTask) -> Bool {
    switch pending[task.place]?.stage {
    case .resigning, .restored, .postponed:
      pending[task.place]?.stage = .pausing(task)
      return true
    case .pausing, nil: return false
    }
  }

  /// The pause before a restart, while it lasts.
  func pause(at place: Int) -> PauseTask? { if case .pausing(let task)? = pending[place]?.stage { task } else { nil } }

  /// Whether a child is to be built again.
  @usableFromInline
  func isRestarting(_ place: Int) -> Bool { pending[place] != nil }

  /// The restart is complete, or was cancelled.
  func end(at place: Int) { pending[place] = nil }

  /// Ends a restart whose pause was cancelled.
  ///
  /// - Returns: false if that pause is over.
  func end(_ pause: PauseTask) -> Bool {
    guard case .pausing(let task) = pending[pause.place]?.stage, task === pause else { return false }
    pending[pause.place] = nil
    return true
  }

  /// Ends the pause before a restart, because the route or the model has changed.
  func cancel(at place: Int) {
    guard case .pausing(let task) = pending.removeValue(forKey: place)?.stage else { return }
    // Request a save here: no detach does.
    task.tree?.saver?.request()
    task.cancel(.requested)
  }

  /// Ends all pauses, because another route was set.
  @usableFromInline
  func cancelAll() { for place in places { cancel(at: place) } }

  /// Resets the history, because the child of a new route has its own limit.
  @usableFromInline
  func reset() {
    history = [:]
    cancelAll()
  }

  /// The restarts of the child at a place within the period; nil if there were none.
  func count(at place: Int, _ now: Duration) -> Restarts.Count? {
    let made = history[place]?.count { $0 > now - restarts.period } ?? 0
    return made == 0 ? nil : Restarts.Count(made: made, limit: restarts.limit)
  }

  /// The model at a place was removed, so another child may get the place.
  func forget(_ place: Int) {
    cancel(at: place)
    history[place] = nil
  }
}

/// The pause before a restart, as bound work of the RIB whose child is restarted.
final class PauseTask: OnTreeTask {
  let place: Int
  private let pause: Duration
  /// Weak, because the container belongs to the router.
  private weak var container: ChildContainer?
  /// The child that has failed, while it is alive.
  private(set) weak var failed: RouterNode?

  /// - Parameter failed: nil in a restored tree.
  init(named key: String, _ failed: RouterNode?, at place: Int, in container: ChildContainer, for pause: Duration) {
    self.place = place
    self.pause = pause
    self.container = container
    self.failed = failed
    super.init(origin: TaskOrigin(fileID: #fileID, line: #line, key: key))
  }

  override nonisolated(nonsending) func execute() async {
    guard let tree, begin() else { return }
    tree.starter.willStep(of: origin)
    do {
      try await tree.settings.clock.wait(for: pause)
      finish(throwing: nil) { container?.endPause(self) }
    } catch {
      if !isCancelled { container?.losePause(self) }
      finish(throwing: error)
    }
  }

  override func willCancel(_ reason: TaskState.Cancellation) {
    guard let container else { return }
    // Request a save here: no detach does, unless the owner resigns.
    if reason != .scopeEnded { tree?.saver?.request() }
    container.losePause(self)
  }
}
