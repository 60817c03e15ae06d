// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension ChildSlot where Route: Codable & Sendable {
  /// Saves the route of this slot under a name, with its child.
  ///
  /// - Parameter name: identifies the slot in its router, in all versions of the program.
  public func saved(as name: String) -> RouterNode.SavedChildren {
    RouterNode.SavedChildren(
      name: name,
      capture: {
        RouterNode.SavedChildren.Contents(
          routes: self.route.map { [$0] } ?? [], children: self.currentChild.map { [(0, $0)] } ?? [],
          restarting: self.supervisor?.saved(at: 0).map { [(0, $0)] } ?? [])
      },
      restore: { saved in
        let routes: [Route] = try saved.decode()
        guard routes.count <= 1 else { throw TooManyRoutes(count: routes.count) }
        self.route = routes.first
        self.isRestoredEmpty = routes.isEmpty && saved.wasActive
        return try self.withoutPausing(self.currentChild.map { [(0, $0)] } ?? [], saved)
      },
      didRestore: endRestore)
  }
}

extension ChildSlot {
  /// Sets a route unless there is one, for `didBecomeActive()` and `didLoad()`.
  ///
  /// In a restored tree the slot has its saved route by then. A slot that was saved empty stays empty in the first
  /// activation.
  ///
  /// - Parameter route: the first route.
  public func begin(with route: Route) {
    if isRestoredEmpty {
      isRestoredEmpty = false
    } else if self.route == nil {
      self.route = route
    }
  }
}

extension ChildStack where Route: Codable & Sendable {
  /// Saves the routes of this stack under a name, with the children that exist: the one on top, and covered ones that
  /// the stack keeps.
  ///
  /// - Parameter name: identifies the stack in its router, in all versions of the program.
  public func saved(as name: String) -> RouterNode.SavedChildren {
    RouterNode.SavedChildren(
      name: name,
      capture: {
        let top = self.entries.indices.last
        let restarting = self.entries.enumerated().compactMap { index, entry in
          self.supervisor?.saved(at: entry.number).map { (index, $0) }
        }
        return RouterNode.SavedChildren.Contents(
          routes: self.routes, children: self.heldChildren, restarting: restarting,
          lost: self.supervisor == nil || restarting.last?.0 == top
            ? nil : top.flatMap { self.entries[$0].child == nil ? $0 : nil })
      },
      restore: { saved in
        let routes: [Route] = try saved.decode()
        // Documents of earlier versions have no record of a child that was about to be restarted.
        let isAlone = self.supervisor == nil || saved.lost == routes.count - 1
        self.restore(routes) { saved.hadChild($0) || !isAlone && $0 == routes.count - 1 }
        self.isRestoredEmpty = routes.isEmpty && saved.wasActive
        return try self.withoutPausing(self.heldChildren, saved)
      },
      didRestore: endRestore)
  }
}

extension ChildStack {
  /// Pushes a route unless there is one, for `didBecomeActive()` and `didLoad()`.
  ///
  /// In a restored tree the stack has its saved routes by then. A stack that was saved empty stays empty in the first
  /// activation.
  ///
  /// - Parameter route: the first route.
  public func begin(with route: Route) {
    if isRestoredEmpty {
      isRestoredEmpty = false
    } else if entries.isEmpty {
      push(route)
    }
  }

  fileprivate var heldChildren: [(index: Int, child: RouterNode)] {
    entries.enumerated().compactMap { index, entry in entry.child.map { (index, $0) } }
  }
}

/// The error of a slot with more than one route.
struct TooManyRoutes: Error, CustomStringConvertible {
  let count: Int

  var description: String { "A slot has one route at most, and \(count) are saved." }
}
