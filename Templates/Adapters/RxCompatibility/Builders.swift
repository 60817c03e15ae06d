// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

// The componentized builders of uber/RIBs-iOS.

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
/// RIBs that share a component by mistake share its state. A closure that returns the same object twice in a row
/// therefore stops a debug build, as in uber/RIBs-iOS.
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
    reuseCheck.record(component, of: self)
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

/// A builder that builds a RIB in several stages with one component.
///
/// Before the last stage, use `componentForCurrentBuildPass` as often as needed. The last stage builds the RIB from
/// it; the next use starts a new pass with a new component. A closure that returns the same object for two
/// consecutive passes stops a debug build.
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
    reuseCheck.record(component, of: self)
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

/// Stops a debug build whose builder receives the same component twice in a row.
///
/// Objects are compared by identity, `Identifiable` values by their `id`. Other values are copies without identity
/// and are not checked.
private struct ComponentReuseCheck {
  #if DEBUG
    /// Weak, so that a new object at the address of a released one is not mistaken for it.
    private weak var last: AnyObject?
    private var lastID: AnyHashable?
  #endif

  init() {}

  /// Records a component, which must not be the one recorded before.
  mutating func record<Component>(_ component: Component, of builder: any Buildable) {
    #if DEBUG
      guard isRepeated(component) else { return }
      fatalError(
        "\(type(of: builder)) was given the same \(type(of: component)) as before. Create a new component in its closure "
          + "each time; RIBs that share one share its state.")
    #endif
  }

  #if DEBUG
    private mutating func isRepeated<Component>(_ component: Component) -> Bool {
      if type(of: component) is AnyObject.Type {
        let object = component as AnyObject
        defer { last = object }
        return object === last
      }
      guard let value = component as? any Identifiable else { return false }
      let id = ComponentReuseCheck.id(of: value)
      defer { lastID = id }
      return id == lastID
    }

    private static func id(of value: some Identifiable) -> AnyHashable { AnyHashable(value.id) }
  #endif
}
