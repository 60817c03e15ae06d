// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
public import RIBsTesting
import Synchronization
public import TaxiOrder
import Tracing

extension TestClock: @retroactive OrderClock {
  public var time: OrderTime { OrderTime(.zero) }
}

/// What a session needs.
final class TaxiServer: RiderSessionDependency {
  let orderServices: OrderServices
  let orderClock: any OrderClock

  init(_ backend: TaxiBackend, clock: any OrderClock = WallClock()) {
    orderServices = OrderServices(backend)
    orderClock = clock
  }
}

struct Outage: Error, CustomStringConvertible {
  var description: String { "secret of a user" }
}

/// A backend whose taxis need no time. Records the tracing context of each call.
final class TaxiBackend: QuoteService, DispatchService, VehicleService, PaymentService {
  private let state: Mutex<(polls: Int, outages: Int, contexts: [ServiceContext?])>

  /// - Parameter outages: how many requests for a quote fail.
  init(outages: Int = 0) { state = Mutex((0, outages, [])) }

  /// The tracing context of each call so far.
  var contexts: [ServiceContext?] { state.withLock { $0.contexts } }

  private func didReceiveCall() { state.withLock { $0.contexts.append(ServiceContext.current) } }

  func quote(from pickup: Place, to destination: Place?, sender: NodeID?) async throws -> Quote {
    didReceiveCall()
    let fails = state.withLock { state in
      state.outages -= 1
      return state.outages >= 0
    }
    if fails { throw Outage() }
    return .metered
  }

  func nearbyTaxis(sender: NodeID?) async throws -> [NearbyTaxi] {
    didReceiveCall()
    return [NearbyTaxi(id: 1, position: Position(east: 1, north: 2))]
  }

  func requestTaxi(for draft: OrderDraft, key: RequestKey, sender: NodeID?) async throws -> Assignment? {
    didReceiveCall()
    return Assignment(
      driver: Driver(name: "Mara", plate: "T1"), position: Position(east: 0, north: 0), arrival: OrderTime(.zero),
      nextPoll: OrderTime(.zero))
  }

  func status(sender: NodeID?) async throws -> TaxiStatus {
    didReceiveCall()
    let bill = Bill(fare: Cents(1_000), tip: Cents(100), tolls: Cents(0), surcharge: Cents(50))
    let ride = Ride(duration: .seconds(600), distance: Distance(micromiles: 2_000_000), bill: bill)
    return state.withLock { state in
      state.polls += 1
      return state.polls % 2 == 1
        ? .taxi(.riding(end: OrderTime(.zero)), nextPoll: OrderTime(.zero)) : .taxi(.ended(ride: ride), nextPoll: nil)
    }
  }

  func cancel(key: RequestKey, sender: NodeID?) async throws -> Bool { true }

  func position(sender: NodeID?) async throws -> Position { Position(east: 0, north: 5) }

  func charge(_ bill: Bill, to payment: Payment, key: RequestKey, sender: NodeID?) async throws -> PaymentAnswer {
    didReceiveCall()
    return .paid
  }
}

extension TreeHost<RiderSessionRouter> {
  /// Orders a taxi, and waits for the end of the order.
  func order() async throws {
    let statuses = values(bufferingPolicy: .unbounded) { root in root.interactor.status }
    _ = try await perform { root in root.interactor.signIn() }
    _ = try await perform { root in root.interactor.requestTaxi(from: "A", to: "B", payment: .card) }
    for await status in statuses { if case .ended = status { return } }
  }
}

extension TestTree {
  /// Orders a taxi on the virtual clock, and passes each event of the session to an observer.
  ///
  /// - Parameter whileActive: called while the order is under way.
  func order(from backend: TaxiBackend, _ observer: @escaping (TreeEvent) -> Void) throws {
    let root = launch(RiderSessionBuilder(dependency: TaxiServer(backend, clock: clock)).build())
    guard let tree else { return }
    let subscription = tree.events.subscribe(onNext: observer)
    _ = root.interactor.signIn()
    settle()
    _ = root.interactor.requestTaxi(from: "A", to: "B", payment: .card)
    advance(by: .seconds(3600))
    finish()
    subscription.dispose()
  }
}

/// A RIB whose behavior is a closure.
final class SmallInteractor: Interactor {
  let onActive: (SmallInteractor) -> Void

  init(_ onActive: @escaping (SmallInteractor) -> Void) {
    self.onActive = onActive
    super.init()
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    onActive(self)
  }
}

final class SmallRouter: Router<SmallInteractor> {
  init(_ onActive: @escaping (SmallInteractor) -> Void = { _ in }) {
    super.init(interactor: SmallInteractor(onActive))
  }
}
