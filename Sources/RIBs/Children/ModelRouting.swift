/// A router that is made from a model and follows it: a child of a `ChildList`.
///
/// The RIB's builder returns it as `any ModelRouting<Ride>`; its router hands on to the interactor what that wants to
/// know:
///
/// ```swift
/// protocol RideRowBuildable: Buildable {
///   func build(_ ride: Ride) -> any ModelRouting<Ride>
/// }
///
/// final class RideRowRouter: Router<RideRowInteractor>, ModelRouting {
///   func didUpdate(to ride: Ride, from previous: Ride) { interactor.show(ride) }
///
///   func nearnessDidChange(to nearness: Nearness, from previous: Nearness) {
///     if nearness >= .preload, previous < .preload { interactor.load() }
///   }
/// }
/// ```
public protocol ModelRouting<Model>: Routing {
  /// What a child is made from. Its identity tells which child it belongs to; equality, whether it has changed.
  associatedtype Model: Identifiable & Equatable

  /// Called by the list during an update when the model of this child has changed: after all children of the update were
  /// attached, in the order of the list. The child may be inactive, under an inactive router.
  ///
  /// - Parameters:
  ///   - model: the new model; its identity is that of the old.
  ///   - previous: the model that the child had followed so far.
  func didUpdate(to model: Model, from previous: Model)

  /// Called by the list when the child comes nearer to its window, or goes farther away: once for each change. A child
  /// begins with `none`, and is told after it was attached. The child may be inactive, under an inactive router. The
  /// default does nothing.
  ///
  /// - Parameters:
  ///   - nearness: how near the child is now.
  ///   - previous: how near it was.
  func nearnessDidChange(to nearness: Nearness, from previous: Nearness)
}

extension ModelRouting {
  /// Does nothing.
  public func nearnessDidChange(to nearness: Nearness, from previous: Nearness) {}
}
