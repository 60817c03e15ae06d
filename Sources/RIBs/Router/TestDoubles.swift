/// Stands in the tree for a child router that is a test double.
final class DoubleNode: RouterNode {
  private let double: any Routing

  init(_ double: any Routing) {
    self.double = double
    super.init()
  }

  override var interactable: any Interactable { double.interactable }
  override var routing: any Routing { double }
  override var namingType: any AnyObject.Type { type(of: double) }
  override func activateDouble() { double.interactable.activate() }
  override func deactivateDouble() { double.interactable.deactivate() }
  override func didLoad() { double.load() }
}
