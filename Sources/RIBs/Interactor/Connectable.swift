// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// An interactor whose builder sets its router and its listener in one call.
///
/// Conform to it in a RIB that has both, so that its builder ends with `connect(to:listener:)` instead of an assignment of
/// each. The properties are all that it needs:
///
/// ```swift
/// final class CartInteractor: Interactor, Connectable {
///   weak var router: (any CartRouting)?
///   weak var listener: (any CartListener)?
/// }
///
/// final class CartRouter: Router<CartInteractor>, CartRouting {}
///
/// final class CartBuilder: Builder<any CartDependency> {
///   func build(withListener listener: any CartListener) -> any CartRouting {
///     let interactor = CartInteractor()
///     return interactor.connect(to: CartRouter(interactor: interactor), listener: listener)
///   }
/// }
/// ```
///
/// Declare both properties `weak`: the router owns the interactor, and the listener is an interactor above it, so a strong
/// reference to either is a retain cycle. They stay settable, so that a test assigns doubles. An interactor that has only
/// one of them does not conform; its builder assigns that one.
public protocol Connectable: Interactable {
  /// The type by which the interactor knows its router, such as `any CartRouting`. Inferred from `router`.
  associatedtype RouterType

  /// The type by which the interactor knows its listener, such as `any CartListener`. Inferred from `listener`.
  associatedtype ListenerType

  /// The router of the RIB, which the interactor calls to attach and detach children. Declare it `weak`.
  var router: RouterType? { get set }

  /// The listener of the RIB, which the interactor notifies of results. Declare it `weak`.
  var listener: ListenerType? { get set }
}

extension Connectable {
  /// Sets the listener, then the router, and returns the router.
  ///
  /// The builder calls it once, as its last step, before the RIB is attached. It only assigns the two properties: it calls no
  /// other code of the RIB, and runs wherever the builder runs. A second call replaces both.
  ///
  /// The interactor does not keep the router alive. So return the result, or keep it; if it is discarded, a router that was
  /// created in the call is released before the call's statement ends.
  ///
  /// - Parameters:
  ///   - router: the router that was created with this interactor.
  ///   - listener: the listener that the builder received.
  /// - Returns: the router, as the type by which the interactor knows it.
  /// - Complexity: O(1). An optimized build does the same as with an assignment of each.
  @inlinable
  public func connect(to router: RouterType, listener: ListenerType) -> RouterType {
    self.listener = listener
    self.router = router
    return router
  }
}
