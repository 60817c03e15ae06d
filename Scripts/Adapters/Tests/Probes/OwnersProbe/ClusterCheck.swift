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
  /// Whether the trees have work that never ends, so that servers open them when they start.
  var areAwake = false
  var usesProxy = false
  var isSynchronous = true
  /// Whether the clock of the server c is ahead.
  var isClockAhead = false
  var faults: [ClusterFault] = []
  /// The repair that is taken out.
  var missing: Repair?

  init?(_ arguments: ArraySlice<String>) {
    var rest = arguments
    while let option = rest.popFirst() {
      switch option {
      case "--awake": areAwake = true
      case "--proxy": usesProxy = true
      case "--asynchronous": isSynchronous = false
      case "--clock-ahead": isClockAhead = true
      case "--fault":
        guard let fault = rest.popFirst().flatMap({ ClusterFault(rawValue: $0) }) else { return nil }
        faults.append(fault)
      case "--without":
        guard let repair = rest.popFirst().flatMap({ Repair(rawValue: $0) }) else { return nil }
        missing = repair
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
    if let missing, faults.isEmpty { faults = missing.faults }
    if isClockAhead, faults.isEmpty { faults = [.clock] }
    if faults.isEmpty { faults = ClusterFault.allCases.filter { $0.isPossible(in: self) } }
    guard faults.allSatisfy({ $0.isPossible(in: self) }) else { return nil }
  }
}

/// What happens to the cluster.
enum ClusterFault: String, CaseIterable, Sendable {
  /// The synchronous replica becomes the primary, in order.
  case switchover
  /// The primary and its Patroni are killed.
  case kill
  /// The same, and a server of trees reaches the next primary three seconds after the others.
  case killLate = "kill-late"
  /// The primary and a server of trees are killed, after the replicas have received nothing for some seconds.
  case killBehind = "kill-behind"
  /// The same, and meanwhile an operator cancels the waits for them.
  case cancel
  /// The synchronous replica is stopped for twelve seconds: commits wait, or Patroni chooses another one.
  case stopReplica = "stop-replica"
  /// Both replicas are stopped for 40 seconds: commits wait.
  case stopReplicas = "stop-replicas"
  /// The primary, and its Patroni, are cut off from the other servers and from etcd for 40 seconds. Servers of trees still
  /// reach it.
  case cutPrimary = "cut-primary"
  /// The Patroni of the primary hangs for 40 seconds, so that there are two servers that say they can be written.
  case hangPrimary = "hang-primary"
  /// etcd is away for twelve seconds.
  case stopEtcd = "stop-etcd"
  /// A server of trees is stopped for longer than its lease.
  case stopServer = "stop-server"
  /// A server of trees is cut off from the database, and stopped, for longer than its lease. Then its saves arrive before
  /// it knows that others have its trees.
  case cut
  /// All servers of trees are shut down in order, and started.
  case restart
  /// 50 more servers of trees start at once, with fewer connections than they want.
  case start
  /// The last claims and saves are lost with the primary, and two servers of trees don't know it.
  case loseTail = "lose-tail"
  /// The same, by a backup that is restored.
  case restore
  /// The server whose clock is ahead becomes the primary.
  case clock

  func isPossible(in plan: ClusterPlan) -> Bool {
    switch self {
    case .cancel, .stopReplicas, .hangPrimary: plan.isSynchronous
    case .loseTail: !plan.isSynchronous
    case .clock: plan.isClockAhead && plan.isSynchronous
    default: true
    }
  }

  /// Whether another server of trees has a reason to claim some. While a Patroni hangs, they may be at different primaries.
  var movesTrees: Bool { [.hangPrimary, .stopServer, .cut, .loseTail, .restore, .clock].contains(self) }
}

/// Runs servers of trees over the cluster of `Scripts/with-patroni`, whose servers fail.
final class ClusterCheck: Sendable {
  private let plan: ClusterPlan
  private let servers: Servers
  private let load: Load
  /// Those between each server of trees and the database.
  private let proxies: [[Proxy]]
  private let events = NSTemporaryDirectory() + "ribs-failover-\(getpid())"

  /// The cluster is not as a fault needs it.
  struct NotReady: Error, CustomStringConvertible { let description: String }

  init(_ plan: ClusterPlan) throws {
    self.plan = plan
    let ports = try Cluster.ports(byProxy: plan.usesProxy)
    let edits = plan.missing?.edits ?? []
    proxies = try (0..<3).map { _ in try ports.map { try Proxy(to: $0, edits) } }
    servers = try Servers(stores: proxies.map { ClusterCheck.url($0, plan) })
    load = Load(servers, trees: plan.trees, timeout: 60)
    setenv(TreeEvents.variable, events, 1)
    if plan.areAwake { NumbersServer.keepTreesAwake() }
  }

  private static func url(_ proxies: [Proxy], _ plan: ClusterPlan) -> String {
    let hosts = proxies.map { "127.0.0.1:\($0.port)" }.joined(separator: ",")
    return "postgres://app@\(hosts)/postgres\(plan.missing?.parameters ?? "")"
  }

  func run() throws -> Outcome {
    defer {
      servers.end()
      unlink(events)
    }
    for index in servers.ports.indices { try servers.start(index, lease: plan.lease) }
    // The first claim has made the tables.
    try Database.run(Database.recording)
    if plan.areAwake, reachAll() > 0 { throw NotReady(description: "the trees can't be opened") }
    load.start()
    Thread.sleep(forTimeInterval: 2)
    var problems: [String] = []
    var count = 0
    let end = ContinuousClock.now + .seconds(plan.minutes * 60)
    repeat {
      for fault in plan.faults where problems.isEmpty {
        try waitUntilReady(for: fault)
        count += 1
        if let problem = try inject(fault) { problems.append("\(fault.rawValue): \(problem)") }
      }
    } while ContinuousClock.now < end && problems.isEmpty
    let tolerated = load.history.tolerated
    let faults = "\(count) faults" + (tolerated == 0 ? "" : "; \(tolerated) reads before what was lost or late")
    let outcome = try load.end(faults, problems, within: 60, isRecorded: true)
    // A server that does not recover, and a tree that ends, is what this check is for.
    return outcome == .failed ? .violated : outcome
  }

  private func eventually(within seconds: Double, _ isDone: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while try !isDone() {
      if ContinuousClock.now >= end { return false }
      Thread.sleep(forTimeInterval: 0.05)
    }
    return true
  }

  /// Waits until the primary has both replicas, for two seconds without a break: Patroni may have chosen a synchronous one
  /// that is about to start again.
  private func waitUntilReady(for fault: ClusterFault) throws {
    var since: ContinuousClock.Instant?
    let isReady = eventually(within: 180) {
      guard Cluster.isWhole(isSynchronous: plan.isSynchronous) else {
        since = nil
        return false
      }
      let first = since ?? .now
      since = first
      return first.duration(to: .now) >= .seconds(2)
    }
    if isReady { return }
    let list = (try? Cluster.control("list")) ?? "patronictl list fails"
    throw NotReady(
      description:
        "before \(fault.rawValue), the primary has not had both replicas for two seconds, within three minutes\n\(list)"
    )
  }

  /// Lets something fail, and waits until everything works again.
  ///
  /// - Returns: what did not recover, or was ended without need.
  private func inject(_ fault: ClusterFault) throws -> String? {
    let before = TreeEvents.lines(of: events).count
    let start = ContinuousClock.now
    // Without synchronous replication the last answers may be lost with the primary; and if the clock of the database is
    // set forward, an owner may answer reads that it should not, until its own clock ends its lease.
    let losesAnswers = !plan.isSynchronous && [.kill, .killLate, .killBehind, .cutPrimary].contains(fault)
    load.history.tolerate(losesAnswers || fault == .clock)
    var problem: String?
    switch fault {
    case .switchover: try switchOver()
    case .kill: try killPrimary()
    case .killLate:
      let index = randomServer()
      for proxy in proxies[index] { proxy.hold() }
      try killPrimary()
      _ = eventually(within: plan.lease) {
        TreeEvents.lines(of: events).dropFirst(before).count { $0 == "leaseRevived" } >= servers.ports.count - 1
      }
      Thread.sleep(forTimeInterval: 3)
      for proxy in proxies[index] { proxy.release() }
    case .killBehind:
      try holdLog()
      Thread.sleep(forTimeInterval: 3)
      try killPrimaryAndServer()
    case .cancel:
      try holdLog()
      for _ in 0..<5 {
        Thread.sleep(forTimeInterval: 0.5)
        try Database.run("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
      }
      try killPrimaryAndServer()
    case .stopReplica: try pause([role("sync")], seconds: 12)
    case .stopReplicas: problem = try stopReplicas()
    case .cutPrimary: try isolatePrimary("cut", "join")
    case .hangPrimary: try isolatePrimary("hang", "continue")
    case .stopEtcd: try pause(["etcd"], seconds: 12)
    case .stopServer:
      let index = randomServer()
      servers.stop(index)
      Thread.sleep(forTimeInterval: plan.lease * 1.5)
      servers.resume(index)
    case .cut:
      let index = randomServer()
      for proxy in proxies[index] { proxy.hold() }
      Thread.sleep(forTimeInterval: 0.1)
      servers.stop(index)
      Thread.sleep(forTimeInterval: plan.lease * 1.5)
      for proxy in proxies[index] { proxy.release() }
      Thread.sleep(forTimeInterval: 0.1)
      servers.resume(index)
    case .restart: problem = try restart()
    case .start: problem = try startMany()
    case .loseTail:
      try holdLog()
      try loseClaims { try killPrimary(dropsLog: true) }
    case .restore:
      try Cluster.control("backup")
      try loseClaims { try Cluster.control("restore") }
    case .clock: try failOverToClockAhead()
    }
    let client = load.client("the client of \(fault.rawValue)", timeout: 30)
    for (index, port) in servers.ports.enumerated() where problem == nil {
      if !eventually(within: 90, { client.append(to: index % plan.trees, by: port) }) {
        problem = "port \(port) answers no call"
      }
    }
    if plan.areAwake, problem == nil {
      let missed = reachAll()
      if missed > 0 { problem = "\(missed) trees could not be reached" }
    }
    let outage = start.duration(to: .now) / .seconds(1)
    if losesAnswers || fault == .clock {
      // Until then, trees that have lost their claims may be found.
      Thread.sleep(forTimeInterval: plan.lease)
      if losesAnswers { whilePaused { load.history.forget() } }
      load.history.tolerate(false)
    }
    // The events of the other servers may follow.
    Thread.sleep(forTimeInterval: 2)
    let lines = TreeEvents.lines(of: events).dropFirst(before)
    let ended = lines.count { $0 != "leaseEnded" && $0 != "leaseRevived" }
    report(
      String(format: "%.1f s until all \(plan.areAwake ? "trees" : "servers") answer after ", outage) + fault.rawValue
        + "; leases ended: \(lines.count { $0 == "leaseEnded" }), trees ended: \(ended)")
    if let problem { return problem }
    // The claims that were lost with answers are those of trees that end.
    return ended > 0 && !fault.movesTrees && !losesAnswers ? "\(ended) trees were ended, or leases lost" : nil
  }

  private func randomServer() -> Int { Int.random(in: servers.ports.indices) }

  private func whilePaused(_ body: () throws -> Void) rethrows {
    load.pause()
    defer { load.resume() }
    try body()
  }

  /// The name of the server with a role.
  private func role(_ role: String) throws -> String {
    guard eventually(within: 60, { Cluster.name(role) != nil }), let name = Cluster.name(role) else {
      throw NotReady(description: "no server of the cluster is \(role)")
    }
    return name
  }

  private var replicas: [String] {
    get throws {
      let primary = try role("primary")
      return ["a", "b", "c"].filter { $0 != primary }
    }
  }

  // MARK: Faults of the cluster

  private func pause(_ nodes: [String], seconds: Double) throws {
    for node in nodes { try Cluster.control("stop", node) }
    Thread.sleep(forTimeInterval: seconds)
    for node in nodes { try Cluster.control("continue", node) }
  }

  /// Lets the others elect a new primary, while the old one runs.
  private func isolatePrimary(_ begin: String, _ end: String) throws {
    let old = try role("primary")
    try Cluster.control(begin, old)
    Thread.sleep(forTimeInterval: 40)
    let isReplaced = eventually(within: 60) { Cluster.name("primary").map { $0 != old } ?? false }
    try Cluster.control(end, old)
    if !isReplaced { throw NotReady(description: "no replica has become the primary") }
  }

  private func switchOver() throws {
    let old = try role("primary")
    // Patroni refuses it while it does not know the replica's position.
    let isDone = eventually(within: 60) {
      (try? Cluster.control("switchover")) != nil
        && eventually(within: 30) { Cluster.name("primary").map { $0 != old } ?? false }
    }
    if !isDone { throw NotReady(description: "Patroni does not switch over") }
  }

  private func holdLog() throws { for node in try replicas { try Cluster.control("hold", node) } }

  /// Kills the primary, waits for the next one, and starts it again as a replica.
  ///
  /// - Parameter dropsLog: whether what the replicas have not received is lost with it.
  private func killPrimary(dropsLog: Bool = false) throws {
    let (old, replicas) = (try role("primary"), try replicas)
    try Cluster.control("kill", old)
    if dropsLog { for node in replicas { try Cluster.control("drop", node) } }
    let isReplaced = eventually(within: 90) { Cluster.name("primary").map { $0 != old } ?? false }
    try Cluster.control("start", old)
    if !isReplaced { throw NotReady(description: "no replica has become the primary") }
  }

  /// Kills the primary with what the replicas have not received, and a server of trees. One that lives saves again what
  /// the database has lost, because it revives its lease.
  private func killPrimaryAndServer() throws {
    servers.kill(0)
    try killPrimary(dropsLog: true)
    try servers.start(0, lease: plan.lease)
  }

  /// - Returns: what is wrong with the sessions meanwhile.
  private func stopReplicas() throws -> String? {
    let nodes = try replicas
    for node in nodes { try Cluster.control("stop", node) }
    var most = 0
    let end = ContinuousClock.now + .seconds(40)
    while ContinuousClock.now < end {
      Thread.sleep(forTimeInterval: 1)
      most = max(most, try sessions())
    }
    for node in nodes { try Cluster.control("continue", node) }
    report("at most \(most) sessions while commits wait")
    // Each server has three, and for a moment twice as many.
    return most <= 18 ? nil : "\(most) sessions"
  }

  private func sessions() throws -> Int {
    let count = try Database.run("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'swift-ribs'")
    return Int(count.first ?? "") ?? 0
  }

  /// Makes the server c the synchronous replica, and kills the primary.
  private func failOverToClockAhead() throws {
    if try role("primary") == "c" {
      try switchOver()
      try waitUntilReady(for: .clock)
    }
    let other = try role("sync")
    if other != "c" {
      try Cluster.control("kill", other)
      let isChosen = eventually(within: 60) { Cluster.name("sync") == "c" }
      try Cluster.control("start", other)
      if !isChosen { throw NotReady(description: "c has not become the synchronous replica") }
      try waitUntilReady(for: .clock)
    }
    try killPrimary()
    if try role("primary") != "c" { throw NotReady(description: "c has not become the primary") }
  }

  // MARK: Faults of servers of trees

  /// Lets two servers of trees claim those of the third. The database forgets it, while they are stopped. The third one
  /// starts again, and claims what it had; then they continue.
  private func loseClaims(_ forget: () throws -> Void) throws {
    let client = load.client("the client after the loss", timeout: 30)
    servers.stop(0)
    Thread.sleep(forTimeInterval: plan.lease * 1.5)
    try whilePaused {
      for index in 1...2 { servers.stop(index) }
      servers.kill(0)
      try forget()
      load.history.forget()
      try servers.start(0, lease: plan.lease)
      for tree in 0..<plan.trees { _ = client.append(to: tree, by: servers.ports[0]) }
      for index in 1...2 { servers.resume(index) }
    }
  }

  /// - Returns: what did not recover.
  private func restart() throws -> String? {
    let start = ContinuousClock.now
    func seconds() -> Double { start.duration(to: .now) / .seconds(1) }
    var isOpen = true
    try whilePaused {
      servers.shutDown()
      let end = seconds()
      for index in servers.ports.indices { try servers.start(index, lease: plan.lease) }
      if plan.areAwake { isOpen = eventually(within: 300) { opened() >= plan.trees } }
      report(
        String(format: "%.1f s until the servers were shut down, %.1f s until they were started", end, seconds() - end))
    }
    return isOpen ? nil : "only \(opened()) trees were opened"
  }

  /// The trees that the servers have opened since they were started.
  private func opened() -> Int {
    let client = load.client("the client that counts", timeout: 30)
    return servers.ports.reduce(0) { $0 + (client.request("opened", to: $1).flatMap { Int($0) } ?? 0) }
  }

  /// Reaches each tree once.
  ///
  /// - Returns: the trees that were not reached.
  private func reachAll() -> Int {
    let missed = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 16) { number in
      let client = load.client("the client of all", timeout: 60)
      for tree in stride(from: number, to: plan.trees, by: 16)
      where !eventually(within: 90, { client.append(to: tree) }) {
        missed.withLock { $0 += 1 }
      }
    }
    return missed.withLock { $0 }
  }

  /// - Returns: what did not recover.
  private func startMany() throws -> String? {
    let more = try Servers(
      stores: (0..<50).map { ClusterCheck.url(proxies[$0 % proxies.count], plan) })
    defer { more.end() }
    let start = ContinuousClock.now
    let isStarted = DispatchGroup()
    let failures = Mutex(0)
    for index in more.ports.indices {
      isStarted.enter()
      Thread.detachNewThread { [self] in
        do {
          try more.start(index, lease: plan.lease)
          let client = load.client("a client of many", timeout: 30)
          if !eventually(within: 90, { client.append(to: index % plan.trees, by: more.ports[index]) }) {
            failures.withLock { $0 += 1 }
          }
        } catch {
          failures.withLock { $0 += 1 }
        }
        isStarted.leave()
      }
    }
    isStarted.wait()
    let failed = failures.withLock { $0 }
    report(
      String(
        format: "%.1f s until 50 servers that have started at once answer, with ",
        start.duration(to: .now) / .seconds(1))
        + "\(try sessions()) sessions")
    more.shutDown()
    return failed == 0 ? nil : "\(failed) of 50 servers don't answer"
  }
}
