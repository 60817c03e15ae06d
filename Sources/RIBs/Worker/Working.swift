/// What interactors know of a worker: that it can be started on a scope, and stopped.
public protocol Working: AnyObject {
  /// Asks for the worker to run whenever the scope is active, from now until `stop()`.
  ///
  /// - Parameter interactorScope: usually the interactor that the worker serves.
  func start(_ interactorScope: any InteractorScope)

  /// Stops the worker, and forgets the scope.
  func stop()

  /// Whether the worker was started and not stopped since; also while its scope is inactive.
  var isStarted: Bool { get }

  /// `isStarted` as a stream: its current value at once, then each change; ends when the worker is released.
  var isStartedStream: Observable<Bool> { get }
}
