/// What follows whether an interactor is active: its stream, and the workers that were started on it. Few interactors have
/// any of it, so it takes a single reference of theirs.
final class ActivationObservers {
  // The accesses to these are not checked at run time: a worker that is taken out is held by whoever does that.

  @exclusivity(unchecked) var stream: Subject<Bool>?
  /// In the order in which they were started.
  @exclusivity(unchecked) private var started: [Worker] = []
  /// In the order in which they began to run.
  @exclusivity(unchecked) private(set) var running: [Worker] = []
  /// Of an activation that has ended, those that have yet to stop.
  @exclusivity(unchecked) private var ended: [Worker] = []

  /// The workers that are started and do not run.
  var waiting: [Worker] { started.filter { !$0.isRunning } }

  func add(_ worker: Worker) { started.append(worker) }

  func remove(_ worker: Worker) {
    started.removeAll { $0 === worker }
    running.removeAll { $0 === worker }
    ended.removeAll { $0 === worker }
  }

  /// Lets a worker run, unless it does, or was stopped meanwhile.
  func begin(_ worker: Worker) {
    guard !worker.isRunning, started.contains(where: { $0 === worker }) else { return }
    running.append(worker)
    worker.begin()
  }

  /// The activation ends: what runs is to stop.
  func end() {
    ended += running
    running = []
  }

  /// Stops those that are to stop, the last that began first. One of them may make the interactor active again, which
  /// stops the rest before anything begins.
  func haltEnded() {
    while let worker = ended.popLast() { worker.halt() }
  }

  /// The interactor is gone.
  func stopAll() {
    while let worker = started.popLast() { worker.stop() }
  }
}
