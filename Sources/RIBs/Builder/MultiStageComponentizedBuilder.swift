/// A builder that builds a RIB in several stages with one component.
///
/// Before the last stage, use `componentForCurrentBuildPass` as often as needed. The last stage builds the RIB from
/// it; the next use starts a new pass with a new component. A closure that returns the same object for two
/// consecutive passes is reported as misuse.
open class MultiStageComponentizedBuilder<Component, Router, DynamicBuildDependency>: Buildable {
  private let componentBuilder: () -> Component
  private var current: Component?
  private var newness = ComponentReuseCheck()

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
    if newness.isRepeated(component) { reportRepeated(component) }
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
