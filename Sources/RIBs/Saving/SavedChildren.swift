/// A container whose children are saved and restored, under a name that must not change.
///
/// Create it with `saved(as:)` of a slot, a stack or a list, in ``RouterNode/savedChildren``.
public struct SavedChildren {
  /// What is saved of a container.
  package struct Contents {
    /// The routes or models, as an array.
    let routes: any Codable & Sendable
    /// The children with their positions among the routes.
    let children: [(index: Int, child: RouterNode)]

    package init(routes: any Codable & Sendable, children: [(index: Int, child: RouterNode)]) {
      self.routes = routes
      self.children = children
    }
  }

  /// The saved routes of a container that is restored.
  package struct Routes {
    let value: SavedValue
    let coder: any SavedTree.Coder
    /// Whether the router was active when it was saved.
    let wasActive: Bool
    /// Whether there was a child at a position.
    let hadChild: (Int) -> Bool

    package func decode<Route: Decodable>(_ type: [Route].Type = [Route].self) throws -> [Route] {
      try value.decode(type, by: coder)
    }
  }

  let name: String
  let capture: () -> Contents
  /// Sets the routes and returns the children.
  let restore: (Routes) throws -> [(index: Int, child: RouterNode)]
  /// Called when the restored tree was launched.
  let didRestore: () -> Void

  package init(
    name: String, capture: @escaping () -> Contents,
    restore: @escaping (Routes) throws -> [(index: Int, child: RouterNode)], didRestore: @escaping () -> Void = {}
  ) {
    self.name = name
    self.capture = capture
    self.restore = restore
    self.didRestore = didRestore
  }
}

extension ChildSlot where Route: Codable & Sendable {
  /// Saves the route of this slot under a name, with its child.
  ///
  /// - Parameter name: identifies the slot in its router, in all versions of the program.
  public func saved(as name: String) -> SavedChildren {
    SavedChildren(
      name: name,
      capture: {
        SavedChildren.Contents(
          routes: self.route.map { [$0] } ?? [], children: self.currentChild.map { [(0, $0)] } ?? [])
      },
      restore: { saved in
        let routes: [Route] = try saved.decode()
        guard routes.count <= 1 else { throw TooManyRoutes(count: routes.count) }
        self.route = routes.first
        self.isRestoredEmpty = routes.isEmpty && saved.wasActive
        return self.withoutPausing(self.currentChild.map { [(0, $0)] } ?? [], saved)
      },
      didRestore: {
        self.isRestoredEmpty = false
        self.beginRestoredPauses()
      })
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
  public func saved(as name: String) -> SavedChildren {
    SavedChildren(
      name: name,
      capture: { SavedChildren.Contents(routes: self.routes, children: self.heldChildren) },
      restore: { saved in
        let routes: [Route] = try saved.decode()
        self.restore(routes, hadChild: saved.hadChild)
        self.isRestoredEmpty = routes.isEmpty && saved.wasActive
        return self.withoutPausing(self.heldChildren, saved)
      },
      didRestore: {
        self.isRestoredEmpty = false
        self.beginRestoredPauses()
      })
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
