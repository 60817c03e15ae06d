/// The moments in a router's life that can be observed.
public enum RouterLifecycle: Hashable, Sendable {
  /// The router is about to be told `didLoad()`.
  case didLoad
}

/// The scope of a router.
public protocol RouterScope: AnyObject {
  /// The moments of the router's life as they come; ends when the router is released. Nothing is replayed.
  var lifecycle: Observable<RouterLifecycle> { get }
}

/// What every router is: the base of the protocol by which an interactor knows its router.
public protocol Routing: RouterScope {
  /// The interactor that belongs to the router.
  var interactable: any Interactable { get }

  /// The attached children, in the order of attaching.
  var children: [any Routing] { get }

  /// Loads the router, once in its life. The runtime does it; by hand it is for tests.
  func load()

  /// Attaches a child.
  func attachChild(_ child: any Routing)

  /// Detaches a child.
  func detachChild(_ child: any Routing)

  /// The node behind a router of this package; nil, the default, for a test double. Not for use outside the runtime.
  var _node: Unmanaged<RouterNode>? { get }
}

extension Routing {
  /// Nil: this is no router of this package, but a double of one.
  public var _node: Unmanaged<RouterNode>? { nil }
}

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
