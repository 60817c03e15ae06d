// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

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

/// A RIB's dependency container: its own objects, those of its parent, and the dependencies of its children.
///
/// The RIB's builder creates one for each RIB it builds; it lives as long as something in that RIB holds it. Subclass
/// it with the RIB's dependency protocol, add properties for the objects that the RIB owns, and conform to the
/// dependency protocols of the children:
///
/// ```swift
/// final class TimelineComponent: Component<TimelineDependency>, TweetDetailDependency {
///   var timelineStream: TimelineStream { mutableTimelineStream }
///   var mutableTimelineStream: MutableTimelineStream { shared { TimelineStreamImpl() } }
/// }
/// ```
///
/// A component belongs to its tree and is used on the tree's actor. Chains of components of any length are released
/// without recursion. Chains through other objects that conform to `Dependency` are released recursively, so the
/// stack limits their length.
open class Component<DependencyType>: ComponentCore {
  /// The dependencies that the parent provides.
  public final let dependency: DependencyType

  /// Declared after `dependency`, so that it is destroyed after it.
  @usableFromInline final var parentRelease = ParentRelease()

  /// Creates a component.
  ///
  /// - Parameter dependency: the dependencies that the parent provides, usually its component.
  @inlinable
  public init(dependency: DependencyType) {
    self.dependency = dependency
    super.init(parent: (dependency as? ComponentCore).map(Unmanaged.passUnretained))
  }

  override final func releaseAfterDependency(_ parent: Unmanaged<ComponentCore>) { parentRelease.parent = parent }
}

/// The non-generic part of a component: shared instances and non-recursive release.
///
/// Do not subclass or name this class: subclass `Component`.
open class ComponentCore: Dependency {
  /// The shared instances in creation order. A component has few, so a linear search is fast.
  @usableFromInline final var slots: [SharedSlot] = []

  /// The type that declares the shared instances, for messages.
  var sharingType: any AnyObject.Type { type(of: self) }

  /// The dependency, if it is a component. Valid while the subclass holds the dependency.
  private final var parent: Unmanaged<ComponentCore>?

  @usableFromInline
  init(parent: Unmanaged<ComponentCore>?) { self.parent = parent }

  /// Retains the parent if this component is its only owner, so that releasing the dependency afterwards does not
  /// release the parent. The loop in `ParentRelease` releases it later.
  deinit {
    if let parent = takeParent() { releaseAfterDependency(parent) }
  }

  /// Retains the parent if this component is its only owner. The caller releases it after this component.
  fileprivate final func takeParent() -> Unmanaged<ComponentCore>? {
    guard let parent, ComponentCore.hasOneOwner(parent) else { return nil }
    self.parent = nil
    return parent.retain()
  }

  private static func hasOneOwner(_ component: Unmanaged<ComponentCore>) -> Bool {
    var owned = component.takeRetainedValue()
    // The reference belongs to the property that holds it: restore the count.
    defer { _ = Unmanaged.passRetained(owned) }
    return isKnownUniquelyReferenced(&owned)
  }

  /// Stores a reference to release after the dependency. Called only from `deinit`.
  @usableFromInline
  func releaseAfterDependency(_ parent: Unmanaged<ComponentCore>) {}
}

/// Releases a chain of components in a loop, each the last owner of its parent. Without it, the release would recurse
/// and overflow the stack of a deep tree.
///
/// A component declares it after its dependency, because Swift destroys stored properties in declaration order. With
/// another order, only the depth guarantee would be lost.
@usableFromInline
struct ParentRelease: ~Copyable {
  var parent: Unmanaged<ComponentCore>?

  @usableFromInline
  init() {}

  @usableFromInline
  deinit {
    var next = parent
    while let component = next {
      var owned = component.takeRetainedValue()
      // Taken before the release, so that the `deinit` of `owned` finds no parent to release in a nested loop.
      next = isKnownUniquelyReferenced(&owned) ? owned.takeParent() : nil
    }
  }
}
