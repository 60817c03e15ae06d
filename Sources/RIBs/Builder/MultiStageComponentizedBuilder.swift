/// A builder that builds a RIB in several stages, which share one component.
///
/// Before the last stage, the component of the pass can be used as often as needed. The last stage makes the RIB of it,
/// and the next use begins a new pass with a new component. A closure that returns the object it returned for the pass
/// before is reported.
open class MultiStageComponentizedBuilder<Component, Router, DynamicBuildDependency>: Buildable {
  private let componentBuilder: () -> Component
  private var current: Component?
  private var newness = ComponentReuseCheck()

  /// Creates a builder.
  ///
  /// - Parameter componentBuilder: makes a new component for each pass.
  public init(componentBuilder: @escaping () -> Component) {
    self.componentBuilder = componentBuilder
  }

  /// The component of the pass: the same until the last stage, then another.
  public final var componentForCurrentBuildPass: Component {
    if let current { return current }
    let component = componentBuilder()
    if newness.isRepeated(component) { reportRepeated(component) }
    current = component
    return component
  }

  /// Builds the RIB of the component of this pass, and ends the pass.
  ///
  /// - Parameter dynamicDependency: what `finalStageBuild(with:_:)` needs beside the component.
  /// - Returns: the RIB's router.
  public final func finalStageBuild(withDynamicDependency dynamicDependency: DynamicBuildDependency) -> Router {
    let component = componentForCurrentBuildPass
    current = nil
    return finalStageBuild(with: component, dynamicDependency)
  }

  /// Makes the RIB of its component. Override it; do not call it.
  ///
  /// - Parameters:
  ///   - component: the component of the pass that ends here.
  ///   - dynamicDependency: what was handed to the other method.
  /// - Returns: the RIB's router.
  open func finalStageBuild(with component: Component, _ dynamicDependency: DynamicBuildDependency) -> Router {
    fatalError("\(type(of: self)) must override finalStageBuild(with:_:).")
  }
}

/// A multi-stage builder whose last stage needs nothing at run time. Subclass it, and override `finalStageBuild(with:)`.
open class SimpleMultiStageComponentizedBuilder<Component, Router>:
  MultiStageComponentizedBuilder<Component, Router, Void>
{
  /// Builds the RIB of the component of this pass, and ends the pass.
  ///
  /// - Returns: the RIB's router.
  public final func finalStageBuild() -> Router { finalStageBuild(withDynamicDependency: ()) }

  override public final func finalStageBuild(with component: Component, _ dynamicDependency: Void) -> Router {
    finalStageBuild(with: component)
  }

  /// Makes the RIB of its component. Override it; do not call it.
  ///
  /// - Parameter component: the component of the pass that ends here.
  /// - Returns: the RIB's router.
  open func finalStageBuild(with component: Component) -> Router {
    fatalError("\(type(of: self)) must override finalStageBuild(with:).")
  }
}
