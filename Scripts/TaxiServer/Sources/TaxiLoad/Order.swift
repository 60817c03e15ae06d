// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// One order, as a client sees it.
struct Order: Sendable {
  /// What is needed of `RiderView` of the server.
  private struct Rider: Decodable {
    let status: String
    let declined: [String]?
  }

  private struct Failure: Error {
    let reason: String
  }

  let rider: String
  let servers: [String]
  let number: Int
  let patience: Duration
  let client: HTTPClient
  let results: Results

  /// Runs the order to its end.
  ///
  /// - Parameter scheduled: when it was to begin.
  func run(scheduled: ContinuousClock.Instant) async {
    do {
      let choices = #"{"pickup":"Elm Court","destination":"Mill Pond","payment":"card"}"#
      try await send(.POST, "order", choices, key: "open")
      results.record(.open, .now - scheduled)
      let outcome = try await follow()
      results.record(.order, .now - scheduled)
      results.countOutcome(outcome)
    } catch let failure as Failure {
      results.countFailure(failure.reason)
    } catch {
      results.countFailure("\(type(of: error))")
    }
  }

  /// Follows the order to its end. Connects again when the server ends the stream.
  private func follow() async throws -> String {
    var confirms = true
    let end = ContinuousClock.now + patience * 10
    for attempt in 0... {
      guard ContinuousClock.now < end else { break }
      do {
        let answer = try await client.execute(
          request(.GET, "events", "", key: nil, attempt), timeout: TimeAmount(patience))
        if answer.status != .ok { results.countRepeat("\(answer.status.code)") }
        var lines = Lines(answer.body)
        while answer.status == .ok, let line = try await lines.next(), line != "event: end" {
          guard line.hasPrefix("data: ") else { continue }
          let rider = try JSONDecoder().decode(Rider.self, from: Data(line.dropFirst(6).utf8))
          if let outcome = try await react(to: rider, &confirms) { return outcome }
        }
        results.countRepeat("events ended")
      } catch let failure as Failure {
        throw failure
      } catch {
        results.countRepeat("events broke off")
      }
      try await Task.sleep(for: .milliseconds(Int.random(in: 50...250)))
    }
    throw Failure(reason: "no end")
  }

  /// - Parameter confirms: whether the order is not confirmed yet.
  /// - Returns: the outcome of the order, if it has ended.
  private func react(to rider: Rider, _ confirms: inout Bool) async throws -> String? {
    let start = ContinuousClock.now
    switch rider.status {
    case "confirming" where confirms:
      try await send(.POST, "order/confirmation", "", key: "confirm")
      results.record(.confirm, .now - start)
      confirms = false
    case "choosingPayment":
      let payment = rider.declined?.contains("otherCard") == true ? "cash" : "otherCard"
      try await send(.POST, "order/payment", #"{"payment":"\#(payment)"}"#, key: "pay-\(payment)")
      results.record(.pay, .now - start)
    case "completed", "cancelled", "failed": return rider.status
    default: break
    }
    return nil
  }

  /// Sends a request until it is answered.
  private func send(_ method: HTTPMethod, _ path: String, _ body: String, key: String) async throws {
    let end = ContinuousClock.now + patience
    for attempt in 0... {
      var reason = "connection"
      results.countRequest()
      do {
        let answer = try await client.execute(
          request(method, path, body, key: key, attempt), timeout: TimeAmount(patience))
        _ = try await answer.body.collect(upTo: 65_536)
        if (200..<300).contains(answer.status.code) { return }
        reason = "\(answer.status.code)"
        guard [429, 502, 503, 504].contains(answer.status.code) else { throw Failure(reason: "\(path) \(reason)") }
      } catch let failure as Failure {
        throw failure
      } catch {}
      guard ContinuousClock.now < end else { throw Failure(reason: "\(path) \(reason)") }
      results.countRepeat(reason)
      try await Task.sleep(for: .milliseconds(min(1_000, 50 << min(attempt, 5)) + Int.random(in: 0...50)))
    }
  }

  private func request(
    _ method: HTTPMethod, _ path: String, _ body: String, key: String?, _ attempt: Int
  ) -> HTTPClientRequest {
    let server = servers[(number + attempt) % servers.count]
    var request = HTTPClientRequest(url: "\(server)/riders/\(rider)/\(path)")
    request.method = method
    if let key { request.headers.add(name: "Idempotency-Key", value: key) }
    if !body.isEmpty { request.body = .bytes(ByteBuffer(string: body)) }
    return request
  }
}

/// The lines of a body.
private struct Lines {
  private var iterator: HTTPClientResponse.Body.AsyncIterator
  private var bytes: [UInt8] = []

  init(_ body: HTTPClientResponse.Body) {
    iterator = body.makeAsyncIterator()
  }

  mutating func next() async throws -> String? {
    while true {
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        defer { bytes.removeFirst(end + 1) }
        return String(decoding: bytes[..<end], as: UTF8.self)
      }
      guard let part = try await iterator.next() else { return nil }
      bytes += part.readableBytesView
    }
  }
}
