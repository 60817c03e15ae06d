public import RIBs

/// Stands in for a worker. Subclass it and conform to the worker's protocol, if it has one of its own.
open class WorkingDouble: RecordingDouble, Working {
  private let started = BehaviorRelay(value: false)

  /// Whether it was started, and not stopped since.
  public final var isStarted: Bool { started.value }

  /// `isStarted` as a stream: its current value at once, then each change; ends when this is released.
  public final var isStartedStream: Observable<Bool> { started.asObservable() }

  /// The scope it was started on.
  public private(set) final weak var scope: (any InteractorScope)?

  /// Says that it is started. Among the calls.
  public final func start(_ interactorScope: any InteractorScope) {
    record(interactorScope)
    scope = interactorScope
    if !isStarted { started.accept(true) }
  }

  /// Says that it is stopped. Among the calls.
  public final func stop() {
    record()
    scope = nil
    if isStarted { started.accept(false) }
  }
}
