// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol VehicleDynamicsRouting: Routing {}

protocol VehicleDynamicsListener: AnyObject {
  /// - Parameter movement: the movement since the last position; nil for the first position.
  func vehicleDynamicsDidLocate(_ movement: Movement?)
}

/// Locates the vehicle whenever the taxi's state changes, and computes its movement. It has no view.
///
/// The first position is that of the assignment, or the current one after a restart in a tree that is not saved.
final class VehicleDynamicsInteractor: Interactor, VehicleDynamicsInteractable, Saving {
  struct SavedState: Codable, Sendable {
    var lastPosition: Position?
    /// How far the vehicle has moved, in meters.
    var distance = 0
    /// Whether the vehicle was located in the current state of the taxi.
    var isLocated = false
  }

  var savedState = SavedState() { didSet { setNeedsSave() } }

  weak var listener: (any VehicleDynamicsListener)?

  private let vehicleService: any VehicleService
  private let taxiStateStream: any TaxiStateStream
  private let token: RIBCounter.Token

  init(vehicleService: any VehicleService, taxiStateStream: any TaxiStateStream, ribCounter: RIBCounter) {
    self.vehicleService = vehicleService
    self.taxiStateStream = taxiStateStream
    token = RIBCounter.Token(of: ribCounter)
    super.init()
  }

  override var treeSummary: String? { "\(savedState.distance) m so far" }

  override func didBecomeActive() {
    super.didBecomeActive()
    taxiStateStream.state
      .skip(savedState.isLocated ? 1 : 0)
      .subscribe(onNext: { state in self.follow(state) })
      .disposeOnDeactivate(interactor: self)
  }

  override func didFail(_ error: any Error, of work: BoundWork) { fail(error) }

  private func follow(_ state: TaxiState) {
    switch state {
    case .assigned(let assignment):
      savedState.lastPosition = assignment.position
      savedState.isLocated = true
      listener?.vehicleDynamicsDidLocate(nil)
    case .approaching, .arrived, .riding: locate()
    case .ended: break
    }
  }

  private func locate() {
    savedState.isLocated = false
    run({ [vehicleService, nodeID] in try await vehicleService.position(sender: nodeID) }) { position in
      let movement = self.savedState.lastPosition.map { Movement(from: $0, to: position) }
      self.savedState.lastPosition = position
      self.savedState.distance += movement?.distance ?? 0
      self.savedState.isLocated = true
      self.listener?.vehicleDynamicsDidLocate(movement)
    }
  }
}
