/// A builder that creates its component with a closure, once for each RIB.
///
/// Use it if the parent's component creates the child's, or if building needs values that are only known at run time.
/// Subclass it and override `build(with:_:)`:
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
/// RIBs that share a component by mistake share its state. A closure that returns the same object twice in a row is
/// therefore reported as misuse; the RIB is built anyway.
open class ComponentizedBuilder<Component, Router, DynamicBuildDependency, DynamicComponentDependency>: Buildable {
  private let componentBuilder: (DynamicComponentDependency) -> Component
  private var newness = ComponentReuseCheck()

  /// Creates a builder.
  ///
  /// - Parameter componentBuilder: creates a new component for each call.
  public init(componentBuilder: @escaping (DynamicComponentDependency) -> Component) {
    self.componentBuilder = componentBuilder
  }

  /// Builds a RIB.
  ///
  /// - Parameters:
  ///   - dynamicBuildDependency: the value that `build(with:_:)` needs besides the component.
  ///   - dynamicComponentDependency: the value that the closure needs to create the component.
  /// - Returns: the RIB's router.
  public final func build(
    withDynamicBuildDependency dynamicBuildDependency: DynamicBuildDependency,
    dynamicComponentDependency: DynamicComponentDependency
  ) -> Router {
    build(
      withDynamicBuildDependency: dynamicBuildDependency, dynamicComponentDependency: dynamicComponentDependency
    ).1
  }

  /// Builds a RIB, and returns its component too.
  ///
  /// - Parameters:
  ///   - dynamicBuildDependency: the value that `build(with:_:)` needs besides the component.
  ///   - dynamicComponentDependency: the value that the closure needs to create the component.
  /// - Returns: the RIB's component and router.
  public final func build(
    withDynamicBuildDependency dynamicBuildDependency: DynamicBuildDependency,
    dynamicComponentDependency: DynamicComponentDependency
  ) -> (Component, Router) {
    let component = componentBuilder(dynamicComponentDependency)
    if newness.isRepeated(component) { reportRepeated(component) }
    return (component, build(with: component, dynamicBuildDependency))
  }

  /// Builds the RIB from its component. Override it; do not call it.
  ///
  /// - Parameters:
  ///   - component: the new component.
  ///   - dynamicBuildDependency: the value passed to `build`.
  /// - Returns: the RIB's router.
  open func build(with component: Component, _ dynamicBuildDependency: DynamicBuildDependency) -> Router {
    fatalError("\(type(of: self)) must override build(with:_:).")
  }
}

/// A componentized builder without dynamic dependencies. Subclass it and override `build(with:)`.
open class SimpleComponentizedBuilder<Component, Router>: ComponentizedBuilder<Component, Router, Void, Void> {
  /// Creates a builder.
  ///
  /// - Parameter componentBuilder: creates a new component for each call.
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

  /// Builds the RIB from its component. Override it; do not call it.
  ///
  /// - Parameter component: the new component.
  /// - Returns: the RIB's router.
  open func build(with component: Component) -> Router {
    fatalError("\(type(of: self)) must override build(with:).")
  }
}

/// Detects that a builder received the same component twice in a row.
///
/// Objects are compared by identity, `Identifiable` values by their `id`. Other values are copies without identity
/// and are not checked.
struct ComponentReuseCheck {
  /// Weak, so that a new object at the address of a released one is not mistaken for it.
  private weak var last: AnyObject?
  private var lastID: AnyHashable?

  /// Records a component, and returns whether it is the one recorded before.
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
  /// Reports that this builder received the same component as before.
  func reportRepeated<Component>(_ component: Component) {
    MisuseHandling.report(
      .sameComponent(String(describing: type(of: component))), path: TreePath([type(of: self)]), to: nil)
  }
}
