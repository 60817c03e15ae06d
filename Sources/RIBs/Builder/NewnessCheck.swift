/// Notices that a builder was handed a component object that it was handed before.
///
/// A component that is a value has no identity and is not checked: each RIB gets a copy of its own.
struct NewnessCheck {
  /// Weak, so that an object made at the address of one that is gone is not mistaken for it.
  private weak var last: AnyObject?

  /// Takes down a component, and says whether it is the one taken down before.
  mutating func isRepeated<Component>(_ component: Component) -> Bool {
    guard type(of: component) is AnyObject.Type else { return false }
    let object = component as AnyObject
    defer { last = object }
    return object === last
  }
}

extension Buildable {
  /// Reports that this builder was given the component object that it was given before.
  func reportRepeated<Component>(_ component: Component) {
    MisuseHandling.report(
      .sameComponent(String(describing: type(of: component))), path: TreePath([type(of: self)]), to: nil)
  }
}
