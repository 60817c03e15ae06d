internal import RIBs

/// Asks for the taxis nearby again and again, while it runs.
final class NearbyTaxisWorker: Worker {
  /// Lets the map come up first.
  private static let firstPoll = Duration.milliseconds(500)
  private static let pollInterval = Duration.seconds(10)

  private let dispatchService: any DispatchService
  private let clock: any Clock<Duration>
  private let nearbyTaxisStream: MutableNearbyTaxisStream
  /// The RIB that it works for.
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

  /// An order gets on without the taxis nearby: they are not on the map until the next poll.
  override func didFail(_ error: any Error) {
    nearbyTaxisStream.accept([])
    poll(after: NearbyTaxisWorker.pollInterval)
  }

  private func poll() {
    run({ [dispatchService, nodeID = scope?.nodeID] in try await dispatchService.nearbyTaxis(sender: nodeID) }) {
      taxis in
      self.nearbyTaxisStream.accept(taxis)
      self.poll(after: NearbyTaxisWorker.pollInterval)
    }
  }

  private func poll(after pause: Duration) {
    task {
      try await self.clock.sleep(for: pause)
      self.poll()
    }
  }
}
