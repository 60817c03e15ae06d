// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestDatabase

/// The options of a check over a cluster that fails over.
struct ClusterPlan: Sendable {
  var minutes = 3.0
  var lease = 10.0
  var trees = 60
  var usesProxy = false
  var faults = ClusterFault.allCases

  init?(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let option = rest.popFirst() {
      switch option {
      case "--proxy": usesProxy = true
      case "--fault":
        guard let fault = rest.popFirst().flatMap({ ClusterFault(rawValue: $0) }) else { return nil }
        faults = [fault]
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

/// What happens to the cluster.
enum ClusterFault: String, CaseIterable, Sendable {
  /// The synchronous replica becomes the primary, in order.
  case switchover
  /// The primary and its Patroni are killed.
  case kill
  /// The synchronous replica is stopped for twelve seconds: commits wait, or Patroni chooses another one.
  case stopReplica = "stop-replica"
  /// etcd is away for twelve seconds.
  case stopEtcd = "stop-etcd"
  /// A server of trees is stopped for longer than its lease.
  case stopServer = "stop-server"
}

/// Runs servers of trees over the cluster of `Scripts/with-patroni`, whose servers fail.
final class ClusterCheck: Sendable {
  private let plan: ClusterPlan
  private let servers: Servers
  private let history: History
  private let isOver = Mutex(false)
  private let events = NSTemporaryDirectory() + "ribs-failover-\(getpid())"

  init(_ plan: ClusterPlan) throws {
    self.plan = plan
    history = History(trees: plan.trees)
    let name = plan.usesProxy ? "RIBS_POSTGRES_PROXY" : "RIBS_POSTGRES"
    guard let url = ProcessInfo.processInfo.environment[name] else {
      throw Database.Failed(command: "Start this by Scripts/with-patroni.")
    }
    servers = try Servers(stores: Array(repeating: url, count: 3))
    setenv(TreeEvents.variable, events, 1)
  }

  func run() throws -> Outcome {
    defer {
      servers.end()
      unlink(events)
    }
    for index in servers.ports.indices { try servers.start(index, lease: plan.lease) }
    // The first claim has made the tables.
    try Database.run(Database.recording)
    var problems: [String] = []
    let clients = DispatchGroup()
    for number in 0..<16 {
      clients.enter()
      Thread.detachNewThread { [self] in
        let client = Client("client \(number)", servers.ports, history, trees: plan.trees, timeout: 60)
        while !isOver.withLock({ $0 }) { client.step() }
        clients.leave()
      }
    }
    Thread.sleep(forTimeInterval: 2)
    let end = ContinuousClock.now + .seconds(plan.minutes * 60)
    repeat {
      for fault in plan.faults {
        if let problem = try inject(fault) { problems.append("\(fault.rawValue): \(problem)") }
      }
    } while ContinuousClock.now < end
    isOver.withLock { $0 = true }
    clients.wait()
    let client = Client("the last reader", servers.ports, history, trees: plan.trees, timeout: 20)
    let unread = (0..<plan.trees).filter { tree in !eventually(within: 60) { client.read(tree) } }
    let counts = history.counts
    report("\(counts.appends) appended, \(counts.reads) read, \(counts.failures) without an answer")
    if !unread.isEmpty { problems.append("\(unread.count) trees could not be read at the end") }
    var violations = history.violations
    for line in try Database.run(Database.violations) {
      violations.append("tree, fence, version, then fence, version: \(line)")
    }
    for violation in violations.prefix(10) { report("VIOLATION \(violation.prefix(300))") }
    for problem in problems { report("FAILED: \(problem)") }
    guard violations.isEmpty else { return .violated }
    guard problems.isEmpty else { return .failed }
    report("Nothing was lost, repeated or out of date.")
    return .good
  }

  private func eventually(within seconds: Double, _ isDone: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while try !isDone() {
      if ContinuousClock.now >= end { return false }
      Thread.sleep(forTimeInterval: 0.05)
    }
    return true
  }

  /// Lets something fail, and waits until everything works again.
  ///
  /// - Returns: what did not recover, or was ended without need.
  private func inject(_ fault: ClusterFault) throws -> String? {
    let before = TreeEvents.lines(of: events).count
    let start = ContinuousClock.now
    switch fault {
    case .switchover: try Cluster.control("switchover")
    case .kill:
      let name = try Cluster.control("name", "primary")
      try Cluster.control("kill", name)
      let isReplaced = eventually(within: 90) { (try? Cluster.control("name", "primary")).map { $0 != name } ?? false }
      try Cluster.control("start", name)
      if !isReplaced { return "no replica has become the primary" }
    case .stopReplica:
      guard eventually(within: 60, { (try? Cluster.control("name", "sync")) != nil }) else { break }
      try pause(Cluster.control("name", "sync"))
    case .stopEtcd: try pause("etcd")
    case .stopServer:
      guard let index = servers.ports.indices.randomElement() else { return nil }
      servers.stop(index)
      Thread.sleep(forTimeInterval: plan.lease * 1.5)
      servers.resume(index)
    }
    let client = Client("the client of \(fault.rawValue)", servers.ports, history, trees: plan.trees, timeout: 30)
    for (index, port) in servers.ports.enumerated() {
      guard eventually(within: 90, { client.append(to: index, by: port) }) else {
        return "port \(port) answers no call"
      }
    }
    let outage = start.duration(to: .now) / .seconds(1)
    let isWhole = eventually(within: 120) { (try? Cluster.control("name", "sync")) != nil }
    // The events of the other servers may follow.
    Thread.sleep(forTimeInterval: 2)
    let lines = TreeEvents.lines(of: events).dropFirst(before)
    let ended = lines.count { $0 != "leaseEnded" && $0 != "leaseRevived" }
    report(
      String(format: "%.1f s until all servers answer after ", outage) + fault.rawValue
        + "; leases ended: \(lines.count { $0 == "leaseEnded" }), trees ended: \(ended)")
    if !isWhole { return "the cluster has no synchronous replica" }
    // A server that was stopped has lost its trees to the others.
    return ended > 0 && fault != .stopServer ? "\(ended) trees were ended, or leases lost" : nil
  }

  private func pause(_ node: String) throws {
    try Cluster.control("stop", node)
    Thread.sleep(forTimeInterval: 12)
    try Cluster.control("continue", node)
  }
}

/// The cluster of `Scripts/with-patroni`.
private enum Cluster {
  /// Runs an action, and returns what it prints.
  @discardableResult
  static func control(_ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL =
      URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../../../../with-patroni"
      ).standardizedFileURL
    process.arguments = ["--control"] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Database.Failed(command: "with-patroni --control \(arguments.joined(separator: " "))")
    }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

/// A file to which servers append a line when a tree is ended by another owner, or their lease ends.
enum TreeEvents {
  static let variable = "RIBS_OWNERS_EVENTS"

  /// Then no tree is ended because it is idle: a repeated release of one that another process has claimed looks the same.
  static var areRecorded: Bool { ProcessInfo.processInfo.environment[variable] != nil }

  static func append(_ line: String) {
    guard let path = ProcessInfo.processInfo.environment[variable] else { return }
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    if file >= 0 {
      writeLine(line, to: file)
      close(file)
    }
  }

  static func lines(of path: String) -> [String] {
    (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
  }
}
