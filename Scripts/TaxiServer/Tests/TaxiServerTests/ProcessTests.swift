// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import RIBsStore
import RIBs
import Support
import Synchronization
import Testing

@testable import HTTPTrees
@testable import TaxiServer
@testable import taxi_load

@Suite("The program", .serialized, .timeLimit(.minutes(20)))
struct ProcessTests {
  @Test("continues after kill -9: the taxi is still coming")
  func kill9() async throws {
    let folder = TemporaryFolder()
    let first = try await ServerProcess.start(["--store", folder.url.path])
    _ = try await first.client.open("anna", key: "1")
    let driver = try await first.client.follow("anna", until: "assigned") { view in
      if view.actions.contains("confirm") {
        _ = try await first.client.send(.POST, "/riders/anna/order/confirmation")
      }
    }.last?.driver
    // Answered requests survive, whatever follows. The taxi was assigned before it was saved, so it may be another search.
    #expect(driver != nil)
    await first.end(SIGKILL)

    let second = try await ServerProcess.start(["--store", folder.url.path])
    let seen = try await second.client.ride("anna")
    #expect(seen.first?.status != "none")
    #expect(seen.compactMap(\.driver).allSatisfy { $0 == driver })
    #expect(await second.end(SIGTERM) == 0)
  }

  @Test("wakes a rider whose time has come while no server ran, although nothing asks for it, and orders one taxi")
  func later() async throws {
    let folder = TemporaryFolder()
    let arguments = ["--store", folder.url.path, "--speed", "1000"]
    let first = try await ServerProcess.start(arguments)
    let time = WallTime.now + .seconds(4)
    try await expect(201) { try await first.client.schedule("anna", at: time) }
    try await first.client.follow("anna", until: "confirming")
    try await expect(200) { try await first.client.send(.POST, "/riders/anna/order/confirmation") }
    #expect(WallTime.now < time)
    await first.end(SIGKILL)
    while WallTime.now < time { try await Task.sleep(for: .milliseconds(100)) }

    let second = try await ServerProcess.start(arguments)
    while true {
      let record = try FileStore.records(in: folder.url.path, of: "rider").first { _ in true }?.get()
      if let record, String(decoding: record.saved.document, as: UTF8.self).contains("\"completed\"") { break }
      try await Task.sleep(for: .milliseconds(100))
    }
    let orders = try await second.client.send(.GET, "/riders/anna/orders").text
    #expect(orders.components(separatedBy: "outcome").count == 2)
    #expect(await second.end(SIGTERM) == 0)
  }

  @Test("loses no answered request to kill -9, and no taxi is ordered twice")
  func killMany() async throws {
    let folder = TemporaryFolder()
    let count = 40
    let first = try await ServerProcess.start(["--store", folder.url.path, "--speed", "1"])
    let answered = await withTaskGroup(of: Int?.self) { group in
      for number in 0..<count {
        group.addTask { try? await first.client.open("r\(number)", key: "1").status == 201 ? number : nil }
      }
      var answered: [Int] = []
      for await number in group {
        if let number { answered.append(number) }
        // In the middle of the others.
        if answered.count == count / 2 { await first.end(SIGKILL) }
      }
      return answered
    }
    #expect(answered.count >= count / 2)
    let second = try await ServerProcess.start(["--store", folder.url.path, "--speed", "1"])
    for number in answered {
      #expect(try await second.client.rider("r\(number)").status != "none")
      try await expect(201) { try await second.client.open("r\(number)", key: "1") }
    }
    #expect(await second.end(SIGTERM) == 0)
  }

