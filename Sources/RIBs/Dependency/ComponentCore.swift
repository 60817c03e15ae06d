/// The part of a component that does not depend on the type of its dependency: shared instances, and a release that
/// does not recurse.
///
/// You never subclass or name this class: subclass `Component`.
open class ComponentCore: Dependency {
  /// The shared instances made so far, in the order of their making. A component has few, so a search is a short scan.
  @exclusivity(unchecked) @usableFromInline final var slots: [SharedSlot] = []

  /// The dependency, if it is a component. Valid as long as the subclass holds the dependency.
  @exclusivity(unchecked) private final var parent: Unmanaged<ComponentCore>?

  /// Set while this is released by the loop of a component below: where it leaves its parent.
  @exclusivity(unchecked) private final var heir: UnsafeMutablePointer<ComponentCore?>?

  /// Where the properties end in memory, and that of a subclass begins: the header of an object takes two words, and each
  /// property one.
  static let endOfProperties = 5 * MemoryLayout<UInt>.size

  @usableFromInline
  init(parent: Unmanaged<ComponentCore>?) { self.parent = parent }

  /// Releases a chain of components, each the last owner of the one above it, in a loop. Left to itself, the release of
  /// the lowest would recurse through all of them and overflow the stack of a deep tree.
  ///
  /// A component gives up its parent only here, so that the `deinit` of a subclass can still use it.
  deinit {
    var next = takeLastOwnedParent()
    guard next != nil else { return }
    if let heir { return swap(&heir.pointee, &next) }
    withUnsafeMutablePointer(to: &next) { next in
      // Each reference is moved, never copied: the one in hand must be the last.
      while let component = next.move() {
        next.initialize(to: nil)
        component.heir = next
      }
      next.initialize(to: nil)
    }
  }

  /// Takes the parent component out, if nothing but this owns it.
  private func takeLastOwnedParent() -> ComponentCore? {
    guard let parent else { return nil }
    var component = parent.takeRetainedValue()
    if isKnownUniquelyReferenced(&component), forgetDependency(parent.toOpaque()) {
      self.parent = nil
      return component
    }
    // Taken without having been given: the count is put right again.
    _ = Unmanaged.passRetained(component)
    return nil
  }

  /// Makes the dependency null without releasing it, so that the reference it held is the caller's. Only called when
  /// this is released; releasing null does nothing.
  ///
  /// A variable would be the plain way. But each use of a variable takes a reference and gives it back, and what a RIB
  /// gets from far above is asked of every component in between.
  ///
  /// - Returns: whether the dependency was the given object.
  @usableFromInline
  func forgetDependency(_ component: UnsafeRawPointer) -> Bool { false }
}
