/// Holds what a RIB adds to what it gets from its parent, and is what the RIB's children depend on.
///
/// A component is made by the RIB's builder for each RIB built, and lives as long as something of that RIB holds it.
/// Subclass it with the RIB's dependency protocol, add properties for what the RIB owns, and conform to the dependency
/// protocols of the children:
///
/// ```swift
/// final class TimelineComponent: Component<TimelineDependency>, TweetDetailDependency {
///   var timelineStream: TimelineStream { mutableTimelineStream }
///   var mutableTimelineStream: MutableTimelineStream { shared { TimelineStreamImpl() } }
/// }
/// ```
///
/// A component belongs to its tree and is used where the tree runs. Chains of components of any length are released
/// without recursion; chains through other objects that conform to `Dependency` are released as Swift releases any
/// object, so their length is bounded by the stack.
open class Component<DependencyType>: ComponentCore {
  /// What the parent provides.
  public final let dependency: DependencyType

  /// Behind the dependency, so that it is destroyed after it.
  @exclusivity(unchecked) @usableFromInline final var parentRelease = ParentRelease()

  /// Creates a component.
  ///
  /// - Parameter dependency: what the parent provides, usually the parent's component.
  @inlinable
  public init(dependency: DependencyType) {
    self.dependency = dependency
    super.init(parent: (dependency as? ComponentCore).map(Unmanaged.passUnretained))
  }

  override final func releaseAfterDependency(_ parent: Unmanaged<ComponentCore>) { parentRelease.parent = parent }
}
