// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import TestSupport
import Testing

@Suite("A crash of a store in files")
struct FileStoreCrashTests {
  /// What is known of a tree: its document, whether it is awake, and when it wakes. Nil if it has no record.
  private struct Known: Hashable {
    var text: String
    var isAwake: Bool
    var wakes: WallTime?

    /// Whether it is due: all times of this suite have come.
    var isDue: Bool { isAwake || wakes != nil }
  }

  /// A change of a tree from awake or asleep, or from nothing.
  private enum Step: CaseIterable {
    case stay, move, touch, sleepUnchanged, remove, sleepUntil, sleepUnchangedUntil, sleepLonger

    func record(_ claim: Trees.Claim, _ known: Known?, _ text: String) -> TreeRecord {
      let isAwake = known?.isAwake ?? true
      return switch self {
      case .stay: claim.record(text, isAwake: isAwake)
      case .move: claim.record(text, isAwake: !isAwake, wakes: known?.wakes)
      case .touch: claim.record(.unchanged, isAwake: isAwake, wakes: known?.wakes, isReleased: true)
      case .sleepUnchanged: claim.record(.unchanged, isAwake: !isAwake, wakes: known?.wakes, isReleased: true)
      case .remove: claim.record(.removed)
      case .sleepUntil: claim.record(text, wakes: .noon, isReleased: true)
      case .sleepUnchangedUntil: claim.record(.unchanged, wakes: .noon, isReleased: true)
      case .sleepLonger: claim.record(.unchanged, isAwake: isAwake, wakes: .noon + .seconds(3_600), isReleased: true)
      }
    }

    func result(_ known: Known?, _ text: String) -> Known? {
      switch self {
      case .stay: Known(text: text, isAwake: known?.isAwake ?? true)
      case .move: Known(text: text, isAwake: !(known?.isAwake ?? true), wakes: known?.wakes)
      case .touch: known
      case .sleepUnchanged: known.map { Known(text: $0.text, isAwake: !$0.isAwake, wakes: $0.wakes) }
      case .remove: nil
      case .sleepUntil: Known(text: text, isAwake: false, wakes: .noon)
      case .sleepUnchangedUntil: known.map { Known(text: $0.text, isAwake: false, wakes: .noon) }
      case .sleepLonger: known.map { Known(text: $0.text, isAwake: $0.isAwake, wakes: .noon + .seconds(3_600)) }
      }
    }
  }

  private static let starts: [Known?] = [
    nil, Known(text: "old", isAwake: true), Known(text: "old", isAwake: false),
    Known(text: "old", isAwake: false, wakes: .noon),
  ]
  /// Each step from each start.
  private static let plan = starts.flatMap { start in Step.allCases.map { (start, $0) } }

  /// Saves the start of each tree.
  private func save(_ starts: [Known?], _ machine: SimulatedMachine) async throws {
    let trees = try machine.open()
    for (id, start) in starts.enumerated() {
      if let start { try await trees.save("\(id)", start.text, isAwake: start.isAwake, wakes: start.wakes) }
    }
    machine.killProcess()
  }

  /// Takes one step of each tree in one save. Returns whether the save returned, and how many calls it made.
  private func take(
    _ steps: [Step], _ machine: SimulatedMachine, _ known: [Known?], _ text: String, endingAfter last: Int?
  ) async throws -> (next: [Known?], isSaved: Bool, calls: Int) {
    let trees = try machine.open()
    var records: [TreeRecord] = []
    for (id, step) in steps.enumerated() {
      records.append(step.record(try await trees.claim("\(id)"), known[id], text))
    }
    machine.plan(last.map { [$0: .isLast] } ?? [:])
    let isSaved = (try? await trees.store.save(records)) == []
    return (zip(steps, known).map { $0.result($1, text) }, isSaved, machine.calls.count)
  }

  /// What a new process finds of so many trees.
  private func look(_ machine: SimulatedMachine, count: Int) async throws -> [Known?] {
    let trees = try machine.open()
    let due = try await trees.due()
    var found: [Known?] = []
    for id in 0..<count { found.append(known(try await trees.claim("\(id)"), isDue: due.contains("\(id)"))) }
    machine.killProcess()
    return found
  }

  private func known(_ claim: Trees.Claim, isDue: Bool) -> Known? {
    let known = claim.saved.map {
      Known(text: String(decoding: $0.document, as: UTF8.self), isAwake: $0.isAwake, wakes: $0.wakes)
    }
    #expect(isDue == (known?.isDue ?? false), "\(claim.key), \(known as Any), is \(isDue ? "due" : "not due")")
    return known
  }

