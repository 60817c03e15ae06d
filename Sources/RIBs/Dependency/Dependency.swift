/// What a RIB needs from its parent to be built.
///
/// Each RIB declares one protocol that inherits from this one and lists what the RIB can't make itself. The parent's
/// component conforms to it, so the compiler checks that everything a child needs is there.
///
/// ```swift
/// protocol TimelineDependency: Dependency {
///   var timelineStream: TimelineStream { get }
/// }
/// ```
public protocol Dependency: AnyObject {}

/// The dependency of a RIB that needs nothing from its parent, such as the root of a tree.
public protocol EmptyDependency: Dependency {}

/// The component to hand to the builder of a RIB whose dependency is `EmptyDependency`.
open class EmptyComponent: EmptyDependency {
  /// Creates an empty component.
  public init() {}
}
