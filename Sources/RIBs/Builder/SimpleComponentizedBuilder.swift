/// A componentized builder that needs nothing at run time. Subclass it, and override `build(with:)`.
open class SimpleComponentizedBuilder<Component, Router>: ComponentizedBuilder<Component, Router, Void, Void> {
  /// Creates a builder.
  ///
  /// - Parameter componentBuilder: makes a new component each time.
  public init(componentBuilder: @escaping () -> Component) {
    super.init(componentBuilder: { _ in componentBuilder() })
  }

  /// Builds a RIB.
  ///
  /// - Returns: the RIB's router.
  public final func build() -> Router { build(withDynamicBuildDependency: (), dynamicComponentDependency: ()) }

  override public final func build(with component: Component, _ dynamicBuildDependency: Void) -> Router {
    build(with: component)
  }

  /// Makes the RIB of its component. Override it; do not call it.
  ///
  /// - Parameter component: the new component.
  /// - Returns: the RIB's router.
  open func build(with component: Component) -> Router {
    fatalError("\(type(of: self)) must override build(with:).")
  }
}
