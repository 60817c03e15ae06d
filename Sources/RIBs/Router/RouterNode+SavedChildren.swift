// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension RouterNode {
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
      let takeRestarting: (_ record: Int, _ child: RouterNode) throws(SavedTree.RestoreError) -> SavedTree?

      /// What is saved of a child that was about to be restarted; nil for others. In documents of earlier versions such a
      /// child has no record.
      func restarting(_ index: Int, _ child: RouterNode) throws(SavedTree.RestoreError) -> SavedTree? {
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
}
