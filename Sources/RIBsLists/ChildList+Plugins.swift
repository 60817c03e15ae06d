// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// A plugin whose feature is a RIB that follows its context.
public typealias ChildPlugin<Context: Equatable> = Plugin<Context, any ModelRouting<PluginMatch<Context>>>

/// A plugin point whose features are RIBs: what a `ChildList` follows.
public typealias ChildPluginPoint<Context: Equatable> = PluginPoint<Context, any ModelRouting<PluginMatch<Context>>>

extension ChildList {
  /// Creates an empty list whose children are the features of a plugin point.
  ///
  /// Update it with `PluginPoint.matches(for:)` whenever the context or a switch has changed. A feature that is no longer
  /// offered is detached with all that is below it, one that is newly offered is built, and the others are notified of
  /// the new context:
  ///
  /// ```swift
  /// final class PapersRouter: Router<RidesInteractor> {
  ///   let point: ChildPluginPoint<Ride>
  ///
  ///   private lazy var papers = ChildList(of: self, plugins: point)
  ///
  ///   init(point: ChildPluginPoint<Ride>) {
  ///     self.point = point
  ///     super.init(interactor: RidesInteractor())
  ///   }
  ///
  ///   func show(_ ride: Ride) throws { try papers.update(point.matches(for: ride)) }
  /// }
  /// ```
  ///
  /// An update with a match of another point is refused and reported as misuse. Such a list is not saved with its tree:
  /// update it in `didBecomeActive`, because other features may be offered after a restart.
  ///
  /// - Parameters:
  ///   - owner: the router whose children the list holds. It is not retained.
  ///   - restarts: how often children that fail are built anew from their contexts. Each child has its own count.
  ///   - point: the plugin point.
  public convenience init<Context: Equatable>(
    of owner: RouterNode, restarts: Restarts = .never, plugins point: ChildPluginPoint<Context>
  ) where Model == PluginMatch<Context> {
    let names = Set(point.names)
    self.init(
      of: owner, restarts: restarts, build: { _, match in point.build(match).map { BuiltChild(following: $0) } },
      unknownKind: { names.contains($0.name) ? nil : "plugin '\($0.name)'" },
      difference: { old, new throws(RepeatedIdentity) in try ListDifference(from: old, to: new) })
  }
}
