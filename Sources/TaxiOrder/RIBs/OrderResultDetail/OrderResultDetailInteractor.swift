internal import RIBs

protocol OrderResultDetailRouting: Routing {}

protocol OrderResultDetailPresentable: Presentable {
  func show(_ state: TaxiState)
  func show(_ movement: Movement)
  func showDriverCancellation()
}

protocol OrderResultDetailListener: AnyObject {
  func orderResultDetailDidEnd(_ ride: Ride)
  func orderResultDetailDidCancel()
  /// The driver has cancelled.
  func orderResultDetailDidLoseDriver()
  func orderResultDetailDidFail(_ reason: String)
}

/// Polls the taxi from its assignment to the end of the ride, and publishes its state to the children.
///
/// Only this RIB polls. After the vehicle has been located, it waits for the time given by the last answer, so each
/// state is processed completely before the next one.
final class OrderResultDetailInteractor: PresentableInteractor<any OrderResultDetailPresentable>,
  OrderResultDetailInteractable
{
  weak var router: (any OrderResultDetailRouting)?
  weak var listener: (any OrderResultDetailListener)?

  private let dispatchService: any DispatchService
  private let clock: any Clock<Duration>
  private let taxiStateStream: MutableTaxiStateStream
  private var nextPoll: Duration
  private let token: RIBCounter.Token

  init(
    presenter: any OrderResultDetailPresentable, dispatchService: any DispatchService, clock: any Clock<Duration>,
    taxiStateStream: MutableTaxiStateStream, firstPoll: Duration, ribCounter: RIBCounter
  ) {
    self.dispatchService = dispatchService
    self.clock = clock
    self.taxiStateStream = taxiStateStream
    nextPoll = firstPoll
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override func didFail(_ error: any Error, of work: BoundWork) { listener?.orderResultDetailDidFail("\(error)") }

  func vehicleDynamicsDidLocate(_ movement: Movement?) {
    if let movement { presenter.show(movement) }
    poll()
  }

  func vehicleDynamicsDidFail(_ reason: String) { listener?.orderResultDetailDidFail(reason) }

  func cancelOrderDidCancel() { listener?.orderResultDetailDidCancel() }
  func cancelOrderDidFail(_ reason: String) { listener?.orderResultDetailDidFail(reason) }

  /// Polls the status when it is due.
  private func poll() {
    run({ [dispatchService, clock, nextPoll, nodeID] in
      try await clock.sleep(for: nextPoll)
      return try await dispatchService.status(sender: nodeID)
    }) { status in
      self.receive(status)
    }
  }

  private func receive(_ status: TaxiStatus) {
    switch status {
    case .taxi(let state, let nextPoll): receive(state, nextPoll: nextPoll)
    case .driverCancelled:
      presenter.showDriverCancellation()
      listener?.orderResultDetailDidLoseDriver()
    }
  }

  private func receive(_ state: TaxiState, nextPoll: Duration?) {
    presenter.show(state)
    if let nextPoll { self.nextPoll = nextPoll }
    taxiStateStream.accept(state)
    if case .ended(let ride) = state { listener?.orderResultDetailDidEnd(ride) }
  }
}
