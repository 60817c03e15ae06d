/// What every builder is: the base of the protocol by which a parent's router knows a child's builder.
///
/// ```swift
/// protocol TweetDetailBuildable: Buildable {
///   func build(withListener listener: TweetDetailListener) -> TweetDetailRouting
/// }
/// ```
public protocol Buildable: AnyObject {}

/// Builds a RIB: makes its component, interactor and router and wires them together.
///
/// A builder is the only place that knows the concrete types of a RIB. It is made by the parent's builder, held by the
/// parent's router, and asked for a new RIB each time one is to be attached.
open class Builder<DependencyType>: Buildable {
  /// What the parent provides for the RIBs that this builder makes.
  public final let dependency: DependencyType

  /// Creates a builder.
  ///
  /// - Parameter dependency: what the parent provides, usually the parent's component.
  public init(dependency: DependencyType) {
    self.dependency = dependency
  }
}
