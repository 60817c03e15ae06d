// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Counting
import Foundation

/// The instructions of an HTTP request that a session answers, as a tree and as an actor, on a server of SwiftNIO.
/// Counted with valgrind, because the difference is smaller than that of two measurements of time; empty without it.
/// `Scripts/check-requests` includes it.
func httpCase() throws -> [Measurement] {
  guard Count.isAvailable else { return [] }
  let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "HTTPEcho").path
  // Which thread waits for which depends on timing, so the best of several counts is compared.
  let requests = 1_000
  func instructions(_ session: String) throws -> Double {
    let few = try Count(of: program, session, String(requests)).instructions
    let many = try Count(of: program, session, String(2 * requests)).instructions
    return Double(many - few) / Double(requests)
  }
  var (tree, plain) = (Double.infinity, Double.infinity)
  for _ in 0..<2 {
    plain = min(plain, try instructions("actor"))
    tree = min(tree, try instructions("tree"))
  }
  return [Measurement("an HTTP request to a session", tree, over: plain, unit: "instructions", .atMost(1.02))]
}
