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
