// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// A test double for a worker. Subclass it and conform to the worker's protocol, if it has one.
open class WorkingDouble: RecordingDouble, Working {
  private let started = BehaviorRelay(value: false)

  /// Whether it is started.
  public final var isStarted: Bool { started.value }

  /// `isStarted` as a stream: the current value first, then each change. Ends when the double is released.
  public final var isStartedStream: Observable<Bool> { started.asObservable() }

  /// The scope it was last started on, until it stops.
  public private(set) final weak var scope: (any InteractorScope)?

  /// Starts. Recorded in `calls`.
  public final func start(_ interactorScope: any InteractorScope) {
    record(interactorScope)
    scope = interactorScope
    if !isStarted { started.accept(true) }
  }

  /// Stops. Recorded in `calls`.
  public final func stop() {
    record()
    scope = nil
    if isStarted { started.accept(false) }
  }
}
