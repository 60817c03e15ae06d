// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import Synchronization
// Without `@testable`, as in a server.
import TaxiOrder
import TestSupport
import Testing

@Suite("The session of a rider in a server", .folded, .timeLimit(.minutes(15)), .tearsDown)
struct RiderSessionTests {
  /// A session with a backend, which continues from a saved tree if there is one.
  private func open(_ backend: Backend = Backend(.drives), restoring saved: SavedTree? = nil) async throws
    -> TreeHost<RiderSessionRouter>
  {
    let host = try await TreeHost(restoring: saved, coder: JSONStateCoder(), configuration: .folded) {
      RiderSessionBuilder(dependency: SessionDependency(OrderServices(backend))).build()
    }
    atEnd { await host.shutdown() }
    return host
  }

  @Test("takes a request to its end, and shows each status")
  func order() async throws {
    let session = try await open()
    var iterator = session.values(bufferingPolicy: .unbounded) { $0.interactor.status }.makeAsyncIterator()
    #expect(await iterator.next()?.name == "signed out")
    try await session.rider { $0.signIn() }
    #expect(await iterator.next()?.name == "signed in")
    for (pickup, destination, payment) in [("A", "B", Payment.card), (nil, nil, .cash)] {
      #expect(try await session.rider { $0.requestTaxi(from: pickup, to: destination, payment: payment) })
      var seen: [OrderStatus] = []
      while let status = await iterator.next() {
        seen.append(status)
        if case .ended = status { break }
      }
      if pickup == nil { #expect(seen.contains(.choosing(choices: OrderChoices()))) }
      #expect(seen.last == .ended(outcome: .completed(charged: Backend.bill.total)))
      let names = seen.map(\.name).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
      #expect(names == ["choosing", "searching", "under way", "paying", "paid", "completed"])
    }
    #expect(await session.shutdown().unfinishedTasks.isEmpty)
  }

  @Test("refuses what is not possible, and cancels a search")
  func refusals() async throws {
    let session = try await open(Backend(.searchesForever))
    try await session.rider { rider in
      #expect(!rider.requestTaxi(from: nil, to: nil, payment: .card))
      #expect(!rider.cancel())
      #expect(!rider.pay(by: .otherCard))
      #expect(rider.signIn())
      #expect(!rider.signIn())
      #expect(!rider.cancel())
      #expect(rider.requestTaxi(from: nil, to: nil, payment: .card))
      #expect(!rider.requestTaxi(from: nil, to: nil, payment: .card))
    }
    try await session.wait { $0 == .searching }
    try await session.rider { rider in
      #expect(!rider.requestTaxi(from: nil, to: nil, payment: .card))
      #expect(!rider.pay(by: .otherCard))
      #expect(rider.cancel())
    }
    try await session.wait { $0 == .ended(outcome: .cancelled) }
  }

  @Test("takes the choices of an order one by one, and asks again for the fare when one changes")
  func choices() async throws {
    let backend = Backend(.drives)
    let session = try await open(backend)
    try await session.rider { $0.signIn() }
    try await session.rider { rider in
      #expect(!rider.choose(OrderChoices(payment: .cash)))
      #expect(!rider.confirm())
      #expect(rider.openOrder())
      #expect(!rider.openOrder())
      #expect(rider.currentStatus == .choosing(choices: OrderChoices()))
      #expect(rider.choose(OrderChoices(payment: .cash)))
      #expect(rider.choose(OrderChoices(destination: .to(place: .zone(name: "B")))))
      #expect(!rider.confirm())
      #expect(rider.choose(OrderChoices(pickup: .zone(name: "A"))))
    }
    try await session.wait { if case .confirming(let draft) = $0 { draft.pickup == .zone(name: "A") } else { false } }
    #expect(backend.quotes == 1)
    try await session.rider { rider in
      #expect(rider.choose(OrderChoices(destination: .unknown)))
      #expect(!rider.confirm())
    }
    try await session.wait { if case .confirming(let draft) = $0 { draft.destination == nil } else { false } }
    #expect(backend.quotes == 2)
    try await session.rider { rider in
      #expect(rider.confirm())
      #expect(!rider.choose(OrderChoices(payment: .card)))
    }
    try await session.wait { $0 == .ended(outcome: .completed(charged: Backend.bill.total)) }
    #expect(backend.charged == [])
    let past = try await session.rider { $0.pastOrders }
    #expect((past.map(\.pickup), past.map(\.destination)) == ([.zone(name: "A")], [nil]))
  }

  @Test("continues with the choices after a restart of the process")
  func restoredChoices() async throws {
    let session = try await open()
    try await session.rider { $0.signIn() }
    let choices = OrderChoices(pickup: .riderPosition, payment: .card)
    #expect(try await session.rider { $0.openOrder(choices) })
    let saved = try await session.save()
    await session.shutdown()

    let restored = try await open(restoring: saved)
    try await restored.wait { $0 == .choosing(choices: choices) }
    try await restored.rider { $0.choose(OrderChoices(destination: .unknown)) }
    try await restored.wait { if case .confirming = $0 { true } else { false } }
    let quoted = try await restored.save()
    await restored.shutdown()

    let again = try await open(restoring: quoted)
    try await again.wait { if case .confirming = $0 { true } else { false } }
    #expect(try await again.rider { $0.confirm() })
    try await again.wait { $0 == .ended(outcome: .completed(charged: Backend.bill.total)) }
  }

  @Test("cancels an order that is not placed, and opens another one without its choices")
  func cancelledChoices() async throws {
    let session = try await open()
    try await session.rider { $0.signIn() }
    try await session.rider { rider in
      #expect(rider.openOrder(OrderChoices(pickup: .riderPosition)))
      #expect(rider.cancel())
      #expect(rider.currentStatus == .ended(outcome: .cancelled))
      #expect(!rider.choose(OrderChoices(destination: .unknown)))
      #expect(rider.openOrder())
      #expect(rider.currentStatus == .choosing(choices: OrderChoices()))
    }
  }

  @Test("asks for other means of payment when a card is declined, also after a restart of the process")
  func declined() async throws {
    let backend = Backend(.declinesCard)
    let session = try await open(backend)
    try await session.rider { $0.signIn() }
    try await session.rider { $0.requestTaxi(from: "A", to: "B", payment: .card) }
    try await session.wait { $0.isChoosingPayment(without: [.card]) }
    let saved = try await session.save()
    await session.shutdown()

    let restored = try await open(backend, restoring: saved)
    try await restored.wait { $0.isChoosingPayment(without: [.card]) }
    #expect(try await !restored.rider { $0.pay(by: .card) })
    #expect(try await restored.rider { $0.pay(by: .otherCard) })
    try await restored.wait { $0 == .ended(outcome: .completed(charged: Backend.bill.total)) }
    #expect(backend.charged == [.card, .otherCard])
  }

  @Test("counts real dates, faster on request", .noTrees)
  func wallClock() async throws {
    let (real, fast) = (WallClock(), WallClock(speed: 1_000))
    let start = (real.time, fast.time)
    try await fast.sleep(for: .seconds(2))
    #expect(fast.time >= OrderTime(start.1.offset + .seconds(2)))
    #expect(real.time > start.0)
    #expect(real.time < OrderTime(start.0.offset + .seconds(1_000)))
    #expect(start.1.offset > start.0.offset)
  }
}

extension OrderStatus {
  fileprivate func isChoosingPayment(without declined: [Payment]) -> Bool {
    if case .choosingPayment(declined, _) = self { true } else { false }
  }
}

extension TreeHost<RiderSessionRouter> {
  /// Acts as the rider.
  @discardableResult
  fileprivate func rider<Value: Sendable>(
    _ act: @Sendable (RiderSessionInteractor) throws -> Value
  ) async throws -> Value {
    try await perform { root in try act(root.interactor) }
  }

