// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestDatabase

/// Clients that append and read while things fail, and the judgment of what they have seen.
final class Load: Sendable {
  private enum State { case running, paused, over }

  let history: History
  private let servers: Servers
  private let trees: Int
  private let timeout: Int
  private let state = Mutex(State.running)
  private let clients = DispatchGroup()
  /// The threads with a request.
  private let requests = DispatchGroup()

  /// - Parameter timeout: how long a client waits for an answer, in seconds.
  init(_ servers: Servers, trees: Int, timeout: Int) {
    (self.servers, self.trees, self.timeout, history) = (servers, trees, timeout, History(trees: trees))
  }

  func client(_ name: String, timeout: Int) -> Client {
    Client(name, servers.ports, history, trees: trees, timeout: timeout)
  }

  func start() {
    for number in 0..<16 {
      clients.enter()
      Thread.detachNewThread { [self] in
        let client = client("client \(number)", timeout: timeout)
        while let mayRequest = begin() {
          if mayRequest {
            client.step()
            requests.leave()
          } else {
            Thread.sleep(forTimeInterval: 0.01)
          }
        }
        clients.leave()
      }
    }
  }

  /// - Returns: whether a request may be sent; nil if the time is over.
  private func begin() -> Bool? {
    state.withLock { state in
      if state == .running { requests.enter() }
      return state == .over ? nil : state == .running
    }
  }

  /// Waits until all requests are answered, and sends none until `resume()`.
  func pause() {
    state.withLock { $0 = .paused }
    requests.wait()
  }

  func resume() { state.withLock { $0 = .running } }

  /// Ends the clients, reads all trees, of which everything that was acknowledged must be there, and reports.
  ///
  /// - Parameters:
  ///   - problems: what took too long, or could not be done.
  ///   - seconds: how long the trees may be out of reach at the end.
  ///   - isRecorded: whether the database has recorded its writes.
  func end(
    _ faults: String, _ problems: [String], within seconds: Double, isRecorded: Bool
  ) throws -> Outcome {
    state.withLock { $0 = .over }
    clients.wait()
    let reader = client("the last reader", timeout: 10)
    let end = ContinuousClock.now + .seconds(seconds)
    var unread = Array(0..<trees)
    while !unread.isEmpty, ContinuousClock.now < end {
      unread = unread.filter { !reader.read($0) }
      if !unread.isEmpty { Thread.sleep(forTimeInterval: 0.05) }
    }
    let counts = history.counts
    report("\(counts.appends) appended, \(counts.reads) read, \(counts.failures) without an answer; \(faults)")
    var problems = problems
    if !unread.isEmpty { problems.append("\(unread.count) trees could not be read at the end") }
    if counts.appends == 0 || counts.reads == 0 { problems.append("nothing was appended or read") }
    var violations = history.violations
    if isRecorded {
      for line in try Database.run(Database.violations) {
        violations.append("tree, fence, version, then fence, version: \(line)")
      }
      let writes = try Database.run("SELECT count(*), max(fence) FROM write_log")
      report("writes and largest fence: \(writes.joined())")
    }
    for violation in violations.prefix(10) { report("VIOLATION \(violation.prefix(300))") }
    for problem in problems { report("FAILED: \(problem)") }
    if !violations.isEmpty { report("\(violations.count) violations") }
    guard violations.isEmpty else { return .violated }
    guard problems.isEmpty else { return .failed }
    report("Nothing was lost, repeated or out of date.")
    return .good
  }
}
