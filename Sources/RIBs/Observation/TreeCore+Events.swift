// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The events of work, workers, failures and misuse.
extension TreeCore {
  /// Emits an event of bound work, or of a worker.
  ///
  /// - Parameter place: where and when it was started; without a time for the event of the start of a worker.
  func emit(
    _ kind: TreeEvent.Kind, of work: BoundWork?, startedIn place: BoundTask.Place, _ detail: TreeEvent.Detail?
  ) {
    guard isObserved(kind) else { return }
    let isStart = kind == .taskStarted
    let time = isStart ? place.time ?? now() : now()
    emit(
      TreeEvent(
        kind: kind, node: place.node, parent: place.parent, path: place.path, time: time,
        duration: isStart ? nil : place.time.map { time - $0 }, work: work, detail: detail))
  }

  /// The event of the start of bound work, as observers receive it.
  func startEvent(of work: BoundWork, in place: BoundTask.Place) -> TreeEvent {
    TreeEvent(
      kind: .taskStarted, node: place.node, parent: place.parent, path: place.path.inTree(identity),
      time: place.time ?? now(), work: work)
  }

  /// Emits an event of bound work, at the RIB that it works on now.
  ///
  /// - Parameter work: the work, or a step of it.
  func emit(
    _ kind: TreeEvent.Kind, of task: BoundTask, _ work: BoundWork, since start: Duration? = nil,
    _ detail: TreeEvent.Detail?
  ) {
    guard isObserved(kind) else { return }
    emit(TreeEvent(kind, at: task.node, path: task.path, time: now(), since: start, work: work, detail: detail))
  }

  /// Emits an event of a RIB.
  func emit(
    _ kind: TreeEvent.Kind, at router: RouterNode, of work: BoundWork? = nil,
    _ detail: @autoclosure () -> TreeEvent.Detail
  ) {
    if isObserved(kind) { emit(TreeEvent(kind, at: router, time: now(), work: work, detail: detail())) }
  }

  func report(_ problem: Misuse.Problem, path: TreePath, node: RouterNode?) {
    let misuse = Misuse(problem: problem, path: path.inTree(identity))
    // An observer of the event may release the tree, and with it the last reference to this.
    let handler = settings.onMisuse ?? MisuseHandling.handler
    if isObserved(.misuse) { emit(TreeEvent(.misuse, at: node, path: path, time: now(), detail: .misuse(misuse))) }
    handler(misuse)
  }
}
