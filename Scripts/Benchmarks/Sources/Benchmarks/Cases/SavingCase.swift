// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import Workloads

/// Capturing trees of ten thousand RIBs, compared with a manual traversal that copies the states; and restoring a tree of
/// ten RIBs from JSON, compared with building it and decoding its five states by hand.
@MainActor
func savingCase() throws -> [Measurement] {
  return [
    Measurement(
      "capture of a RIB that saves nothing", capturing(grove { Router(interactor: Interactor()) }), .valueAtMost(250)),
    Measurement("capture of a RIB that saves a state", capturing(grove { NoteRouter() }), .valueAtMost(500)),
    try restoring(),
  ]
}

private let quiet = TreeConfiguration(leakDetection: .off)

private struct Note: Codable, Sendable {
  var title = "A note of a user"
  var lines = ["first", "second"]
  var isRead = false
}

private final class NoteInteractor: Interactor, Saving {
  var savedState = Note()
}

private final class NoteRouter: Router<NoteInteractor> {
  init() { super.init(interactor: NoteInteractor()) }
}

/// A root with a slot for a chain of RIBs.
private final class StageRouter: Router<Interactor> {
  lazy var stage = ChildSlot<Int>(of: self) { _, number in
    number.isMultiple(of: 2) ? NoteStageRouter() : StageRouter()
  }

  override var savedChildren: [SavedChildren] { [stage.saved(as: "stage")] }

  init() { super.init(interactor: Interactor()) }
}

private final class NoteStageRouter: Router<NoteInteractor> {
  // ribs:ignore cycle: the saved chain has ten RIBs
  lazy var stage = ChildSlot<Int>(of: self) { _, _ in StageRouter() }

  override var savedChildren: [SavedChildren] { [stage.saved(as: "stage")] }

  init() { super.init(interactor: NoteInteractor()) }
}

/// A root with 10,000 RIBs on three levels.
@MainActor
private func grove(_ build: () -> RouterNode) -> RouterNode {
  let root = build()
  for _ in 0..<1_000 {
    let middle = build()
    for _ in 0..<9 { middle.attachChild(build()) }
    root.attachChild(middle)
  }
  return root
}

@MainActor
private func capturing(_ root: RouterNode) -> Comparison {
  let tree = Tree(root: root, configuration: quiet)
  tree.launch()
  defer { tree.end() }
  return Comparison(
    operations: tree.save().count, baseline: { keep(states(below: root)) }, { keep(tree.save()) })
}

/// The types of all RIBs with their states, collected by hand.
@MainActor
private func states(below root: RouterNode) -> [(type: any AnyObject.Type, state: Note?)] {
  var states: [(type: any AnyObject.Type, state: Note?)] = []
  var waiting = [root]
  while let next = waiting.popLast() {
    states.append((type(of: next), (next as? NoteRouter)?.interactor.savedState))
    for case let child as RouterNode in next.children { waiting.append(child) }
  }
  return states
}

@MainActor
private func restoring() throws -> Measurement {
  let coder = JSONStateCoder()
  /// A chain of ten RIBs, every second with a state.
  func build() -> StageRouter {
    let root = StageRouter()
    var last = root.stage
    for number in 2...10 {
      last.route = number
      switch last.child {
      case let child as StageRouter: last = child.stage
      case let child as NoteStageRouter: last = child.stage
      default: break
      }
    }
    return root
  }
  let tree = Tree(root: build(), configuration: quiet)
  tree.launch()
  defer { tree.end() }
  let document = try tree.save().encoded(by: coder)
  let note = try coder.encode(Note())
  let comparison = try Comparison(
    runs: 99, operations: 1,
    baseline: {
      for _ in 0..<5 { keep(try coder.decode(Note.self, from: note)) }
      let tree = Tree(root: build(), configuration: quiet)
      tree.launch()
      tree.end()
    },
    {
      let tree = try Tree(root: StageRouter(), restoring: SavedTree(document), coder: coder, configuration: quiet)
      tree.launch()
      tree.end()
    })
  return Measurement(
    "restore of 10 RIBs with 5 states from JSON", comparison.value / 1e3, over: comparison.baseline / 1e3, unit: "µs",
    .valueAtMost(500))
}
