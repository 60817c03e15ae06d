// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A payment process: charges each key once, and sometimes loses its answer.
enum Payments {
  static func serve(_ path: String) throws {
    let listener = try Sockets.listen(at: path)
    let ledger = Ledger()
    Thread.detachNewThread {
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { continue }
        var lines = LineReader(client)
        if let line = lines.next() {
          ledger.charge(line.split(separator: " ").map(String.init))
          // One answer in ten is lost, so that the server must ask again with the same key.
          if Int.random(in: 0..<10) > 0 { writeLine("charged", to: client) }
        }
        close(client)
      }
    }
    writeLine("ready", to: STDOUT_FILENO)
    while readLine() != nil {}
    writeLine(ledger.report, to: STDOUT_FILENO)
  }

  /// Charges an amount. Blocks the calling thread.
  static func charge(_ key: String, of order: String, _ cents: Int, at path: String) throws {
    let client = try Sockets.connect(to: path)
    defer { close(client) }
    guard writeLine("\(key) \(order) \(cents)", to: client) else { throw SocketError("write") }
    var lines = LineReader(client)
    guard lines.next() == "charged" else { throw SocketError("The answer was lost") }
  }
}

/// What was charged, by key.
private final class Ledger: Sendable {
  private struct State {
    var charges: [String: (order: String, cents: Int)] = [:]
    var repeats = 0
    var contradictions = 0
  }

  private let state = Mutex(State())

  func charge(_ words: [String]) {
    guard words.count == 3, let cents = Int(words[2]) else { return }
    state.withLock { state in
      if let charge = state.charges[words[0]] {
        state.repeats += 1
        if charge != (words[1], cents) { state.contradictions += 1 }
      } else {
        state.charges[words[0]] = (words[1], cents)
      }
    }
  }

  /// `orders`, `charges`, `cents`, `contradictions`, `repeats`.
  var report: String {
    state.withLock { state in
      let orders = Set(state.charges.values.map(\.order)).count
      let cents = state.charges.values.map(\.cents).reduce(0, +)
      return "\(orders) \(state.charges.count) \(cents) \(state.contradictions) \(state.repeats)"
    }
  }
}
