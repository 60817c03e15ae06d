// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsLists

/// RIBs for trees in inspector tests.
final class RootInteractor: Interactor {
  override var treeSummary: String? { "at home" }
}

final class RootRouter: Router<RootInteractor> {
  private var leaves: [LeafRouter] = []

  init() { super.init(interactor: RootInteractor()) }

  func attachLeaf() {
    let leaf = LeafRouter(interactor: Interactor())
    attachChild(leaf)
    leaves.append(leaf)
  }

  func detachLeaf() { if let leaf = leaves.popLast() { detachChild(leaf) } }
}

final class LeafRouter: Router<Interactor> {}

struct Row: Identifiable, Equatable, Sendable {
  let id: String
}

final class RowRouter: Router<Interactor>, ModelRouting {
  func didUpdate(to row: Row, from previous: Row) {}
}

/// A RIB with a list of children.
final class RowsRouter: Router<Interactor> {
  private lazy var rows = ChildList<Row>(of: self) { _, _ in RowRouter(interactor: Interactor()) }

  init() { super.init(interactor: Interactor()) }

  func show(_ names: [String]) throws { try rows.update(names.map(Row.init)) }
}
