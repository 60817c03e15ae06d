internal import RIBs

/// Polls the taxis nearby while it runs.
final class NearbyTaxisWorker: Worker {
  /// Delayed, so that the map appears first.
  private static let firstPoll = Duration.milliseconds(500)
  private static let pollInterval = Duration.seconds(10)

  private let dispatchService: any DispatchService
  private let clock: any Clock<Duration>
  private let nearbyTaxisStream: MutableNearbyTaxisStream
  /// The RIB that the worker runs for.
  private weak var scope: Interactor?

  init(dispatchService: any DispatchService, clock: any Clock<Duration>, nearbyTaxisStream: MutableNearbyTaxisStream) {
    self.dispatchService = dispatchService
    self.clock = clock
    self.nearbyTaxisStream = nearbyTaxisStream
  }

  override func didStart(_ interactorScope: any InteractorScope) {
    super.didStart(interactorScope)
    scope = interactorScope as? Interactor
    poll(after: NearbyTaxisWorker.firstPoll)
  }

  override func didStop() {
    nearbyTaxisStream.accept([])
    super.didStop()
  }

  /// A failure does not affect the order: the map is empty until the next poll.
  override func didFail(_ error: any Error, of work: BoundWork) { receive([]) }

  private func poll(after pause: Duration) {
    run({ [dispatchService, clock, nodeID = scope?.nodeID] in
      try await clock.sleep(for: pause)
      return try await dispatchService.nearbyTaxis(sender: nodeID)
    }) { taxis in
      self.receive(taxis)
    }
  }

  private func receive(_ taxis: [NearbyTaxi]) {
    nearbyTaxisStream.accept(taxis)
    poll(after: NearbyTaxisWorker.pollInterval)
  }
}
