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
