// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import RIBs

@Suite("A restore of a tree") @MainActor
struct RestorePhaseTests {
  @Test("has these transitions, and no others")
  func transitions() {
    #expect(
      TestSupport.transitions(of: RestorePhase.allCases, by: RestorePhase.Event.allCases, RestorePhase.after) == [
        "launching ended launched", "launching failed refused", "launched began activating",
        "activating ended launched",
      ])
  }

  /// What happens to a restored tree.
  enum Action: CaseIterable {
    /// Code attaches a child of the root, the first time one with a record, or detaches it.
    case attach, detach
    /// Code attaches a child of another class with a record to the root.
    case attachBadge
    /// The topmost child of the root's stack goes. The first time the one below it becomes active, whose code attaches a
    /// badge with a record.
    case pop
    case end
  }

  /// A record that can't be read.
  enum Damage: CaseIterable {
    case none
    /// That of the badge that code attaches to the root.
    case badge
    /// That of the badge below the covered child.
    case coveredBadge
  }

  @Test(
    "gives each child its record before its activation, keeps it until then and no longer, and ends at one that can't be read",
    arguments: Damage.allCases)
  func everyOrder(_ damage: Damage) throws {
    let document = try makeDocument(damage)
    let length = 3
    let count = Action.allCases.count
    for number in 0..<Array(repeating: count, count: length).reduce(1, *) {
      var rest = number
      let actions = (0..<length).map { _ in
        defer { rest /= count }
        return Action.allCases[rest % count]
      }
      let faults = try play(actions, document, damage)
      #expect(faults.isEmpty, "\(actions), \(damage)")
    }
  }

  /// A root with a child 77 and a badge 5, which code has attached, and a covered child with a badge 6.
  private func makeDocument(_ damage: Damage) throws -> String {
    let root = SavedRouter()
    let tree = Tree.launched(root)
    root.kept.push(.branch(1))
    let covered = try #require(root.kept.child as? SavedRouter)
    for case let badge as BadgeRouter in covered.children { badge.interactor.savedState = 6 }
    root.kept.push(.leaf(3))
    let late = SavedRouter()
    root.attachChild(late)
    late.interactor.savedState.number = 77
    let badge = BadgeRouter(interactor: BadgeInteractor())
    root.attachChild(badge)
    badge.interactor.savedState = 5
    let document = try tree.document()
    tree.end()
    return switch damage {
    case .none: document
    case .badge: document.replacing("\"state\":5", with: "\"state\":\"five\"")
    case .coveredBadge: document.replacing("\"state\":6", with: "\"state\":\"six\"")
    }
  }

  /// Restores the tree, and does the actions.
  ///
  /// - Returns: what is wrong.
  private func play(_ actions: [Action], _ document: String, _ damage: Damage) throws -> [String] {
    let root = SavedRouter()
    let ends = Journal()
    let tree = try Tree.restoring(
      root, from: document,
      TreeConfiguration(leakDetection: .off, onMisuse: { _ in }, onEnd: { ends.write("\($0)") }))
    tree.launch()
    var faults: [String] = []
    func check(_ isTrue: Bool, _ fault: String) { if !isTrue { faults.append(fault) } }
    // What must be saved, in a RIB or in a record that none has taken.
    var texts: Set = [
      "\"number\":77", damage == .badge ? "\"five\"" : "\"state\":5",
      damage == .coveredBadge ? "\"six\"" : "\"state\":6",
    ]
    // What must not be saved.
    var gone: Set<String> = []
    var (late, lateState, badgeState, pops): (SavedRouter?, Int, Int, Int) = (nil, 77, 5, 0)
    var end: String?
    for action in actions where end == nil {
      switch action {
      case .attach:
        guard late == nil else { continue }
        let child = SavedRouter()
        root.attachChild(child)
        check(child.interactor.stateAtActivation?.number == lateState, "\(lateState) at activation")
        (late, lateState) = (child, 0)
      case .detach:
        guard let child = late else { continue }
        root.detachChild(child)
        late = nil
        if let text = texts.remove("\"number\":77") { gone.insert(text) }
      case .attachBadge:
        let badge = BadgeRouter(interactor: BadgeInteractor())
        root.attachChild(badge)
        if damage == .badge {
          end = "refused"
        } else {
          check(badge.interactor.stateAtActivation == badgeState, "\(badgeState) at activation")
          badgeState = 0
        }
      case .pop:
        guard pops < 2 else { continue }
        pops += 1
        root.kept.pop()
        if pops == 2 {
          if let text = texts.remove("\"state\":6") { gone.insert(text) }
        } else if damage == .coveredBadge {
          end = "refused"
        } else {
          let badge = (root.kept.child as? SavedRouter)?.children.lazy.compactMap { $0 as? BadgeRouter }.first
          check(badge?.interactor.stateAtActivation == 6, "6 at activation")
        }
      case .end:
        tree.end()
        end = "ended"
      }
      if end == nil {
        let saved = try tree.document()
        for text in texts { check(saved.ranges(of: text).count == 1, "\(text) lost or doubled after \(action)") }
        for text in gone { check(!saved.contains(text), "\(text) kept after \(action)") }
      }
    }
    if end == nil { tree.end() }
    let badge = damage == .coveredBadge ? "Saved/Saved/Badge" : "Saved/Badge"
    let isRefused =
      ends.lines.first?.hasPrefix("it was not restored: \(badge): The state can't be decoded") == true
    check(ends.lines.count == 1 && isRefused == (end == "refused"), "\(ends.lines)")
    return faults
  }
}
