// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

extension ChildList where Model: Codable & Sendable {
  /// Saves the models of this list under a name, with their children.
  ///
  /// It is meant for lists whose models are part of the state. A list that mirrors data which is stored elsewhere is
  /// not listed: its update in `didBecomeActive()` brings the children back, without their states.
  ///
  /// - Parameter name: identifies the list in its router, in all versions of the program.
  public func saved(as name: String) -> RouterNode.SavedChildren {
    RouterNode.SavedChildren(
      name: name,
      capture: {
        RouterNode.SavedChildren.Contents(
          routes: self.models, children: self.heldChildren, restarting: self.restartingChildren)
      },
      restore: { saved in
        try self.update(saved.decode([Model].self))
        return try self.container.withoutPausing(self.heldChildren, saved)
      },
      didRestore: container.endRestore)
  }

  /// The children, with the positions of their models.
  private var heldChildren: [(index: Int, child: RouterNode)] {
    savedPlaces.compactMap { index, place in entries[Int(place)].child.map { (index, $0) } }
  }

  /// What is saved of the children that are about to be restarted.
  private var restartingChildren: [(index: Int, saved: SavedTree)] {
    savedPlaces.compactMap { index, place in container.saved(at: place).map { (index, $0) } }
  }

  private var savedPlaces: [(offset: Int, element: Int32)] {
    Array(order.lazy.filter { !self.hasLostChild($0) }.enumerated())
  }
}
