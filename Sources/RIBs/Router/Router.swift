/// Owns a RIB's interactor, and attaches and detaches its children.
///
/// Subclass it, hold the children's builders, and write one method for each route, which the interactor calls:
///
/// ```swift
/// final class TimelineRouter: ViewableRouter<TimelineInteractable, TimelineViewControllable>, TimelineRouting {
///   private let detailBuilder: TweetDetailBuildable
///
///   init(interactor: TimelineInteractable, view: TimelineViewControllable, detailBuilder: TweetDetailBuildable) {
///     self.detailBuilder = detailBuilder
///     super.init(interactor: interactor, viewController: view)
///     interactor.router = self
///   }
///
///   func routeToDetail(of tweet: Tweet) {
///     let detail = detailBuilder.build(withListener: interactor, tweet: tweet)
///     viewController.show(detail.viewControllable)
///     attachChild(detail)
///   }
/// }
/// ```
open class Router<InteractorType>: RouterNode {
  /// The interactor of this router, which the router owns.
  public final let interactor: InteractorType

  /// Creates a router.
  ///
  /// - Parameter interactor: the RIB's interactor: an `Interactor`, known by the protocol that the router uses, or a
  ///   test double that conforms to `Interactable`. Anything else is reported, and the router stays inactive.
  @inlinable
  public init(interactor: InteractorType) {
    self.interactor = interactor
    super.init()
    if let interactor = interactor as? Interactor {
      bind(interactor)
    } else {
      bindDouble(interactor)
    }
  }
}
