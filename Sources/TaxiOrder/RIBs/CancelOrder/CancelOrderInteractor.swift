internal import RIBs

protocol CancelOrderRouting: Routing {}

protocol CancelOrderPresentable: Presentable {
  func showWish()
  func showRefusal()
  func showCancellation()
}

protocol CancelOrderListener: AnyObject {
  func cancelOrderDidCancel()
  func cancelOrderDidFail(_ reason: String)
}

/// Cancels the order when the rider cancels, unless the ride has begun.
final class CancelOrderInteractor: PresentableInteractor<any CancelOrderPresentable>, CancelOrderInteractable {
  weak var listener: (any CancelOrderListener)?

  private let dispatchService: any DispatchService
  private let clock: any Clock<Duration>
  private let isCancellable: Observable<Bool>
  private let cancelsAfter: Duration?
  private var isPossible = false
  private let token: RIBCounter.Token

  init(
    presenter: any CancelOrderPresentable, dispatchService: any DispatchService, clock: any Clock<Duration>,
    isCancellable: Observable<Bool>, cancelsAfter: Duration?, ribCounter: RIBCounter
  ) {
    self.dispatchService = dispatchService
    self.clock = clock
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
    guard let cancelsAfter else { return }
    run({ [clock] in try await clock.sleep(for: cancelsAfter) }) { _ in
      self.cancel()
    }
  }

  override func didFail(_ error: any Error, of work: BoundWork) { listener?.cancelOrderDidFail("\(error)") }

  private func cancel() {
    presenter.showWish()
    guard isPossible else { return presenter.showRefusal() }
    // The ride may have begun since the last poll, so the backend decides.
    run({ [dispatchService, nodeID] in try await dispatchService.cancel(sender: nodeID) }) { isCancelled in
      guard isCancelled else { return self.presenter.showRefusal() }
      self.presenter.showCancellation()
      self.listener?.cancelOrderDidCancel()
    }
  }
}
