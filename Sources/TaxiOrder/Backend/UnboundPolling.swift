internal import RIBs

/// The control: a vehicle service whose answers are followed up by tasks that belong to no RIB.
///
/// Such a task holds the service and an id, and no RIB, so nothing is kept alive by it, and nothing ends it either: it
/// goes on asking when the RIB that wanted to know is long gone. `requestsFromInactive` counts what it sends then.
struct UnboundPolling: VehicleService {
  /// Short enough to come up again before the rider has done with the app.
  private static let interval = Duration.seconds(7)

  private let service: any VehicleService
  private let clock: VirtualClock

  init(_ service: any VehicleService, clock: VirtualClock) {
    self.service = service
    self.clock = clock
  }

  func position(sender: NodeID?) async throws -> Position {
    follow(for: sender)
    return try await service.position(sender: sender)
  }

  private func follow(for sender: NodeID?) {
    clock.workDidBegin()
    Task {
      defer { clock.workDidEnd() }
      // Until the order's time is over.
      while true {
        try await clock.sleep(for: UnboundPolling.interval)
        _ = try await service.position(sender: sender)
      }
    }
  }
}
