/// The part of a component that does not depend on the type of its dependency: shared instances, and a release that
/// does not recurse.
///
/// You never subclass or name this class: subclass `Component`.
open class ComponentCore: Dependency {
  /// The shared instances made so far, in the order of their making. A component has few, so a search is a short scan.
  @usableFromInline final var slots: [SharedSlot] = []

  @usableFromInline
  init() {}

  /// Gives up the component this one depends on, if its dependency is one.
  @usableFromInline
  func takeParent() -> ComponentCore? { nil }

  /// Releases a chain of components, each the last owner of the one above it, in a loop. Left to itself, the release of
  /// the lowest would recurse through all of them and overflow the stack of a deep tree.
  deinit {
    var next = takeParent()
    while next != nil, isKnownUniquelyReferenced(&next) {
      next = next.unsafelyUnwrapped.takeParent()
    }
  }
}
