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

/// The part of a component that does not depend on the type of its dependency: shared instances, and a release that
/// does not recurse.
///
/// You never subclass or name this class: subclass `Component`.
open class ComponentCore: Dependency {
  /// The shared instances made so far, in the order of their making. A component has few, so a search is a short scan.
  @exclusivity(unchecked) @usableFromInline final var slots: [SharedSlot] = []

  /// The dependency, if it is a component. Valid as long as the subclass holds the dependency.
  @exclusivity(unchecked) private final var parent: Unmanaged<ComponentCore>?

  /// Set while this is released by the loop of a component below: where it leaves a reference to its parent.
  @exclusivity(unchecked) fileprivate final var nextToRelease: UnsafeMutablePointer<Unmanaged<ComponentCore>?>?

  @usableFromInline
  init(parent: Unmanaged<ComponentCore>?) { self.parent = parent }

  /// Takes a second reference to a parent that only this owns, so that the release of the dependency, which follows, does
  /// not release the parent. The loop in `ParentRelease` does that afterwards.
  deinit {
    guard let parent, ComponentCore.hasOneOwner(parent) else { return }
    if let nextToRelease { nextToRelease.pointee = parent.retain() } else { releaseAfterDependency(parent.retain()) }
  }

  private static func hasOneOwner(_ component: Unmanaged<ComponentCore>) -> Bool {
    var owned = component.takeRetainedValue()
    // The reference belongs to the property that holds it: the count is put right again.
    defer { _ = Unmanaged.passRetained(owned) }
    return isKnownUniquelyReferenced(&owned)
  }

  /// Keeps a reference that is released after the dependency. Only called while this is released.
  @usableFromInline
  func releaseAfterDependency(_ parent: Unmanaged<ComponentCore>) {}
}

/// Releases a chain of components, each the last owner of the one above it, in a loop. Left to itself, the release of the
/// lowest would recurse through all of them and overflow the stack of a deep tree.
///
/// A component has one behind its dependency: Swift destroys stored properties in the order of their declaration. In
/// another order nothing but the depth would be lost.
@usableFromInline
struct ParentRelease: ~Copyable {
  var parent: Unmanaged<ComponentCore>?

  @usableFromInline
  init() {}

  @usableFromInline
  deinit {
    var next = parent
    withUnsafeMutablePointer(to: &next) { next in
      while let component = next.pointee {
        next.pointee = nil
        var owned = component.takeRetainedValue()
        if isKnownUniquelyReferenced(&owned) { owned.nextToRelease = next }
      }
    }
  }
}
