// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The base protocol of builders. A child's builder protocol, known to the parent's router, inherits from it.
///
/// ```swift
/// protocol TweetDetailBuildable: Buildable {
///   func build(withListener listener: TweetDetailListener) -> TweetDetailRouting
/// }
/// ```
public protocol Buildable: AnyObject {}

/// Builds a RIB: creates its component, interactor and router and connects them.
///
/// A builder is the only place that knows the concrete types of a RIB. The parent's builder creates it, the parent's
/// router holds it and calls it for each RIB to be attached. If its interactor is `Connectable`, the builder ends with
/// `connect(to:listener:)`, which sets the router and the listener.
open class Builder<DependencyType>: Buildable {
  /// The dependencies that the parent provides.
  public final let dependency: DependencyType

  /// Creates a builder.
  ///
  /// - Parameter dependency: the dependencies that the parent provides, usually its component.
  public init(dependency: DependencyType) {
    self.dependency = dependency
  }
}

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
  private var reuseCheck = ComponentReuseCheck()

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
    if reuseCheck.isRepeated(component) { reportRepeated(component) }
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

/// A builder that builds a RIB in several stages with one component.
///
/// Before the last stage, use `componentForCurrentBuildPass` as often as needed. The last stage builds the RIB from
/// it; the next use starts a new pass with a new component. A closure that returns the same object for two
/// consecutive passes is reported as misuse.
open class MultiStageComponentizedBuilder<Component, Router, DynamicBuildDependency>: Buildable {
  private let componentBuilder: () -> Component
  private var current: Component?
  private var reuseCheck = ComponentReuseCheck()

  /// Creates a builder.
  ///
  /// - Parameter componentBuilder: creates a new component for each pass.
  public init(componentBuilder: @escaping () -> Component) {
    self.componentBuilder = componentBuilder
  }

  /// The component of the current pass.
  public final var componentForCurrentBuildPass: Component {
    if let current { return current }
    let component = componentBuilder()
    if reuseCheck.isRepeated(component) { reportRepeated(component) }
    current = component
    return component
  }

  /// Builds the RIB from the component of the current pass, and ends the pass.
  ///
  /// - Parameter dynamicDependency: the value that `finalStageBuild(with:_:)` needs besides the component.
  /// - Returns: the RIB's router.
  public final func finalStageBuild(withDynamicDependency dynamicDependency: DynamicBuildDependency) -> Router {
    let component = componentForCurrentBuildPass
    current = nil
    return finalStageBuild(with: component, dynamicDependency)
  }

  /// Builds the RIB from its component. Override it; do not call it.
  ///
  /// - Parameters:
  ///   - component: the component of the pass that ends.
  ///   - dynamicDependency: the value passed to `finalStageBuild(withDynamicDependency:)`.
  /// - Returns: the RIB's router.
  open func finalStageBuild(with component: Component, _ dynamicDependency: DynamicBuildDependency) -> Router {
    fatalError("\(type(of: self)) must override finalStageBuild(with:_:).")
  }
}

/// A multi-stage builder without a dynamic dependency. Subclass it and override `finalStageBuild(with:)`.
open class SimpleMultiStageComponentizedBuilder<Component, Router>:
  MultiStageComponentizedBuilder<Component, Router, Void>
{
  /// Builds the RIB from the component of the current pass, and ends the pass.
  ///
  /// - Returns: the RIB's router.
  public final func finalStageBuild() -> Router { finalStageBuild(withDynamicDependency: ()) }

  override public final func finalStageBuild(with component: Component, _ dynamicDependency: Void) -> Router {
    finalStageBuild(with: component)
  }

  /// Builds the RIB from its component. Override it; do not call it.
  ///
  /// - Parameter component: the component of the pass that ends.
  /// - Returns: the RIB's router.
  open func finalStageBuild(with component: Component) -> Router {
    fatalError("\(type(of: self)) must override finalStageBuild(with:).")
  }
}
