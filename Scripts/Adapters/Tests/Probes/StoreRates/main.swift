// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Measures how many trees a second a store claims one after the other, and how many it saves: one after the other, and in
/// groups, as a directory saves those that have changed during a save. See `Scripts/check-saves`.
///
///     StoreRates STORE [SECONDS]
///                        postgres://…, or the file of an SQLite database; exits with 1 if groups of 100 are not at least
///                        ten times as fast
///     StoreRates URL [SECONDS] --neighbours
///                        calls beside a tree whose row is locked, and beside one of 40 MB; exits with 1 if fewer than
///                        90 % are answered, or if they take more than twice as long
import Foundation
import PostgreSQLStore
import RIBsStore
import SQLiteStore

/// Saves groups of trees again and again.
final class StoreRates {
  private let store: any TreeStore
  private let document = [UInt8](repeating: UInt8(ascii: "x"), count: 2_048)
  private var fences: [UInt64] = []
  private var version: UInt64 = 0

  /// How many new trees the store has claimed in a second, one after the other.
  let claims: Double

  struct NotClaimed: Error {}

  init(_ store: any TreeStore) async throws {
    self.store = store
    let owner = TreeOwner()
    _ = try await store.renew(owner, for: .seconds(86_400))
    let start = ContinuousClock.now
    for id in 0..<1_000 {
      let claim = try await store.claim(Self.key(id), by: owner, schema: 1)
      guard case .claimed(let fence, _) = claim else { throw NotClaimed() }
      fences.append(fence)
    }
    claims = Double(fences.count) / (start.duration(to: .now) / .seconds(1))
  }

  private static func key(_ id: Int) -> TreeKey { TreeKey(kind: "rate", id: "\(id)") }

  /// Saves groups of a size for some time.
  ///
  /// - Returns: the number of trees saved in a second.
  nonisolated(nonsending) func rate(ofGroups size: Int, for time: Duration) async throws -> Double {
    var saved = 0
    let start = ContinuousClock.now
    while start.duration(to: .now) < time {
      version += 1
      var records: [TreeRecord] = []
      for id in (saved..<saved + size).map({ $0 % fences.count }) {
        records.append(
          TreeRecord(
            key: Self.key(id), fence: fences[id], version: version, schema: 1, content: .document(document),
            isAwake: true, isReleased: false))
      }
      guard try await store.save(records).isEmpty else { throw NotClaimed() }
      saved += size
    }
    return Double(saved) / (start.duration(to: .now) / .seconds(1))
  }
}

var arguments = CommandLine.arguments
let comparesNeighbours = arguments.last == "--neighbours"
if comparesNeighbours { arguments.removeLast() }
guard arguments.count > 1, let seconds = arguments.count > 2 ? Double(arguments[2]) : 3 else { exit(64) }
if comparesNeighbours {
  let rates = try await Neighbours(arguments[1], time: .seconds(seconds)).measure()
  func text(_ rate: Neighbours.Rate) -> String {
    "\(Int(rate.calls)) a second, 99 of 100 within \(Int(rate.latency * 1_000)) ms"
  }
  print("calls of 200 trees: \(text(rates.alone))")
  print("beside a transaction that stays open: \(text(rates.open))")
  print("beside one that has locked a row: \(text(rates.locked))")
  print("beside a tree of 40 MB: \(text(rates.large))")
  let isFair = [rates.locked, rates.large].allSatisfy {
    $0.calls >= 0.9 * rates.alone.calls && $0.latency <= 2 * rates.alone.latency
  }
  exit(isFair ? 0 : 1)
}
let store: any TreeStore =
  if arguments[1].hasPrefix("postgres:") {
    try await PostgreSQLStore(arguments[1], timeout: .seconds(60))
  } else {
    try await SQLiteStore(path: arguments[1])
  }
let measured = try await StoreRates(store)
var texts = ["\(Int(measured.claims)) claims a second"]
var rates: [Int: Double] = [:]
for size in [1, 10, 100, 1_000] {
  let rate = try await measured.rate(ofGroups: size, for: .seconds(seconds))
  rates[size] = rate
  texts.append("\(Int(rate)) trees a second in groups of \(size)")
}
print(texts.joined(separator: ", "))
exit((rates[100] ?? 0) >= 10 * (rates[1] ?? .infinity) ? 0 : 1)
