// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

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
  OrderResultDetailInteractable, Connectable, Saving
{
  struct SavedState: Codable, Sendable {
    var taxi: TaxiState
    var nextPoll: OrderTime
    /// Whether the vehicle was located, and the next poll is awaited.
    var isPolling: Bool
  }

  var savedState: SavedState {
    get { SavedState(taxi: taxiStateStream.value, nextPoll: nextPoll, isPolling: isPolling) }
    set {
      taxiStateStream.accept(newValue.taxi)
      nextPoll = newValue.nextPoll
      isPolling = newValue.isPolling
    }
  }

  weak var router: (any OrderResultDetailRouting)?
  weak var listener: (any OrderResultDetailListener)?

  private let dispatchService: any DispatchService
  private let clock: any OrderClock
  private let remoteRider: RemoteRider?
  private let taxiStateStream: MutableTaxiStateStream
  private let assignment: Assignment
  private var nextPoll: OrderTime { didSet { setNeedsSave() } }
  private var isPolling = false { didSet { setNeedsSave() } }
  private let token: RIBCounter.Token

  init(
    presenter: any OrderResultDetailPresentable, dispatchService: any DispatchService, clock: any OrderClock,
    remoteRider: RemoteRider?,
    taxiStateStream: MutableTaxiStateStream, assignment: Assignment, ribCounter: RIBCounter
  ) {
    self.dispatchService = dispatchService
    self.clock = clock
    self.remoteRider = remoteRider
    self.taxiStateStream = taxiStateStream
    self.assignment = assignment
    nextPoll = assignment.nextPoll
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    if let remoteRider {
      taxiStateStream.state
        .subscribe(onNext: { [assignment] state in
          remoteRider.status.accept(.underWay(assignment: assignment, taxi: state))
        })
        .disposeOnDeactivate(interactor: self)
    }
    if isPolling { poll() }
  }

  override func didFail(_ error: any Error, of work: BoundWork) { fail(error) }

  /// The vehicle can't be located after all restarts, or the rider can't cancel.
  override func childDidFail(_ failure: ChildFailure) { listener?.orderResultDetailDidFail("\(failure.error)") }

  func vehicleDynamicsDidLocate(_ movement: Movement?) {
    if let movement { presenter.show(movement) }
    poll()
  }

  func cancelOrderDidCancel() { listener?.orderResultDetailDidCancel() }

  /// Polls the status when it is due.
  private func poll() {
    isPolling = true
    run({ [dispatchService, clock, nextPoll, nodeID] in
      try await clock.sleep(until: nextPoll)
      return try await dispatchService.status(sender: nodeID)
    }) { status in
      self.receive(status)
    }
  }

  private func receive(_ status: TaxiStatus) {
    isPolling = false
    switch status {
    case .taxi(let state, let nextPoll): receive(state, nextPoll: nextPoll)
    case .driverCancelled:
      presenter.showDriverCancellation()
      listener?.orderResultDetailDidLoseDriver()
    }
  }

  private func receive(_ state: TaxiState, nextPoll: OrderTime?) {
    presenter.show(state)
    if let nextPoll { self.nextPoll = nextPoll }
    taxiStateStream.accept(state)
    if case .ended(let ride) = state { listener?.orderResultDetailDidEnd(ride) }
  }
}
