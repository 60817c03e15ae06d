/// The base protocol of dependencies: what a RIB needs from its parent.
///
/// Each RIB declares one protocol that inherits from it and lists what the RIB can't create itself. The parent's
/// component conforms to it, so the compiler checks that a child's dependencies are available.
///
/// ```swift
/// protocol TimelineDependency: Dependency {
///   var timelineStream: TimelineStream { get }
/// }
/// ```
public protocol Dependency: AnyObject {}

/// The dependency of a RIB that needs nothing from its parent, such as the root of a tree.
public protocol EmptyDependency: Dependency {}

/// The component to pass to the builder of a RIB whose dependency is `EmptyDependency`.
open class EmptyComponent: EmptyDependency {
  /// Creates an empty component.
  public init() {}
}