  /// Waits for a status.
  fileprivate func wait(for condition: @escaping @Sendable (OrderStatus) -> Bool) async throws {
    for await status in values(bufferingPolicy: .unbounded, { root in root.interactor.status })
    where condition(status) {
      return
    }
    Issue.record("the session has ended")
  }
}

/// A backend whose taxis need no time.
private final class Backend: QuoteService, DispatchService, VehicleService, PaymentService {
  enum Kind { case drives, searchesForever, declinesCard }

  static let bill = Bill(fare: Cents(1_000), tip: Cents(100), tolls: Cents(0), surcharge: Cents(50))

  private let kind: Kind
  private let state = Mutex((polls: 0, quotes: 0, charged: [Payment]()))

  init(_ kind: Kind) { self.kind = kind }

  var quotes: Int { state.withLock(\.quotes) }

  var charged: [Payment] { state.withLock(\.charged) }

  func quote(from pickup: Place, to destination: Place?, sender: NodeID?) async throws -> Quote {
    state.withLock { $0.quotes += 1 }
    return .metered
  }

  func nearbyTaxis(sender: NodeID?) async throws -> [NearbyTaxi] {
    [NearbyTaxi(id: 1, position: Position(east: 1, north: 2))]
  }

  func requestTaxi(for draft: OrderDraft, key: RequestKey, sender: NodeID?) async throws -> Assignment? {
    if kind == .searchesForever { try await ContinuousClock().sleep(for: .seconds(86_400)) }
    let now = OrderTime(.zero)
    return Assignment(
      driver: Driver(name: "Mara", plate: "T1"), position: Position(east: 0, north: 0), arrival: now, nextPoll: now)
  }

  func status(sender: NodeID?) async throws -> TaxiStatus {
    let ride = Ride(duration: .seconds(600), distance: Distance(micromiles: 2_000_000), bill: Backend.bill)
    return state.withLock { state in
      state.polls += 1
      return state.polls % 2 == 1
        ? .taxi(.riding(end: OrderTime(.zero)), nextPoll: OrderTime(.zero)) : .taxi(.ended(ride: ride), nextPoll: nil)
    }
  }

  func cancel(key: RequestKey, sender: NodeID?) async throws -> Bool { true }

  func position(sender: NodeID?) async throws -> Position { Position(east: 0, north: 5) }

  func charge(_ bill: Bill, to payment: Payment, key: RequestKey, sender: NodeID?) async throws -> PaymentAnswer {
    state.withLock { $0.charged.append(payment) }
    return kind == .declinesCard && payment == .card ? .declined : .paid
  }
}
