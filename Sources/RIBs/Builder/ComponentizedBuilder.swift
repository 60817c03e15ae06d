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
  private var newness = ComponentReuseCheck()

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

/// Notices that a builder was handed a component that it was handed before.
///
/// An object is told from another by its identity, a value by its `id` if it is `Identifiable`. A value that is not has
/// no identity: each RIB gets a copy of its own, and nothing is checked.
struct ComponentReuseCheck {
  /// Weak, so that an object made at the address of one that is gone is not mistaken for it.
  private weak var last: AnyObject?
  private var lastID: AnyHashable?

  /// Takes down a component, and says whether it is the one taken down before.
  mutating func isRepeated<Component>(_ component: Component) -> Bool {
    if type(of: component) is AnyObject.Type {
      let object = component as AnyObject
      defer { last = object }
      return object === last
    }
    guard let value = component as? any Identifiable else { return false }
    let id = identity(of: value)
    defer { lastID = id }
    return id == lastID
  }
}

private func identity(of value: some Identifiable) -> AnyHashable { AnyHashable(value.id) }

extension Buildable {
  /// Reports that this builder was given the component that it was given before.
  func reportRepeated<Component>(_ component: Component) {
    MisuseHandling.report(
      .sameComponent(String(describing: type(of: component))), path: TreePath([type(of: self)]), to: nil)
  }
}
