// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTrees
import HTTPTypes
import Hummingbird
import NIOCore
import RIBs
import RIBsStore
import TaxiOrder

/// The routes of riders.
struct RiderRoutes: Sendable {
  let riders: TreeDirectory<RiderID, RiderRouter>
  let followers: Followers
  /// How many seconds of an order pass in a second.
  let speed: Int

  func add(to group: RouterGroup<ServerContext>) {
    let rider = group.group("riders/:tree")
    rider.get { _, context in try JSON.response(try await look(at: try context.rider) { $0.interactor.view }) }
    rider.put { _, context in
      try JSON.response(try await riders.perform(on: try context.rider) { root in root.interactor.view })
    }
    rider.get("orders") { _, context in
      try JSON.response(try await look(at: try context.rider) { $0.interactor.pastOrders })
    }
    rider.get("events") { request, context in try await follow(request, context) }
    rider.post("order") { request, context in
      try await answer(request, try context.rider, .open(choices: try await choices(of: request)), status: .created)
    }
    rider.patch("order") { request, context in
      try await answer(request, try context.rider, .choose(choices: try await choices(of: request)))
    }
    rider.post("order/confirmation") { request, context in try await answer(request, try context.rider, .confirm) }
    rider.delete("order") { request, context in
      try await answer(request, try context.rider, .cancel, status: .accepted)
    }
    rider.post("order/payment") { request, context in
      guard let payment = try await choices(of: request).payment else {
        throw Problem.field("payment", "It is missing.")
      }
      return try await answer(request, try context.rider, .pay(by: payment))
    }
  }

  /// The choices in the body, which has been read before.
  private func choices(of request: Request) async throws -> OrderChoices {
    let fields = try JSONFields(
      try await request.body.collect(upTo: .max).readableBytesView, known: ["pickup", "destination", "payment", "at"])
    let zones = Place.zones.map { ($0, Place.zone(name: $0)) }
    return OrderChoices(
      pickup: try fields.value("pickup", zones + [("here", .riderPosition)]),
      destination: try fields.value(
        "destination", zones.map { ($0.0, .to(place: $0.1)) } + [("by meter", OrderChoices.Destination.unknown)]),
      payment: try fields.value("payment", [("card", .card), ("otherCard", .otherCard), ("cash", .cash)]),
      time: try fields.text("at").map(time(at:)))
  }

  /// When a taxi is searched: `now`, or a date of at most a year from now.
  private func time(at text: String) throws -> OrderChoices.Time {
    if text == "now" { return .now }
    guard let date = WallTime(text), date > WallTime(microsecondsSince1970: 0), date < .now + .seconds(366 * 86_400)
    else {
      throw Problem.field("at", "Use now, or a date within a year, such as 2026-01-01T08:30:00Z.")
    }
    return .at(time: OrderTime((date - WallTime(microsecondsSince1970: 0)) * speed))
  }

  /// Reads from a rider, and creates none.
  private func look<Value: Sendable>(
    at rider: RiderID, _ body: @Sendable (RiderRouter) throws -> Value
  ) async throws -> Value {
    guard let value = try await riders.perform(onExisting: rider, body) else { throw Problem.unknown(rider) }
    return value
  }

  /// Carries out a request. The answer is sent when the effect is saved.
  private func answer(
    _ request: Request, _ rider: RiderID, _ action: RiderRequest, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let key = request.headers[.idempotencyKey]
    if let key, !key.isToken { throw Problem.field("Idempotency-Key", "Use 1 to 100 characters without spaces.") }
    let view = try await riders.perform(on: rider) { root in try root.interactor.answer(action, key: key) }
    return try JSON.response(view, status: status)
  }

  /// Describes an error of a rider.
  @Sendable static func problem(_ error: any Error) -> Problem? {
    guard let refusal = error as? Refusal else { return nil }
    var problem = Problem(
      .conflict, "not-possible", "You can't \(refusal.request.verb) while the order is \(refusal.rider.status).")
    problem.details["rider"] = refusal.rider
    return problem
  }

  /// Sends each view when it is saved, as an answer: a client never acts on a state that is lost afterwards. A rider that is
  /// followed may be passivated.
  private func follow(_ request: Request, _ context: ServerContext) async throws -> Response {
    let rider = try context.rider
    guard try await riders.host(forExisting: rider) != nil else { throw Problem.unknown(rider) }
    let events = riders.values(onExisting: rider) { root in root.interactor.views }.map { view in
      Followers.event("status", String(decoding: try JSON.encode(view), as: UTF8.self))
    }
    return try followers.follow(
      rider.description, request, context.channel, events, ending: "the rider has moved")
  }
}

extension Problem {
  fileprivate static func unknown(_ rider: RiderID) -> Problem {
    Problem(.notFound, "unknown-rider", "There is no rider \(rider). PUT creates one.")
  }
}

extension ServerContext {
  fileprivate var rider: RiderID {
    get throws {
      guard let rider = RiderID(key) else {
        throw Problem.field("rider", "Use 1 to 64 letters, digits, - and _.")
      }
      return rider
    }
  }
}
