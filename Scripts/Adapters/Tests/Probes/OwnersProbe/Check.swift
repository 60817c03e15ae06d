// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestDatabase

/// The options of a check.
struct Plan: Sendable {
  var minutes = 2.0
  /// The lease while servers are killed and stopped, in seconds.
  var lease = 2.0
  var trees = 200
  var withoutFence = false
  /// The file of an SQLite database, in place of a PostgreSQL server.
  var sqlite: String?

  init?(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let option = rest.popFirst() {
      switch option {
      case "--without-fence": withoutFence = true
      case "--sqlite":
        guard let value = rest.popFirst() else { return nil }
        sqlite = value
      case "--minutes", "--lease", "--trees":
        guard let value = rest.popFirst().flatMap({ Double($0) }), value > 0 else { return nil }
        switch option {
        case "--minutes": minutes = value
        case "--lease": lease = value
        default: trees = Int(value)
        }
      default: return nil
      }
    }
  }
}

/// The outcome of a check, and the exit code of the program.
enum Outcome: Int32 {
  case good = 0
  /// The check could not be made, or something took too long.
  case failed = 1
  /// Something was lost, repeated or out of date, or written without a newer fence or version.
  case violated = 3
}

/// Runs servers, clients and faults, and compares what was acknowledged with what is there.
final class Check: Sendable {
  private let plan: Plan
  private let servers: Servers
  private let proxies: [Proxy]
  private let load: Load

  init(_ plan: Plan) throws {
    self.plan = plan
    if let file = plan.sqlite {
      proxies = []
      servers = try Servers(stores: Array(repeating: file, count: 3))
    } else {
      guard let port = ProcessInfo.processInfo.environment["RIBS_POSTGRES_PORT"].flatMap({ UInt16($0) }) else {
        throw Database.Failed(command: "Start this by Scripts/with-postgres.")
      }
      let edits = plan.withoutFence ? Repair.fence.edits : []
      proxies = try (0..<3).map { _ in try Proxy(to: port, edits) }
      servers = try Servers(stores: proxies.map { "postgres://ribs@127.0.0.1:\($0.port)/postgres" })
    }
    load = Load(servers, trees: plan.trees, timeout: max(Int(plan.lease * 2), 2))
  }

  func run() throws -> Outcome {
    defer { servers.end() }
    let problems = try measureTakeovers()
    try startAll(lease: plan.lease)
    load.start()
    let faults = try injectFaults()
    return try load.end(faults, problems, within: plan.lease * 5 + 60, isRecorded: !proxies.isEmpty)
  }

  private func startAll(lease: Double) throws {
    for index in servers.ports.indices {
      servers.kill(index)
      try servers.start(index, lease: lease)
    }
  }

  // MARK: Takeovers

  /// How long trees may be out of reach when their server has started again at its address.
  private static let longestRestart = 1.0
  /// How long a takeover may take after the end of the lease: the client asks every 10 ms, and each question takes a
  /// transaction of the database.
  private static let polling = 0.5

  /// Measures how long a tree is out of reach after its server was killed, with the default lease of ten seconds.
  ///
  /// - Returns: what took too long.
  private func measureTakeovers() throws -> [String] {
    let lease = 10.0
    try startAll(lease: lease)
    if !proxies.isEmpty { try Database.run(Database.recording) }
    let client = load.client("client", timeout: 20)
    for tree in 0..<plan.trees where client.request("read \(tree)", to: servers.ports[tree % 3]) == nil {
      return ["tree \(tree) can't be read at the start"]
    }
    func time(until isDone: () -> Bool) -> Double {
      let start = ContinuousClock.now
      while !isDone(), start.duration(to: .now) < .seconds(60) { Thread.sleep(forTimeInterval: 0.01) }
      return start.duration(to: .now) / .seconds(1)
    }
    servers.kill(0)
    let start = ContinuousClock.now
    try servers.start(0, lease: lease)
    let started = start.duration(to: .now) / .seconds(1)
    let restart = time { client.request("read 0", to: servers.ports[0]) != nil }
    servers.kill(0)
    let takeover = time { client.request("read 0", to: servers.ports[1]) != nil }
    report(
      String(
        format:
          "restart at the same address: %.2f s to start, then %.3f s; takeover by another: %.1f s of a lease of %g s",
        started, restart, takeover, lease))
    var problems: [String] = []
    if restart >= Check.longestRestart { problems.append("the restart took \(restart) s") }
    if takeover > lease + Check.polling {
      problems.append("the takeover took \(takeover) s, with a lease of \(lease) s")
    }
    return problems
  }

  // MARK: Faults

  private enum Fault: String, CaseIterable {
    case kill, killForLong, stop, crash, suspend, cut, hold, holdAndStop
  }

  /// Kills, stops and cuts off until the time is over. At the end everything works again.
  private func injectFaults() throws -> String {
    var counts: [Fault: Int] = [:]
    let end = ContinuousClock.now + .seconds(plan.minutes * 60)
    let possible = Fault.allCases.filter { !proxies.isEmpty || [.kill, .killForLong, .stop].contains($0) }
    while ContinuousClock.now < end {
      Thread.sleep(forTimeInterval: .random(in: 0...plan.lease / 2))
      guard let fault = possible.randomElement(), let index = servers.ports.indices.randomElement() else { break }
      counts[fault, default: 0] += 1
      let longerThanLease = plan.lease * .random(in: 1.1...1.8)
      switch fault {
      case .kill:
        servers.kill(index)
        try servers.start(index, lease: plan.lease)
      case .killForLong:
        servers.kill(index)
        Thread.sleep(forTimeInterval: longerThanLease)
        try servers.start(index, lease: plan.lease)
      case .stop:
        servers.stop(index)
        Thread.sleep(forTimeInterval: longerThanLease)
        servers.resume(index)
      case .crash:
        try Database.control("crash")
        Thread.sleep(forTimeInterval: .random(in: 0...plan.lease))
        try Database.control("start")
      case .suspend:
        try Database.control("stop")
        Thread.sleep(forTimeInterval: longerThanLease)
        try Database.control("continue")
      case .cut: proxies[index].cut()
      case .hold:
        proxies[index].hold()
        Thread.sleep(forTimeInterval: longerThanLease)
        proxies[index].release()
      case .holdAndStop:
        // The saves on their way arrive when another server has the trees, and before their sender knows that.
        proxies[index].hold()
        Thread.sleep(forTimeInterval: 0.1)
        servers.stop(index)
        Thread.sleep(forTimeInterval: longerThanLease)
        proxies[index].release()
        Thread.sleep(forTimeInterval: 0.1)
        servers.resume(index)
      }
    }
    return counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key.rawValue)" }
      .joined(separator: ", ")
  }
}
