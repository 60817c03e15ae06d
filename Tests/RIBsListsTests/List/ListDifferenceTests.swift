// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
internal import Foundation
import RIBs
import RIBsLists
import Testing

@Suite("The difference of two lists", .folded)
struct ListDifferenceTests {
  @Test("says what goes and comes in the positions of the list where it is")
  func mixed() throws {
    let difference = try replay(rows(Array(0...8)), rows([0, 2, 3, 4, 7, 6, 9, 5, 10]))
    #expect((difference.deletes, difference.inserts) == ([1, 8], [6, 8]))
    #expect((difference.moves, difference.updates) == ([.init(old: 7, new: 4), .init(old: 6, new: 5)], []))
  }

  @Test(
    "refuses an identity that the new list has twice, wherever it is, and says where",
    arguments: [
      ([], [1, 1], 0, 1), ([1], [1, 1], 0, 1), ([1, 2], [1, 2, 1], 0, 2), ([1, 2], [2, 1, 2], 0, 2),
      ([1, 2, 3], [1, 3, 3], 1, 2), ([1, 2, 3, 4], [1, 9, 3, 9, 4], 1, 3), ([5, 6], [7, 8, 7], 0, 2),
      (Array(0..<10), [0, 1, 2, 3, 4, 20, 21, 22, 23, 24, 25, 0, 5, 6, 7, 8, 9], 0, 11),
      (Array(0..<10), [0, 1, 2, 3, 4, 20, 21, 9, 22, 23, 24, 25, 5, 6, 7, 8, 9], 7, 16),
      (Array(0..<10), [0, 1, 9, 2, 3, 4, 5, 6, 7, 8, 9], 2, 10), ([1, 2, 3], [3, 2, 1, 3], 0, 3),
    ])
  func repeated(old: [Int], new: [Int], first: Int, second: Int) {
    do throws(RepeatedIdentity) {
      _ = try ListDifference(from: rows(old), to: rows(new))
      Issue.record("Nothing was thrown.")
    } catch {
      #expect((error.first, error.second) == (first, second))
      #expect(error.identity == "\(new[first])")
      #expect(
        error.description == "The list has the identity \(new[first]) twice, at \(first) and at \(second). "
          + "Remove one of them, or give each element its own identity.")
    }
  }

  @Test("refuses an identity that the old list has twice, where it matters")
  func repeatedInOld() {
    #expect(throws: RepeatedIdentity.self) { try ListDifference(from: rows([1, 2, 1]), to: rows([2, 1, 3])) }
  }

  @Test("of few old and many new elements, and the other way round, comes to an end")
  func fewAndMany() throws {
    for count in [1, 2, 3, 4, 7, 8, 15, 16, 1_000, 10_000] {
      let many = rows(Array((0..<count).map { $0 &* 7_919 + 3 }))
      for few in [[], rows([3]), rows([-1]), rows([-1, 3, -2])] {
        try replay(few, many)
        try replay(many, few)
      }
    }
  }

  @Test("takes about as long for identities that share their low or their high bits as for others")
  func hostileIntegers() throws {
    let count = 20_000
    let clock = ContinuousClock()
    func time(_ id: (Int) -> Int) throws -> Duration {
      let old = rows((0..<count).map(id))
      let new = Array(old.reversed())
      return try (0..<3).map { _ in try clock.measure { _ = try ListDifference(from: old, to: new) } }.min() ?? .zero
    }
    let usual = try time { $0 }
    // A table whose slots are the low bits, or that drops the high ones, takes thousands of times as long.
    for shift in [8, 16, 32, 48] { #expect(try time { $0 << shift } < usual * 50) }
    #expect(try time { Int(bitPattern: UInt($0).byteSwapped) } < usual * 50)
  }

  @Test("works for identities of all types of integers, for strings, and for those whose hashes are all equal")
  func types() throws {
    func check<ID: Hashable>(_ id: (Int) -> ID) throws {
      var random = SplitMix(5)
      for _ in 0..<50 {
        let (old, new) = randomPair(&random)
        try replay(old.map { Named(id: id($0.id)) }, new.map { Named(id: id($0.id)) })
      }
    }
    try check { Int8(truncatingIfNeeded: $0) }
    try check { UInt16(truncatingIfNeeded: $0) }
    try check { Int32(truncatingIfNeeded: -$0) }
    try check { UInt32(truncatingIfNeeded: $0) }
    try check { Int64($0) << 40 }
    try check { UInt64($0) << 40 }
    try check { UInt($0) }
    try check { "feed-item-\($0)" }
    try check { SameHash(value: $0) }
    // What is inserted is looked up among all that went, and what came before.
    try replay(
      [0, 1].map { Named(id: SameHash(value: $0)) }, (0..<8).filter { $0 != 1 }.map { Named(id: SameHash(value: $0)) })
    #expect(throws: RepeatedIdentity.self) {
      try ListDifference(from: [], to: [Named(id: SameHash(value: 1)), Named(id: SameHash(value: 1))])
    }
    try check { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8($0 >> 8), UInt8($0 & 255))) }
  }

  @Test("replays exactly, with the fewest moves, for random pairs of lists")
  func randomPairs() throws {
    let seed = firstSeed()
    let count = Thoroughness.count(usual: 5_000, share: 100_000, whole: 1_000_000)
    print("Differences of lists: seed \(seed), \(count) pairs")
    var random = SplitMix(seed)
    for number in 0..<count {
      let (old, new) = randomPair(&random)
      guard let wrong = wrong(try ListDifference(from: old, to: new), old, new) else { continue }
      Issue.record("seed \(seed), pair \(number): \(wrong)\n\(old.map(\.id))\n\(new.map(\.id))")
      return
    }
  }

  // MARK: Checking

  @discardableResult
  private func replay<Element: Identifiable & Equatable>(_ old: [Element], _ new: [Element]) throws -> ListDifference {
    let difference = try ListDifference(from: old, to: new)
    #expect(wrong(difference, old, new) == nil)
    return difference
  }

  /// Compares a difference with one that is found in another way.
  private func wrong<Element: Identifiable & Equatable>(
    _ difference: ListDifference, _ old: [Element], _ new: [Element]
  ) -> String? {
    let oldPlaces = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1.id, $0) })
    let newPlaces = Dictionary(uniqueKeysWithValues: new.enumerated().map { ($1.id, $0) })
    if difference.deletes != old.indices.filter({ newPlaces[old[$0].id] == nil }) { return "deletes" }
    if difference.inserts != new.indices.filter({ oldPlaces[new[$0].id] == nil }) { return "inserts" }
    let kept = new.indices.compactMap { index in
      oldPlaces[new[index].id].map { ListDifference.Pair(old: $0, new: index) }
    }
    if difference.updates != kept.filter({ old[$0.old] != new[$0.new] }) { return "updates" }
    let longest = longestRun(kept.map(\.old))
    if difference.moves.count != kept.count - longest { return "\(difference.moves.count) moves" }
    if difference.keepsOrder != (old.map(\.id) == new.map(\.id)) { return "keepsOrder" }
    if difference.isEmpty != (old == new) { return "isEmpty" }
    if difference.moves.contains(where: { old[$0.old].id != new[$0.new].id }) { return "a move of another element" }
    if zip(difference.moves, difference.moves.dropFirst()).contains(where: { $0.new >= $1.new }) { return "order" }
    if difference.applied(to: old.map(\.id), inserting: { new[$0].id }) != new.map(\.id) { return "replay" }
    return nil
  }

  /// The length of the longest ascending subsequence, found by trying.
  private func longestRun(_ values: [Int]) -> Int {
    var lengths: [Int] = []
    for (index, value) in values.enumerated() {
      var length = 0
      for other in 0..<index where values[other] < value && lengths[other] > length { length = lengths[other] }
      lengths.append(length + 1)
    }
    return lengths.max() ?? 0
  }

  // MARK: Making lists

  private func rows(_ ids: [Int]) -> [Row] { ids.map { Row($0) } }

  /// One list and what one of many kinds of changes makes of it.
  private func randomPair(_ random: inout SplitMix) -> ([Row], [Row]) {
    let count = random.below(32)
    let old = (0..<64).shuffled(using: &random).prefix(count).map { Row($0, "\(random.below(2))") }
    var new = old
    switch random.below(9) {
    case 0: new.shuffle(using: &random)
    case 1: new.reverse()
    case 2: new = []
    case 3: new = (64..<64 + random.below(96)).map { Row($0) }
    case 4 where count > 1: new.swapAt(random.below(count), random.below(count))
    case 5 where count > 1:
      let middle = random.below(count)
      new = Array(old[middle...] + old[..<middle])
    case 6 where count > 1: new.insert(new.remove(at: random.below(count)), at: random.below(count))
    case 7: new.append(contentsOf: (64..<64 + random.below(8)).map { Row($0) })
    default:
      for _ in 0..<random.below(12) { change(&new, &random) }
    }
    return (old, new)
  }

  private func change(_ rows: inout [Row], _ random: inout SplitMix) {
    let place = random.below(rows.count + 1)
    switch random.below(4) {
    case 0: if place < rows.count { rows.remove(at: place) }
    case 1:
      let id = 64 + random.below(64)
      if !rows.contains(where: { $0.id == id }) { rows.insert(Row(id), at: place) }
    case 2: if place < rows.count { rows.insert(rows.remove(at: place), at: random.below(rows.count + 1)) }
    default: if place < rows.count { rows[place].text = "\(random.below(2))" }
    }
  }
}

private struct Named<ID: Hashable>: Identifiable, Equatable {
  let id: ID
}

private struct SameHash: Hashable {
  let value: Int

  func hash(into hasher: inout Hasher) {}
}
