// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
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
  private func start(_ machine: SimulatedMachine) async throws -> [Known?] {
    let trees = try machine.open()
    for (id, (start, _)) in Self.plan.enumerated() {
      if let start { try await trees.save("\(id)", start.text, isAwake: start.isAwake, wakes: start.wakes) }
    }
    await trees.store.close()
    return Self.plan.map(\.0)
  }

  /// Takes one step of each tree in one save. Returns whether the save returned, or nil if the process ended before.
  private func step(
    _ machine: SimulatedMachine, _ known: [Known?], _ text: String, shift: Int, endingAfter last: Int?
  ) async throws -> (next: [Known?], isSaved: Bool, calls: Int) {
    let trees = try machine.open()
    var (records, next): ([TreeRecord], [Known?]) = ([], [])
    for id in known.indices {
      let step = Self.plan[(id + shift) % Self.plan.count].1
      records.append(step.record(try await trees.claim("\(id)"), known[id], text))
      next.append(step.result(known[id], text))
    }
    machine.plan(last.map { [$0: .isLast] } ?? [:])
    let isSaved = (try? await trees.store.save(records)) == []
    return (next, isSaved, machine.calls.count)
  }

  /// What a new process finds.
  private func lookAtAll(_ machine: SimulatedMachine) async throws -> [Known?] {
    let trees = try machine.open()
    let due = try await trees.due()
    var found: [Known?] = []
    for id in Self.plan.indices {
      found.append(known(try await trees.claim("\(id)"), isDue: due.contains("\(id)")))
    }
    await trees.store.close()
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
    var (last, isEveryPointTried) = (0, false)
    while !isEveryPointTried {
      // Debug builds try every fourth point.
      last += Thoroughness.isExhaustive ? 1 : 4
      let machine = SimulatedMachine()
      let before = try await start(machine)
      let (after, isSaved, calls) = try await step(machine, before, "new", shift: 0, endingAfter: last)
      isEveryPointTried = calls < last
      end(machine, remainder)
      let found = try await lookAtAll(machine)
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
      let (next, isSavedAgain, _) = try await step(machine, found, "newer", shift: last, endingAfter: nil)
      #expect(isSavedAgain)
      end(machine, remainder)
      let foundAgain = try await lookAtAll(machine)
      #expect(foundAgain == next, "after call \(last), and a second save")
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
        // Debug builds try every eighth pair, half of the pairs of steps in all.
        guard Thoroughness.isExhaustive || (number + number / 8 * 2 + other) % 8 == 0 else { continue }
        var (last, isEveryPointTried) = (0, false)
        while !isEveryPointTried {
          last += 1
          let machine = SimulatedMachine()
          if let start {
            try await machine.open().save("0", start.text, isAwake: start.isAwake, wakes: start.wakes)
          }
          machine.killProcess()
          let (_, isFirstSaved, calls) = try await take(first, machine, start, "new", endingAfter: last)
          isEveryPointTried = calls < last
          end(machine, remainder)
          let between = try await look(machine)
          #expect(between == first.result(start, "new") || !isFirstSaved && between == start)
          // Every other time the second save is interrupted, too.
          let secondLast = last.isMultiple(of: 2) ? nil : 3 + last / 2
          let (next, isSecondSaved, _) = try await take(second, machine, between, "newer", endingAfter: secondLast)
          end(machine, remainder)
          let found = try await look(machine)
          #expect(
            found == next || !isSecondSaved && found == between,
            """
            \(start as Any), \(first) until call \(last), \(between as Any), \(second) until call \
            \(secondLast ?? 0): \(found as Any)
            """)
        }
      }
    }
  }

  private func take(
    _ step: Step, _ machine: SimulatedMachine, _ known: Known?, _ text: String, endingAfter last: Int?
  ) async throws -> (next: Known?, isSaved: Bool, calls: Int) {
    let trees = try machine.open()
    let record = step.record(try await trees.claim("0"), known, text)
    machine.plan(last.map { [$0: .isLast] } ?? [:])
    let isSaved = (try? await trees.store.save([record])) == []
    return (step.result(known, text), isSaved, machine.calls.count)
  }

  private func look(_ machine: SimulatedMachine) async throws -> Known? {
    let trees = try machine.open()
    let isDue = try await trees.due() == ["0"]
    let found = known(try await trees.claim("0"), isDue: isDue)
    machine.killProcess()
    return found
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