  @Test("ends with SIGTERM in order, with open orders and followers, and a start finds all of them")
  func sigterm() async throws {
    let isThorough = ProcessInfo.processInfo.environment["RIBS_THOROUGH"] == "1"
    let (orders, followers) = isThorough ? (10_000, 1_000) : (200, 20)
    let folder = TemporaryFolder()
    // The default time for the shutdown, where the whole counts.
    let arguments =
      ["--store", folder.url.path, "--speed", "1"] + (isThorough ? [] : ["--shutdown", "240"])
    let first = try await ServerProcess.start(arguments)
    await inParallel(orders) { number in
      try await expect(201) { try await first.client.open("r\(number)", key: "1") }
    }
    var streams: [Lines] = []
    for number in 0..<followers { streams.append(Lines(try await first.client.events("r\(number)").body)) }
    let start = ContinuousClock.now
    async let status = first.end(SIGTERM)
    for var lines in streams {
      var last = ""
      while let line = try await lines.next() { if line.hasPrefix("event: ") { last = line } }
      #expect(last == "event: end")
    }
    let exit = await status
    #expect(exit == 0)
    #expect(!first.log.contains("not saved in time"))
    if isThorough { #expect(ContinuousClock.now - start < .seconds(10)) }
    let second = try await ServerProcess.start(arguments)
    await inParallel(orders) { number in
      // Before, as a rider that was lost would have no order now, and would get the same answer as one that was not.
      #expect(try await second.client.rider("r\(number)").status == "confirming")
      try await expect(201) { try await second.client.open("r\(number)", key: "1") }
    }
    #expect(await second.end(SIGTERM) == 0)
  }

  @Test("serves others while many followers are idle, and ends all of them")
  func idleFollowers() async throws {
    let followers = ProcessInfo.processInfo.environment["RIBS_THOROUGH"] == "1" ? 10_000 : 500
    let server = try await ServerProcess.start(["--store", "none", "--speed", "1", "--shutdown", "240"])
    let streams = Mutex<[HTTPClientResponse]>([])
    await inParallel(followers) { number in
      try await server.client.register("r\(number)")
      let stream = try await server.client.events("r\(number)")
      #expect(stream.status == .ok)
      streams.withLock { $0.append(stream) }
    }
    #expect(try await server.client.send(.GET, "/metrics").text.contains("followers \(followers).0\n"))
    try await expect(201) { try await server.client.open("r0") }
    async let status = server.end(SIGTERM)
    for stream in streams.withLock({ $0 }) {
      var lines = Lines(stream.body)
      var last = ""
      while let line = try await lines.next() { if line.hasPrefix("event: ") { last = line } }
      #expect(last == "event: end")
    }
    #expect(await status == 0)
  }

  @Test("refuses a store that another process has, and wrong options, with a message")
  func refusals() async throws {
    let folder = TemporaryFolder()
    let first = try await ServerProcess.start(["--store", folder.url.path])
    await #expect(throws: ServerProcess.NotStarted.self) {
      _ = try await ServerProcess.start(port: .randomUnused, ["--store", folder.url.path])
    }
    for (options, message) in [
      ["--speed", "0"]: "--speed must be", ["--drain", "3", "--shutdown", "10"]: "--drain must be",
      ["--store", "postgres://ribs:secret@127.0.0.1:1/none"]: "--address must be",
      ["--store", "postgres://ribs:secret@127.0.0.1:1/none", "--address", "here"]: "--address must be",
      ["--store", "postgres://ribs:secret@127.0.0.1:1/none", "--address", "127.0.0.1:1", "--lease", "0.1"]: "database",
    ] {
      let refused = await #expect(throws: ServerProcess.NotStarted.self) {
        _ = try await ServerProcess.start(port: .randomUnused, options)
      }
      #expect(refused?.log.contains(message) == true || refused?.log.contains("no PostgreSQL") == true)
      #expect(refused?.log.contains("secret") == false)
    }
    #expect(await first.end(SIGTERM) == 0)
  }
}

/// Runs an operation for each number, 100 at the same time.
private func inParallel(_ count: Int, _ operation: @escaping @Sendable (Int) async throws -> Void) async {
  await withTaskGroup(of: Void.self) { group in
    for number in 0..<count {
      if number >= 100 { await group.next() }
      group.addTask {
        do { try await operation(number) } catch { Issue.record(error) }
      }
    }
  }
}