  private static let remainders: [SimulatedMachine.Remainder?] =
    [nil, .all, .nothing] + (1...Thoroughness.count(usual: 1, share: 2, whole: 4)).map { .some(seed: $0) }

  /// Crashes the machine, or ends only the process.
  private func end(_ machine: SimulatedMachine, _ remainder: SimulatedMachine.Remainder?) {
    if let remainder { machine.crash(leaving: remainder) } else { machine.killProcess() }
  }

  @Test("leaves each record as it was or as it is after the save, wherever it happens", arguments: remainders)
  func everyPoint(_ remainder: SimulatedMachine.Remainder?) async throws {
    let before = Self.plan.map(\.0)
    let steps = Self.plan.map(\.1)
    var (last, isEveryPointTried) = (0, false)
    while !isEveryPointTried {
      // Debug builds try every thirteenth point.
      last += Thoroughness.isExhaustive ? 1 : 13
      let machine = SimulatedMachine()
      try await save(before, machine)
      let (after, isSaved, calls) = try await take(steps, machine, before, "new", endingAfter: last)
      isEveryPointTried = calls < last
      end(machine, remainder)
      let found = try await look(machine, count: steps.count)
      for id in found.indices {
        let isRight = found[id] == after[id] || !isSaved && found[id] == before[id]
        #expect(
          isRight,
          """
          after call \(last), tree \(id), \(Self.plan[id].1): \(found[id] as Any), \(isSaved ? "saved" : "not saved"), \
          before \(before[id] as Any), after \(after[id] as Any)
          """)
      }
      // A second save finds what the crash left, cleans up, and is durable.
      let shifted = steps.indices.map { steps[($0 + last) % steps.count] }
      let (next, isSavedAgain, _) = try await take(shifted, machine, found, "newer", endingAfter: nil)
      #expect(isSavedAgain)
      end(machine, remainder)
      #expect(try await look(machine, count: steps.count) == next, "after call \(last), and a second save")
      let names = machine.paths.filter { $0.contains("/awake/") || $0.contains("/asleep/") }.map {
        $0.split(separator: "/").last ?? ""
      }
      #expect(names.count == Set(names).count, "a tree has two files: \(names.sorted())")
      #expect(!machine.paths.contains { $0.contains("store.tmp/") })
    }
    #expect(last > 40)
  }

  /// In a batch of its own: other records synchronize the same folders.
  @Test("leaves a single record as it was or as it is after two saves, each interrupted", arguments: remainders)
  func everyPairOfSteps(_ remainder: SimulatedMachine.Remainder?) async throws {
    for (number, (start, first)) in Self.plan.enumerated() {
      for (other, second) in Step.allCases.enumerated() {
        // Debug builds try every eighth pair, half of the pairs of steps in all: two further on for the next start.
        let shift = 2 * (number / Step.allCases.count)
        guard Thoroughness.isExhaustive || (number + shift + other) % Step.allCases.count == 0 else { continue }
        var (last, isEveryPointTried) = (0, false)
        while !isEveryPointTried {
          // Debug builds try every third point of a pair.
          last += Thoroughness.isExhaustive ? 1 : 3
          let machine = SimulatedMachine()
          try await save([start], machine)
          let (_, isFirstSaved, calls) = try await take([first], machine, [start], "new", endingAfter: last)
          isEveryPointTried = calls < last
          end(machine, remainder)
          let between = try await look(machine, count: 1)
          #expect(between == [first.result(start, "new")] || !isFirstSaved && between == [start])
          // Every other time the second save is interrupted, too.
          let secondLast = last.isMultiple(of: 2) ? nil : 3 + last / 2
          let (next, isSecondSaved, _) = try await take([second], machine, between, "newer", endingAfter: secondLast)
          end(machine, remainder)
          let found = try await look(machine, count: 1)
          #expect(
            found == next || !isSecondSaved && found == between,
            """
            \(start as Any), \(first) until call \(last), \(between), \(second) until call \
            \(secondLast ?? 0): \(found)
            """)
        }
      }
    }
  }

  @Test("never allocates a fence twice")
  func fences() async throws {
    for remainder in Self.remainders {
      var fences: [UInt64] = []
      let machine = SimulatedMachine()
      for last in 1...12 {
        let trees = try? machine.open()
        machine.plan([last: .isLast])
        if let claim = try? await trees?.claim("1") { fences.append(claim.fence) }
        end(machine, remainder)
      }
      #expect(fences.count > 3)
      #expect(zip(fences, fences.dropFirst()).allSatisfy { $0 < $1 }, "\(fences)")
    }
  }
}
