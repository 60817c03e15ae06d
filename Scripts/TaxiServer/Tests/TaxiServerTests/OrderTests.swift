// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBsStore
import RIBsTesting
import Synchronization
import TaxiOrder
import RIBs
import Testing

@testable import HTTPTrees
@testable import TaxiServer

@Suite("Orders over HTTP", .timeLimit(.minutes(15)))
struct OrderTests {
  @Test("go from the choices to the end of the ride, and into the history")
  func order() async throws {
    try await RunningServer.with { server in
      let client = server.client
      try await expect(404) { try await client.send(.GET, "/riders/anna") }
      try await client.register("anna")
      #expect(try await client.rider("anna").actions == ["open"])
      let opened = try await client.send(.POST, "/riders/anna/order")
      #expect(opened.status == 201)
      #expect(try opened.rider.status == "choosing")
      // In any order, one after the other.
      _ = try await client.send(.PATCH, "/riders/anna/order", #"{"payment":"card"}"#)
      _ = try await client.send(.PATCH, "/riders/anna/order", #"{"destination":"Mill Pond"}"#)
      let chosen = try await client.send(.PATCH, "/riders/anna/order", #"{"pickup":"here"}"#)
      #expect(chosen.status == 200)
      #expect(try chosen.rider.pickup == "here")

      let fare = try #require(try await client.follow("anna", until: "confirming").last?.fare)
      _ = try await client.send(.PATCH, "/riders/anna/order", #"{"pickup":"Elm Court"}"#)
      let seen = try await client.ride("anna")
      let other = try #require(seen.compactMap(\.fare).last)
      #expect(other != fare)
      #expect(seen.contains { $0.driver != nil && $0.plate != nil && $0.until != nil })
      let total = try #require(seen.last?.total)
      #expect(total > other)
      #expect(try await client.rider("anna").actions == ["open"])

      let past = try await client.send(.GET, "/riders/anna/orders")
      let orders = try JSONDecoder().decode([PastOrderView].self, from: past.body)
      #expect(orders.map(\.pickup) == ["Elm Court"])
      #expect(orders.map(\.destination) == ["Mill Pond"])
      #expect(orders.map(\.total) == [total])
    }
  }

  @Test("are shown to a client that follows when they are saved, and not before")
  func savedEvents() async throws {
    let isHeld = Atomic(false)
    let store = FaultyStore(MemoryStore()) { call in
      call.function == .save && isHeld.load(ordering: .relaxed) ? .waits : nil
    }
    var options = TaxiOptions.test
    options.heartbeat = .milliseconds(400)
    try await RunningServer.with(options, store: store) { server in
      let client = server.client
      try await client.register("anna")
      var lines = Lines(try await client.events("anna").body)
      while try #require(try await lines.next()) != "event: status" {}
      isHeld.store(true, ordering: .relaxed)
      let call = Task { try await client.open("anna") }
      await store.waitForWaitingCall()
      // Comments that show that the connection is alive come in between.
      var comments = 0
      while comments < 2 {
        let line = try #require(try await lines.next())
        #expect(!line.hasPrefix("event: "))
        if line == ":" { comments += 1 }
      }
      isHeld.store(false, ordering: .relaxed)
      store.resume()
      while try #require(try await lines.next()) != "event: status" {}
      try await expect(201) { try await call.value }
    }
  }

  @Test("go by the meter without a destination")
  func meter() async throws {
    try await RunningServer.with { server in
      let client = server.client
      _ = try await client.send(
        .POST, "/riders/ben/order", #"{"pickup":"here","destination":"by meter","payment":"cash"}"#)
      #expect(try await client.follow("ben", until: "confirming").last?.fare == nil)
      #expect(try await client.ride("ben").last?.total != nil)
    }
  }

  @Test("ask for other means of payment when a card is declined")
  func declined() async throws {
    var options = TaxiOptions.test
    options.ordersUntilDecline = 1
    try await RunningServer.with(options) { server in
      let client = server.client
      _ = try await client.open("cleo")
      let seen = try await client.ride("cleo")
      #expect(seen.contains { $0.status == "choosingPayment" && $0.declined == ["card"] })
    }
  }

  @Test("for later leave memory, wake when their time has come, and are not early")
  func later() async throws {
    var options = TaxiOptions.test
    (options.idleAfter, options.interval) = (.milliseconds(200), .milliseconds(100))
    let store = MemoryStore()
    try await RunningServer.with(options, store: store) { server in
      let client = server.client
      let time = WallTime.now + .seconds(5)
      try await expect(201) { try await client.schedule("otto", at: time) }
      try await client.follow("otto", until: "confirming")
      try await expect(200) { try await client.send(.POST, "/riders/otto/order/confirmation") }
      while server.server.riders.count > 0 { try await Task.sleep(for: .milliseconds(50)) }
      #expect(WallTime.now < time)
      #expect(store.records.values.map { $0.wakes.map { $0 - time } } == [.zero])
      while server.server.riders.count == 0 { try await Task.sleep(for: .milliseconds(20)) }
      #expect(WallTime.now >= time)
      _ = try await client.ride("otto")
    }
  }

  @Test("for later can be cancelled, and are refused for a time that is none, or too far away")
  func laterCancelled() async throws {
    try await RunningServer.with { server in
      let client = server.client
      let tomorrow = WallTime.now + .seconds(86_400)
      try await expect(201) { try await client.schedule("ida", at: tomorrow) }
      try await client.follow("ida", until: "confirming")
      _ = try await client.send(.POST, "/riders/ida/order/confirmation")
      let view = try await client.follow("ida", until: "scheduled").last
      #expect(view?.at == Int(tomorrow.microsecondsSince1970 / 1_000))
      #expect(view?.actions == ["cancel"])
      try await expect(202) { try await client.send(.DELETE, "/riders/ida/order") }
      try await client.follow("ida", until: "cancelled")
      for time in ["soon", "2026-01-01", "\(WallTime.now + .seconds(400 * 86_400))"] {
        let answer = try await client.send(.POST, "/riders/ida/order", #"{"at":"\#(time)"}"#)
        #expect(answer.status == 422)
        #expect(try answer.wrongFields == ["at"])
      }
      try await expect(201) { try await client.schedule("ida", at: tomorrow) }
      let now = try await client.send(.PATCH, "/riders/ida/order", #"{"at":"now"}"#).rider
      #expect(now.at == nil)
    }
  }

  @Test("can be cancelled while the rider chooses, and when the taxi is on its way")
  func cancellation() async throws {
    var options = TaxiOptions.test
    options.speed = 1
    try await RunningServer.with(options) { server in
      let client = server.client
      _ = try await client.open("dora")
      let cancelled = try await client.send(.DELETE, "/riders/dora/order")
      #expect(cancelled.status == 202)
      #expect(try await client.rider("dora").status == "cancelled")

      _ = try await client.open("dora")
      try await client.follow("dora", until: "confirming")
      _ = try await client.send(.POST, "/riders/dora/order/confirmation")
      try await client.follow("dora", until: "cancelled") { view in
        if view.status == "assigned" {
          try await expect(202) { try await client.send(.DELETE, "/riders/dora/order") }
        }
      }
    }
  }

  @Test("refuse what is not possible, and say what is")
  func refusals() async throws {
    try await RunningServer.with { server in
      let client = server.client
      let confirmed = try await client.send(.POST, "/riders/emil/order/confirmation")
      #expect(confirmed.status == 409)
      #expect(try confirmed.problem["type"] as? String == "urn:problem:not-possible")
      #expect((try confirmed.problem["rider"] as? [String: Any])?["actions"] as? [String] == ["open"])
      try await expect(409) { try await client.send(.DELETE, "/riders/emil/order") }
      _ = try await client.open("emil")
      try await expect(409) { try await client.open("emil") }
    }
  }

  @Test("name the field that is wrong")
  func validation() async throws {
    try await RunningServer.with { server in
      let client = server.client
      let zone = try await client.send(.POST, "/riders/finn/order", #"{"pickup":"Atlantis"}"#)
      #expect(zone.status == 422)
      #expect(try zone.wrongFields == ["pickup"])
      let wrong = try await client.send(.POST, "/riders/finn/order", #"{"pickup":1,"fare":"0"}"#)
      #expect(try wrong.wrongFields == ["fare", "pickup"])
      try await expect(400) { try await client.send(.POST, "/riders/finn/order", "{") }
      try await expect(400) { try await client.send(.POST, "/riders/finn/order", "[]") }
      #expect(try await client.send(.GET, "/riders/fi%20nn").wrongFields == ["rider"])
      #expect(try await client.send(.GET, "/riders/\(String(repeating: "f", count: 65))").wrongFields == ["rider"])
      #expect(try await client.send(.POST, "/riders/finn/order/payment", "{}").wrongFields == ["payment"])
      let key = try await client.send(.POST, "/riders/finn/order", headers: ["Idempotency-Key": "a b"])
      #expect(try key.wrongFields == ["Idempotency-Key"])
      #expect(try await client.send(.GET, "/nowhere").problem["status"] as? Int == 404)
      // Nothing of this had an effect.
      try await expect(404) { try await client.send(.GET, "/riders/finn") }
    }
  }

  @Test("can't be looked at for riders that don't exist, which leaves neither a tree nor a record")
  func unknownRiders() async throws {
    let store = MemoryStore()
    try await RunningServer.with(store: store) { server in
      for number in 0..<100 {
        for path in ["", "/orders", "/events"] {
          let answer = try await server.client.send(.GET, "/riders/r\(number)\(path)")
          #expect(answer.status == 404)
          #expect(try answer.problem["type"] as? String == "urn:problem:unknown-rider")
        }
      }
      #expect(server.server.riders.count == 0)
      try await server.client.register("r1")
      #expect(try await server.client.rider("r1").status == "none")
      #expect(server.server.riders.count == 1)
    }
    #expect(store.records.keys.allSatisfy { $0.id == "r1" })
  }

  @Test("are carried out once for each idempotency key, also after a restart")
  func idempotency() async throws {
    let store = MemoryStore()
    let first = try await RunningServer.with(store: store) { server in
      let client = server.client
      let first = try await client.open("gwen", key: "k1")
      #expect(first.status == 201)
      let second = try await client.open("gwen", key: "k1")
      #expect(second.status == 201)
      #expect(second.body == first.body)
      let other = try await client.send(
        .DELETE, "/riders/gwen/order", headers: ["Idempotency-Key": "k1"])
      #expect(try other.wrongFields == ["Idempotency-Key"])
      return first.body
    }
    try await RunningServer.with(store: store) { server in
      #expect(try await server.client.open("gwen", key: "k1").body == first)
      try await expect(409) { try await server.client.open("gwen", key: "k2") }
    }
  }

  @Test("continue after a restart, with the simulated company")
  func restart() async throws {
    let store = MemoryStore()
    let driver = try await RunningServer.with(store: store) { server in
      _ = try await server.client.open("hugo")
      return try await server.client.follow("hugo", until: "assigned") { view in
        if view.actions.contains("confirm") {
          _ = try await server.client.send(.POST, "/riders/hugo/order/confirmation")
        }
      }.last?.driver
    }
    try await RunningServer.with(store: store) { server in
      let seen = try await server.client.ride("hugo")
      #expect(driver != nil)
      #expect(seen.compactMap(\.driver).allSatisfy { $0 == driver })
    }
  }
}
