/// The component to hand to the builder of a RIB whose dependency is `EmptyDependency`.
open class EmptyComponent: EmptyDependency {
  /// Creates an empty component.
  public init() {}
}
