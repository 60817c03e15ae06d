/// A builder that makes its component by a closure, anew for each RIB it builds.
///
/// Use it where the parent's component knows how to make the child's, and where building needs values that are only
/// known at run time. Subclass it, and override `build(with:_:)`:
///
/// ```swift
/// final class RideBuilder: ComponentizedBuilder<RideComponent, RideRouter, RideListener, RideID> {
///   override func build(with component: RideComponent, _ listener: RideListener) -> RideRouter {
///     let interactor = RideInteractor(client: component.client)
///     interactor.listener = listener
///     return RideRouter(interactor: interactor)
///   }
/// }
/// ```
///
/// RIBs that share a component by mistake share its state. A closure that returns the object it returned before is
/// therefore reported; the RIB is built all the same.
open class ComponentizedBuilder<Component, Router, DynamicBuildDependency, DynamicComponentDependency>: Buildable {
  private let componentBuilder: (DynamicComponentDependency) -> Component
  private var newness = NewnessCheck()

  /// Creates a builder.
  ///
  /// - Parameter componentBuilder: makes a new component each time.
  public init(componentBuilder: @escaping (DynamicComponentDependency) -> Component) {
    self.componentBuilder = componentBuilder
  }

  /// Builds a RIB.
  ///
  /// - Parameters:
  ///   - dynamicBuildDependency: what `build(with:_:)` needs beside the component.
  ///   - dynamicComponentDependency: what the closure needs to make the component.
  /// - Returns: the RIB's router.
  public final func build(
    withDynamicBuildDependency dynamicBuildDependency: DynamicBuildDependency,
    dynamicComponentDependency: DynamicComponentDependency
  ) -> Router {
    build(
      withDynamicBuildDependency: dynamicBuildDependency, dynamicComponentDependency: dynamicComponentDependency
    ).1
  }

  /// Builds a RIB, and returns its component with it.
  ///
  /// - Parameters:
  ///   - dynamicBuildDependency: what `build(with:_:)` needs beside the component.
  ///   - dynamicComponentDependency: what the closure needs to make the component.
  /// - Returns: the RIB's component and router.
  public final func build(
    withDynamicBuildDependency dynamicBuildDependency: DynamicBuildDependency,
    dynamicComponentDependency: DynamicComponentDependency
  ) -> (Component, Router) {
    let component = componentBuilder(dynamicComponentDependency)
    if newness.isRepeated(component) { reportRepeated(component) }
    return (component, build(with: component, dynamicBuildDependency))
  }

  /// Makes the RIB of its component. Override it; do not call it.
  ///
  /// - Parameters:
  ///   - component: the new component.
  ///   - dynamicBuildDependency: what was handed to `build`.
  /// - Returns: the RIB's router.
  open func build(with component: Component, _ dynamicBuildDependency: DynamicBuildDependency) -> Router {
    fatalError("\(type(of: self)) must override build(with:_:).")
  }
}
