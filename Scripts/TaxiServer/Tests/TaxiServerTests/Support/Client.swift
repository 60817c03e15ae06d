// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import RIBs
import Testing

@testable import HTTPTrees
@testable import TaxiServer

/// Sends requests to a server of a test.
struct Client: Sendable {
  struct Answer: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let body: Data

    var rider: RiderView {
      get throws { try JSONDecoder().decode(RiderView.self, from: body) }
    }

    /// The problem details.
    var problem: [String: Any] {
      get throws {
        #expect(headers.first(name: "content-type") == "application/problem+json")
        return try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
      }
    }

    /// The names of the wrong fields.
    var wrongFields: [String] {
      get throws { (try problem["errors"] as? [[String: String]] ?? []).compactMap { $0["field"] } }
    }

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  let port: Int

  func send(
    _ method: HTTPMethod, _ path: String, _ body: String = "", headers: [String: String] = [:]
  ) async throws -> Answer {
    let answer = try await Client.http.execute(request(method, path, body, headers), timeout: .seconds(120))
    let bytes = try await answer.body.collect(upTo: 1 << 24)
    return Answer(status: Int(answer.status.code), headers: answer.headers, body: Data(bytes.readableBytesView))
  }

  /// Opens an order with all choices.
  func open(_ rider: String, key: String? = nil) async throws -> Answer {
    try await send(
      .POST, "/riders/\(rider)/order", #"{"pickup":"Elm Court","destination":"Mill Pond","payment":"card"}"#,
      headers: key.map { ["Idempotency-Key": $0] } ?? [:])
  }

  /// Opens an order for later with all choices.
  func schedule(_ rider: String, at time: WallTime) async throws -> Answer {
    try await send(
      .POST, "/riders/\(rider)/order",
      #"{"pickup":"Elm Court","destination":"Mill Pond","payment":"card","at":"\#(time)"}"#)
  }

  /// Creates a rider, unless there is one.
  func register(_ rider: String) async throws { try await expect(200) { try await send(.PUT, "/riders/\(rider)") } }

  func rider(_ rider: String) async throws -> RiderView { try await send(.GET, "/riders/\(rider)").rider }

  /// Follows a rider until a status.
  ///
  /// - Returns: the states that were seen. The last one has the status.
  @discardableResult
  func follow(
    _ rider: String, until status: String, _ react: (RiderView) async throws -> Void = { _ in }
  ) async throws -> [RiderView] {
    var seen: [RiderView] = []
    // The server may end the stream before.
    for _ in 0..<1_000 {
      let answer = try await Client.http.execute(
        request(.GET, "/riders/\(rider)/events", "", [:]), timeout: .seconds(120))
      guard answer.status == .ok else { continue }
      var lines = Lines(answer.body)
      while let line = try await lines.next(), line != "event: end" {
        guard line.hasPrefix("data: ") else { continue }
        let view = try JSONDecoder().decode(RiderView.self, from: Data(line.dropFirst(6).utf8))
        seen.append(view)
        if view.status == status { return seen }
        try await react(view)
      }
    }
    Issue.record("\(rider) was never \(status)")
    return seen
  }

  /// Follows a rider, and confirms and pays, to the end of the order.
  func ride(_ rider: String) async throws -> [RiderView] {
    try await follow(rider, until: "completed") { view in
      if view.actions.contains("confirm") {
        try await expect(200) { try await send(.POST, "/riders/\(rider)/order/confirmation") }
      }
      if view.actions.contains("pay") {
        try await expect(200) { try await send(.POST, "/riders/\(rider)/order/payment", #"{"payment":"otherCard"}"#) }
      }
    }
  }

  /// Opens a stream of events without reading it.
  func events(_ rider: String) async throws -> HTTPClientResponse {
    try await Client.http.execute(request(.GET, "/riders/\(rider)/events", "", [:]), timeout: .seconds(120))
  }

  private func request(
    _ method: HTTPMethod, _ path: String, _ body: String, _ headers: [String: String]
  ) -> HTTPClientRequest {
    var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
    request.method = method
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    if !body.isEmpty { request.body = .bytes(ByteBuffer(string: body)) }
    return request
  }

  /// Lives as long as the process.
  private static let http: HTTPClient = {
    var configuration = HTTPClient.Configuration(timeout: .init(connect: .seconds(60)))
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 20_000
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }()
}

/// The lines of a body.
struct Lines {
  private var iterator: HTTPClientResponse.Body.AsyncIterator
  private var bytes: [UInt8] = []

  init(_ body: HTTPClientResponse.Body) { iterator = body.makeAsyncIterator() }

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

/// Expects the status of an answer.
///
/// A function, because a closure in which only `#expect` throws does not compile.
func expect(
  _ status: Int, sourceLocation: SourceLocation = #_sourceLocation, _ send: () async throws -> Client.Answer
) async throws {
  let answer = try await send()
  #expect(answer.status == status, "\(answer.text)", sourceLocation: sourceLocation)
}
