// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension RouterNode {
  /// Finds the RIB of a type below this one, at any depth, so that a call can reach it without a method in each RIB between:
  ///
  /// ```swift
  /// let session = await TreeHost { RootBuilder(dependency: AppComponent()).build() }
  /// let isActive = try await session.perform { root in
  ///   try root.descendant(Router<TripInteractor>.self, labeled: "trip 7").interactor.isActive
  /// }
  /// print(isActive)
  /// ```
  ///
  /// Call it on the tree's actor, as in a closure of `perform`. It finds attached RIBs only: neither those that a stack
  /// keeps covered, nor one that waits for its restart. Code of a RIB knows its children by their containers, so it should
  /// not look for them here.
  ///
  /// - Parameters:
  ///   - type: the type of the router. A plain router is found by the type of its interactor: `Router<NewsInteractor>.self`.
  ///   - label: the RIB's ``Interactor/ribLabel``; nil for any. Needed if several RIBs of the type are below this one.
  /// - Returns: the router. It belongs to the tree, so it can't leave the closure of a call.
  /// - Throws: `DescendantError` if no RIB or more than one fits, with the paths of those that are there.
  /// - Complexity: linear in the number of RIBs below this one: each is visited, also to find a second one that fits. The
  ///   child of a list that this router has is found in O(1) by the list's `subscript(id:)`.
  public final func descendant<Child: RouterNode>(
    _ type: Child.Type = Child.self, labeled label: String? = nil
  ) throws(DescendantError) -> Child {
    nearestTree?.checkIsolation()
    var all: [Child] = []
    forEachBelow { node in if node !== self, let child = node as? Child { all.append(child) } }
    // Labels are made by user code, so they are read after the walk.
    let fitting = label == nil ? all : all.filter { $0.wholeLabel == label }
    if fitting.count == 1 { return fitting[0] }
    let sought = nameOfRIB(type).labeled(label)
    guard fitting.isEmpty else { throw DescendantError(.ambiguous, sought, below: self, fitting) }
    guard all.isEmpty else { throw DescendantError(.missing, sought, below: self, all) }
    throw DescendantError(.missing, sought, below: self, Array(childNodes))
  }
}

extension RouterNode {
  /// No RIB, or more than one, is what ``RouterNode/descendant(_:labeled:)`` looks for.
  public struct DescendantError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why there is no result.
    public enum Reason: Hashable, Sendable {
      /// No RIB fits.
      case missing
      /// Several RIBs fit.
      case ambiguous
    }

    /// The maximum number of paths in an error.
    private static let limit = 16

    /// Why there is no result.
    public let reason: Reason
    /// The name of the RIB that was looked for, and its label, if one was given: `Room swift`.
    public let sought: String
    /// The path of the RIB below which it was looked for.
    public let path: TreePath
    /// The paths of the RIBs that fit; if none does, of those of the type, with other labels; if there are none, of the
    /// children. At most the first 16.
    public let found: [TreePath]
    /// The number of these RIBs.
    public let count: Int

    init(_ reason: Reason, _ sought: String, below router: RouterNode, _ found: [RouterNode]) {
      self.reason = reason
      self.sought = sought
      path = router.path
      self.found = found.prefix(DescendantError.limit).map(\.path)
      count = found.count
    }

    /// The error as one line: where, what, and what is there.
    public var description: String {
      let more = count > found.count ? ", and \(count - found.count) more" : ""
      let list = found.map(\.description).joined(separator: ", ") + more
      return switch reason {
      case .missing where found.isEmpty: "There is no \(sought) below \(path), which has no children."
      case .missing: "There is no \(sought) below \(path). There is: \(list)."
      case .ambiguous:
        "There are \(count) RIBs \(sought) below \(path): \(list). Pass a label, or look below one of them."
      }
    }
  }
}
