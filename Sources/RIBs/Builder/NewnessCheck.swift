/// Notices that a builder was handed a component object that it was handed before.
///
/// A component that is a value has no identity and is not checked: each RIB gets a copy of its own.
struct NewnessCheck {
  /// Weak, so that an object made at the address of one that is gone is not mistaken for it.
  private weak var last: AnyObject?

  mutating func check<Component>(_ component: Component, madeBy builder: AnyObject) {
    guard type(of: component) is AnyObject.Type else { return }
    let object = component as AnyObject
    if object === last {
      MisuseHandling.report(
        .sameComponent(String(describing: type(of: object))), path: TreePath([type(of: builder)]), to: nil)
    }
    last = object
  }
}
