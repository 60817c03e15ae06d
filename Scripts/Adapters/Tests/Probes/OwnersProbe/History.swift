// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// What clients have appended and read.
final class History: Sendable {
  private struct Tree {
    var attempted: Set<Int> = []
    var acknowledged: Set<Int> = []
  }

  private struct State {
    var trees: [Tree]
    var last = 0
    var reads = 0
    var appends = 0
    var failures = 0
    var violations: [String] = []
    /// What would be violations, but may happen now.
    var tolerated = 0
    var isTolerant = false
    /// How often the database has lost answers.
    var losses = 0
  }

  private let state: Mutex<State>

  init(trees: Int) { state = Mutex(State(trees: Array(repeating: Tree(), count: trees))) }

  /// A number that was never appended before.
  func nextNumber(for tree: Int) -> Int {
    state.withLock { state in
      state.last += 1
      state.trees[tree].attempted.insert(state.last)
      return state.last
    }
  }

  func acknowledge(_ number: Int, of tree: Int) {
    state.withLock { state in
      state.trees[tree].acknowledged.insert(number)
      state.appends += 1
    }
  }

  func countFailure() { state.withLock { $0.failures += 1 } }

  /// What a read that begins now must return at least.
  func acknowledged(of tree: Int) -> Set<Int> { state.withLock { $0.trees[tree].acknowledged } }

  /// Checks the result of a read.
  ///
  /// - Parameters:
  ///   - required: what was acknowledged when the read began.
  ///   - previous: what the same client has read before.
  func check(_ numbers: [Int], of tree: Int, by reader: String, required: Set<Int>, previous: [Int]) {
    state.withLock { state in
      state.reads += 1
      let found = Set(numbers)
      let missing = required.subtracting(found).sorted()
      let unknown = found.subtracting(state.trees[tree].attempted).sorted()
      let isOld = !missing.isEmpty || !numbers.starts(with: previous)
      if isOld, state.isTolerant { state.tolerated += 1 }
      if !unknown.isEmpty { state.violations.append("\(reader), tree \(tree): never appended: \(unknown)") }
      if found.count < numbers.count { state.violations.append("\(reader), tree \(tree): a number is there twice") }
      if state.isTolerant { return }
      if !missing.isEmpty { state.violations.append("\(reader), tree \(tree): acknowledged and gone: \(missing)") }
      if !numbers.starts(with: previous) {
        state.violations.append(
          "\(reader), tree \(tree): went back, from \(previous.count) numbers to \(numbers.count)")
      }
    }
  }

  /// From now on, reads may be out of date, or not.
  func tolerate(_ isTolerant: Bool) { state.withLock { $0.isTolerant = isTolerant } }

  /// The number of reads that were out of date while they might be.
  var tolerated: Int { state.withLock { $0.tolerated } }

  /// What was acknowledged until now may be gone, as the database has lost it. Called while no client has a request.
  func forget() {
    state.withLock { state in
      for tree in state.trees.indices { state.trees[tree].acknowledged = [] }
      state.losses += 1
    }
  }

  var losses: Int { state.withLock { $0.losses } }

  var counts: (appends: Int, reads: Int, failures: Int) { state.withLock { ($0.appends, $0.reads, $0.failures) } }
  var violations: [String] { state.withLock { $0.violations } }
}

/// A client: appends to random trees by random servers, and reads them.
final class Client {
  private let name: String
  private let ports: [UInt16]
  private let history: History
  private let trees: Int
  private let timeout: Int
  private var connections: [UInt16: (socket: Int32, lines: LineReader)] = [:]
  private var seen: [Int: [Int]] = [:]
  private var losses = 0

  init(_ name: String, _ ports: [UInt16], _ history: History, trees: Int, timeout: Int) {
    (self.name, self.ports, self.history, self.trees, self.timeout) = (name, ports, history, trees, timeout)
  }

  deinit { for connection in connections.values { close(connection.socket) } }

  func step() {
    let tree = Int.random(in: 0..<trees)
    let isGood = Int.random(in: 0..<10) < 7 ? append(to: tree) : read(tree)
    if !isGood {
      history.countFailure()
      // A server that was killed refuses connections at once.
      Thread.sleep(forTimeInterval: .random(in: 0...0.02))
    }
  }

  /// - Parameter port: the server; nil for a random one.
  func append(to tree: Int, by port: UInt16? = nil) -> Bool {
    let number = history.nextNumber(for: tree)
    guard request("append \(tree) \(number)", to: port) != nil else { return false }
    history.acknowledge(number, of: tree)
    return true
  }

  func read(_ tree: Int) -> Bool {
    if losses != history.losses { (losses, seen) = (history.losses, [:]) }
    let required = history.acknowledged(of: tree)
    guard let text = request("read \(tree)") else { return false }
    let numbers = text.split(separator: " ").compactMap { Int($0) }
    history.check(numbers, of: tree, by: name, required: required, previous: seen[tree] ?? [])
    seen[tree] = numbers
    return true
  }

  /// Sends a request to a random server, and once to where that says it belongs.
  ///
  /// - Returns: what follows `ok`; nil if the outcome is unknown.
  func request(_ text: String, to first: UInt16? = nil) -> String? {
    guard let port = first ?? ports.randomElement(), let answer = exchange(text, with: port) else { return nil }
    if let address = Client.rest(of: answer, after: "elsewhere "),
      let next = address.split(separator: ":").last.flatMap({ UInt16($0) })
    {
      return exchange(text, with: next).flatMap { Client.rest(of: $0, after: "ok ") }
    }
    return Client.rest(of: answer, after: "ok ")
  }

  private static func rest(of answer: String, after word: String) -> String? {
    answer.hasPrefix(word) ? String(answer.dropFirst(word.count)) : nil
  }

  private func exchange(_ text: String, with port: UInt16) -> String? {
    if connections[port] == nil {
      guard let socket = try? Sockets.connect(to: port, timeout: timeout) else { return nil }
      connections[port] = (socket, LineReader(socket))
    }
    guard let socket = connections[port]?.socket else { return nil }
    if writeLine(text, to: socket), let answer = connections[port]?.lines.next() { return answer }
    // A late answer must not be taken for that of the next request.
    close(socket)
    connections[port] = nil
    return nil
  }
}
