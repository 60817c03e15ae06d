internal import RIBs

protocol VehicleDynamicsRouting: Routing {}

protocol VehicleDynamicsListener: AnyObject {
  /// - Parameter movement: the movement since the last position; nil for the initial position.
  func vehicleDynamicsDidLocate(_ movement: Movement?)
  func vehicleDynamicsDidFail(_ reason: String)
}

/// Locates the vehicle whenever the taxi's state changes, and computes its movement. It has no view.
///
/// The initial position is that of the assignment.
final class VehicleDynamicsInteractor: Interactor, VehicleDynamicsInteractable {
  weak var listener: (any VehicleDynamicsListener)?

  private let vehicleService: any VehicleService
  private let taxiStateStream: any TaxiStateStream
  private var lastPosition: Position?
  private var distance = 0
  private let token: RIBCounter.Token

  init(vehicleService: any VehicleService, taxiStateStream: any TaxiStateStream, ribCounter: RIBCounter) {
    self.vehicleService = vehicleService
    self.taxiStateStream = taxiStateStream
    token = RIBCounter.Token(of: ribCounter)
    super.init()
  }

  override var treeSummary: String? { "\(distance) m so far" }

  override func didBecomeActive() {
    super.didBecomeActive()
    taxiStateStream.state
      .subscribe(onNext: { state in self.follow(state) })
      .disposeOnDeactivate(interactor: self)
  }

  override func didFail(_ error: any Error, of work: BoundWork) { listener?.vehicleDynamicsDidFail("\(error)") }

  private func follow(_ state: TaxiState) {
    switch state {
    case .assigned(let assignment):
      lastPosition = assignment.position
      listener?.vehicleDynamicsDidLocate(nil)
    case .approaching, .arrived, .riding: locate()
    case .ended: break
    }
  }

  private func locate() {
    run({ [vehicleService, nodeID] in try await vehicleService.position(sender: nodeID) }) { position in
      let movement = self.lastPosition.map { Movement(from: $0, to: position) }
      self.lastPosition = position
      self.distance += movement?.distance ?? 0
      self.listener?.vehicleDynamicsDidLocate(movement)
    }
  }
}
