// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The events of work, workers, failures and misuse.
extension TreeCore {
  /// Emits an event of bound work.
  func emit(_ kind: TreeEvent.Kind, of work: BoundWork, startedIn place: BoundTask.Place, _ detail: TreeEvent.Detail?) {
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

  /// Emits an event of a workflow step, at the RIB that the step works on.
  func emit(
    _ kind: TreeEvent.Kind, of task: BoundTask, step: TaskOrigin, since start: Duration?, _ failure: (any Error)?
  ) {
    guard isObserved(kind) else { return }
    let time = now()
    let node = task.node
    emit(
      TreeEvent(
        kind: kind, node: node?.nodeID, parent: node?.parentID, path: task.path, time: time,
        duration: start.map { time - $0 }, work: BoundWork(id: task.work.id, origin: step),
        detail: failure.map { .failure($0) }))
  }

  /// Emits an event of a RIB that fails or restarts.
  func emit(_ kind: TreeEvent.Kind, at router: RouterNode, _ work: BoundWork?, _ detail: TreeEvent.Detail) {
    emit(
      TreeEvent(
        kind: kind, node: router.nodeID, parent: router.parentID, path: router.path, time: now(), work: work,
        detail: detail))
  }

  /// Emits an event of a worker.
  func emit(_ kind: TreeEvent.Kind, of worker: Worker, at place: BoundTask.Place) {
    guard isObserved(kind) else { return }
    let time = now()
    emit(
      TreeEvent(
        kind: kind, node: place.node, parent: place.parent, path: place.path, time: time,
        duration: place.time.map { time - $0 }, detail: .worker(type(of: worker))))
  }

  func report(_ problem: Misuse.Problem, path: TreePath, node: RouterNode?) {
    let misuse = Misuse(problem, path: path.inTree(identity))
    // An observer of the event may release the tree, and with it the last reference to this.
    let handler = settings.onMisuse ?? MisuseHandling.handler
    if isObserved(.misuse) {
      emit(
        TreeEvent(
          kind: .misuse, node: node?.nodeID, parent: node?.parentID, path: path, time: now(), detail: .misuse(misuse)))
    }
    handler(misuse)
  }
}
