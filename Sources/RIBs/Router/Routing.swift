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
