// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import TaxiOrder

/// A negative control: a vehicle service that starts a polling task bound to no RIB for each request.
///
/// The task holds the service and an id, but no RIB. It keeps nothing alive, and nothing ends it: it continues to
/// poll after the RIB has resigned. `requestsFromInactive` counts its requests.
struct UnboundPolling: VehicleService {
  /// Short enough to fire before the order ends.
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
      // Until the order's clock stops.
      while true {
        try await clock.sleep(for: UnboundPolling.interval)
        _ = try await service.position(sender: sender)
      }
    }
  }
}
