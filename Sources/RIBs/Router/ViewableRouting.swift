/// Something that a RIB shows things on. Without a screen that is a terminal, a log, or a recorder in a test; the base
/// of the protocol by which a router knows its view.
public protocol ViewControllable: AnyObject {}

/// What the router of a RIB with a view is.
public protocol ViewableRouting: Routing {
  /// The view of the RIB, for the parent to show.
  var viewControllable: any ViewControllable { get }
}
