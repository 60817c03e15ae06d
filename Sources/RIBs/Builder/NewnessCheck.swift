/// Notices that a builder was handed a component that it was handed before.
///
/// An object is told from another by its identity, a value by its `id` if it is `Identifiable`. A value that is not has
/// no identity: each RIB gets a copy of its own, and nothing is checked.
struct NewnessCheck {
  /// Weak, so that an object made at the address of one that is gone is not mistaken for it.
  private weak var last: AnyObject?
  private var lastID: AnyHashable?

  /// Takes down a component, and says whether it is the one taken down before.
  mutating func isRepeated<Component>(_ component: Component) -> Bool {
    if type(of: component) is AnyObject.Type {
      let object = component as AnyObject
      defer { last = object }
      return object === last
    }
    guard let value = component as? any Identifiable else { return false }
    let id = identity(of: value)
    defer { lastID = id }
    return id == lastID
  }
}

private func identity(of value: some Identifiable) -> AnyHashable { AnyHashable(value.id) }

extension Buildable {
  /// Reports that this builder was given the component that it was given before.
  func reportRepeated<Component>(_ component: Component) {
    MisuseHandling.report(
      .sameComponent(String(describing: type(of: component))), path: TreePath([type(of: self)]), to: nil)
  }
}
