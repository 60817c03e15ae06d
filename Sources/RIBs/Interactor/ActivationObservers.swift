/// The stream and the workers that follow whether an interactor is active. A separate object, because few interactors
/// have either.
final class ActivationObservers {
  // Not checked for exclusive access at run time: code that removes a worker retains it.

  @exclusivity(unchecked) var stream: Subject<Bool>?
  /// In the order in which they were started.
  @exclusivity(unchecked) private var started: [Worker] = []
  /// In the order in which they began to run.
  @exclusivity(unchecked) private(set) var running: [Worker] = []
  /// Workers of an activation that has ended, which have yet to stop.
  @exclusivity(unchecked) private var ended: [Worker] = []

  /// The workers that are started but not running.
  var waiting: [Worker] { started.filter { !$0.isRunning } }

  func add(_ worker: Worker) { started.append(worker) }

  func remove(_ worker: Worker) {
    started.removeAll { $0 === worker }
    running.removeAll { $0 === worker }
    ended.removeAll { $0 === worker }
  }

  /// Runs a worker, unless it is running or was stopped meanwhile.
  func begin(_ worker: Worker) {
    guard !worker.isRunning, started.contains(where: { $0 === worker }) else { return }
    running.append(worker)
    worker.begin()
  }

  /// Ends the activation: marks the running workers to be stopped by `haltEnded()`.
  func end() {
    ended += running
    running = []
  }

  /// Stops the marked workers, the last that began first. If one of them makes the interactor active again, the rest
  /// stop before any worker begins.
  func haltEnded() {
    while let worker = ended.popLast() { worker.halt() }
  }

  /// Stops all workers, because the interactor is being released.
  func stopAll() {
    while let worker = started.popLast() { worker.stop() }
  }
}
