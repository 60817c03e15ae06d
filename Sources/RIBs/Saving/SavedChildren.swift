// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

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
    /// What is saved of the children that are about to be restarted.
    let restarting: [(index: Int, saved: SavedTree)]
    /// The position of a route that has lost its child, which a restore must not bring back.
    let lost: Int?

    package init(
      routes: any Codable & Sendable, children: [(index: Int, child: RouterNode)],
      restarting: [(index: Int, saved: SavedTree)] = [], lost: Int? = nil
    ) {
      self.routes = routes
      self.children = children
      self.restarting = restarting
      self.lost = lost
    }
  }

  /// The saved routes of a container that is restored.
  package struct Routes {
    let value: SavedValue
    let coder: (any SavedTree.Coder)?
    /// Whether the router was active when it was saved.
    let wasActive: Bool
    /// The position of a route that had lost its child.
    let lost: Int?
    /// The record of the child at a position; nil if there was none.
    let record: (Int) -> Int?
    /// Takes a record if its RIB was about to be restarted, for a later restore of a child.
    let takeRestarting: (_ record: Int, _ child: RouterNode) throws(RestoreError) -> SavedTree?

    /// What is saved of a child that was about to be restarted; nil for others. In documents of earlier versions such a
    /// child has no record.
    func restarting(_ index: Int, _ child: RouterNode) throws(RestoreError) -> SavedTree? {
      guard let record = record(index) else { return .empty(child) }
      return try takeRestarting(record, child)
    }

    /// Whether there was a child at a position.
    func hadChild(_ index: Int) -> Bool { record(index) != nil }

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
      capture: {
        let top = self.entries.indices.last
        let restarting = top.flatMap { self.supervisor?.saved(at: self.entries[$0].number) }
        return SavedChildren.Contents(
          routes: self.routes, children: self.heldChildren,
          restarting: restarting.map { [(self.entries.count - 1, $0)] } ?? [],
          lost: self.supervisor == nil || restarting != nil
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
