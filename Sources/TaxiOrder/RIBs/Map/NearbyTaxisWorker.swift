// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// Polls the taxis nearby while it runs.
protocol NearbyTaxisWorking: Working {
  /// When the taxis are polled next; nil while this is stopped.
  var nextPoll: OrderTime? { get set }
}

/// Polls the taxis nearby at fixed intervals.
final class NearbyTaxisWorker: Worker, NearbyTaxisWorking {
  /// Delayed, so that the map appears first.
  private static let firstPoll = Duration.milliseconds(500)
  private static let pollInterval = Duration.seconds(10)

  private let dispatchService: any DispatchService
  private let clock: any OrderClock
  private let nearbyTaxisStream: MutableNearbyTaxisStream
  /// The RIB that the worker runs for.
  private weak var scope: Interactor?
  /// Set before the start if the tree is restored.
  var nextPoll: OrderTime?

  init(dispatchService: any DispatchService, clock: any OrderClock, nearbyTaxisStream: MutableNearbyTaxisStream) {
    self.dispatchService = dispatchService
    self.clock = clock
    self.nearbyTaxisStream = nearbyTaxisStream
  }

  override func didStart(_ interactorScope: any InteractorScope) {
    super.didStart(interactorScope)
    scope = interactorScope as? Interactor
    poll(at: nextPoll ?? clock.time + NearbyTaxisWorker.firstPoll)
  }

  override func didStop() {
    nextPoll = nil
    nearbyTaxisStream.accept([])
    super.didStop()
  }

  /// A failure does not affect the order: the map is empty until the next poll.
  override func didFail(_ error: any Error, of work: BoundWork) { receive([]) }

  private func poll(at time: OrderTime) {
    nextPoll = time
    scope?.setNeedsSave()
    run({ [dispatchService, clock, nodeID = scope?.nodeID] in
      try await clock.sleep(until: time)
      return try await dispatchService.nearbyTaxis(sender: nodeID)
    }) { taxis in
      self.receive(taxis)
    }
  }

  private func receive(_ taxis: [NearbyTaxi]) {
    nearbyTaxisStream.accept(taxis)
    poll(at: clock.time + NearbyTaxisWorker.pollInterval)
  }
}
