// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsLists
import TestSupport

@testable import RIBsInspector

/// A tree in which RIBs are attached, detached and moved, and work and workers run, as a seed decides.
final class WalkRouter: Router<WalkInteractor> {
  private lazy var rows = ChildList<Row>(of: self) { _, _ in RowRouter(interactor: Interactor()) }
  private lazy var stack = ChildStack<Int>(of: self, covered: .kept) { _, route in
    WalkRouter(route.isMultiple(of: 2) ? "\(route)" : nil)
  }
  private var leaves: [WalkRouter] = []
  private var detached: [WalkRouter] = []

  init(_ label: String? = nil) { super.init(interactor: WalkInteractor(label)) }

  func step(_ random: inout SplitMix, depth: Int = 0) {
    if depth < 3, let leaf = leaves.last, random.below(3) > 0 { return leaf.step(&random, depth: depth + 1) }
    switch random.below(9) {
    case 0, 1:
      let leaf = detached.popLast() ?? WalkRouter()
      leaves.append(leaf)
      attachChild(leaf)
    case 2:
      guard let leaf = leaves.popLast() else { return }
      detachChild(leaf)
      if random.below(2) == 0 { detached.append(leaf) }
    case 3:
      let names = (0..<8).filter { _ in random.below(2) == 0 }.map { Row(id: "\($0)") }
      try? rows.update(random.below(2) == 0 ? names : names.reversed())
    case 4: if depth < 3 { stack.push(Int(random.below(100))) }
    case 5: if !stack.routes.isEmpty { stack.pop() }
    case 6: interactor.begin()
    case 7: interactor.end()
    default: interactor.toggle()
    }
  }
}

final class WalkInteractor: Interactor {
  private let worker = WalkWorker()
  private var handles: [BoundWork.Handle] = []
  private(set) var summary: String?

  private let label: String?

  init(_ label: String?) { self.label = label }

  override var ribLabel: String? { label }
  override var treeSummary: String? { summary }

  func begin() {
    summary = "\(handles.count) begun"
    handles.append(task("wait", overlap: .concurrent) { try await Task.sleep(for: .seconds(3600)) })
  }

  func end() { handles.popLast()?.cancel() }

  func toggle() { if worker.isStarted { worker.stop() } else { worker.start(self) } }
}

final class WalkWorker: Worker {
  override func didStart(_ interactorScope: any InteractorScope) {
    super.didStart(interactorScope)
    task { try await Task.sleep(for: .seconds(3600)) }
  }
}

/// An inspector that remembers the tree at each event.
final class Witness: TreeObserver {
  private let inspector: any TreeObserver
  private let seen = Locked<[(event: TreeEvent, snapshot: TreeSnapshot)]>([])

  init(_ inspector: any TreeObserver) { self.inspector = inspector }

  /// The events, each with the tree at that time.
  var moments: [(event: TreeEvent, snapshot: TreeSnapshot)] { seen.withLock { $0 } }

  func treeWillLaunch(_ tree: TreeHandle) -> TreeHandle.Observer? {
    tree.attachEdits(takingSnapshots: true)
    let observer = inspector.treeWillLaunch(tree)
    return { [self] event in
      if let snapshot = event.snapshot { seen.withLock { $0.append((event, snapshot)) } }
      return observer?(event) ?? true
    }
  }

  func treeDidEnd(_ tree: TreeHandle) { inspector.treeDidEnd(tree) }
}

extension TreeSnapshot {
  /// The structure, with what a recording follows.
  var outline: [String] {
    var shown: [Int: Int] = [:]
    return nodes.enumerated().compactMap { index, node in
      guard let id = node.id, node.parent.map({ shown[$0] != nil }) ?? true else { return nil }
      shown[index] = shown.count
      let parent = node.parent.flatMap { shown[$0] } ?? -1
      return "\(id) \(parent) \(node.title) \(node.state) \(node.tasks) \(node.workers)"
    }
  }
}
