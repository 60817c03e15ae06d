// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol CancelOrderRouting: Routing {}

protocol CancelOrderPresentable: Presentable {
  func showWish()
  func showRefusal()
  func showCancellation()
}

protocol CancelOrderListener: AnyObject {
  func cancelOrderDidCancel()
}

/// Cancels the order when the rider cancels, unless the ride has begun.
final class CancelOrderInteractor: PresentableInteractor<any CancelOrderPresentable>, CancelOrderInteractable,
  Saving
{
  struct SavedState: Codable, Sendable {
    enum Step: Codable, Sendable {
      case waiting(until: OrderTime)
      /// The cancellation with this key is about to be requested, or was.
      case cancelling(key: RequestKey)
      case refused
    }

    /// Nil if the rider never cancels, and until this is active.
    var step: Step?
  }

  var savedState = SavedState() { didSet { setNeedsSave() } }

  weak var listener: (any CancelOrderListener)?

  private let dispatchService: any DispatchService
  private let clock: any OrderClock
  private let remoteRider: RemoteRider?
  private let isCancellable: Observable<Bool>
  private let cancelsAfter: Duration?
  private var isPossible = false
  private let token: RIBCounter.Token

  init(
    presenter: any CancelOrderPresentable, dispatchService: any DispatchService, clock: any OrderClock,
    remoteRider: RemoteRider?,
    isCancellable: Observable<Bool>, cancelsAfter: Duration?, ribCounter: RIBCounter
  ) {
    self.dispatchService = dispatchService
    self.clock = clock
    self.remoteRider = remoteRider
    self.isCancellable = isCancellable
    self.cancelsAfter = cancelsAfter
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override var treeSummary: String? { isPossible ? "possible" : "too late" }

  override func didBecomeActive() {
    super.didBecomeActive()
    isCancellable
      .subscribe(onNext: { isCancellable in self.isPossible = isCancellable })
      .disposeOnDeactivate(interactor: self)
    remoteRider?.cancellations
      .subscribe(onNext: { self.receiveCancellation() })
      .disposeOnDeactivate(interactor: self)
    switch savedState.step {
    case nil: if let cancelsAfter { wait(until: clock.time + cancelsAfter) }
    case .waiting(let end): wait(until: end)
    case .cancelling(let key): cancel(key)
    case .refused: break
    }
  }

  override func didFail(_ error: any Error, of work: BoundWork) { fail(error) }

  private func wait(until end: OrderTime) {
    savedState.step = .waiting(until: end)
    run({ [clock] in try await clock.sleep(until: end) }) { _ in
      self.requestCancellation()
    }
  }

  private func receiveCancellation() {
    // A request under way is not repeated.
    if case .cancelling = savedState.step { return }
    requestCancellation()
  }

  private func requestCancellation() {
    presenter.showWish()
    if isPossible { cancel(.random()) } else { refuse() }
  }

  /// The ride may have begun since the last poll, so the backend decides.
  private func cancel(_ key: RequestKey) {
    savedState.step = .cancelling(key: key)
    task {
      try await self.checkpoint()
      guard try await self.dispatchService.cancel(key: key, sender: self.nodeID) else { return self.refuse() }
      self.presenter.showCancellation()
      self.listener?.cancelOrderDidCancel()
    }
  }

  private func refuse() {
    savedState.step = .refused
    presenter.showRefusal()
  }
}
