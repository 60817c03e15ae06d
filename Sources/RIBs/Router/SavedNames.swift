// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The names of a RIB in saved trees.
///
/// A saved tree identifies each RIB by a name: that of its class, without `Router` or `Interactor`. A class that is renamed
/// would no longer find what was saved of it, so it says its old name:
///
/// ```swift
/// final class PurchaseRouter: Router<PurchaseInteractor> {
///   override class var savedNames: SavedNames { SavedNames("Order") }
/// }
///
/// final class PurchaseInteractor: Interactor {}
/// ```
///
/// Override `savedNames` in the router, or in the interactor of a RIB whose router is a plain `Router`. The router's name
/// counts if both have one.
public struct SavedNames: Hashable, Sendable {
  /// The name with which the RIB is saved; nil for that of its class.
  public let name: String?
  /// Other names whose records the RIB takes.
  public let former: [String]
  /// The names of children and of containers that no longer exist. What is saved of them is discarded.
  public let removed: [String]

  /// Creates the names of a RIB.
  ///
  /// - Parameters:
  ///   - name: the name with which the RIB is saved; nil for that of its class. With the old name, earlier versions of the
  ///     program can still read the tree.
  ///   - former: other names whose records the RIB takes: those of classes that it replaces.
  ///   - removed: the names of children of this RIB that no longer exist, and of containers that it no longer lists in
  ///     `savedChildren`. What is saved of them is discarded, instead of being kept or refused.
  public init(_ name: String? = nil, former: [String] = [], removed: [String] = []) {
    self.name = name
    self.former = former
    self.removed = removed
  }
}
