// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

// Support for test doubles in a real tree: a child router that is a double, and a router whose interactor is a double.

/// Represents a child router that is a test double in the tree.
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

extension RouterNode {
  @usableFromInline
  final func attachDouble(_ child: any Routing) {
    if let double = node(of: child) { return report(.alreadyAttached(child: double)) }
    attach(DoubleNode(child))
  }

  @usableFromInline
  final func detachDouble(_ child: any Routing) {
    guard let double = node(of: child) else { return report(.notAChild(nameOfRIB(type(of: child)))) }
    detach(double)
  }

  /// The child that represents a test double.
  private func node(of double: any Routing) -> RouterNode? { childNodes.first { $0.routing === double } }

  @usableFromInline
  final func bindDouble<Double>(_ interactor: Double) {
    if let interactor = interactor as? any Interactable {
      openExtras().interactable = interactor
    } else {
      report(
        .error(
          .notAnInteractor, "\(type(of: interactor as Any)) can't be the router's interactor: it is not Interactable.",
          advice: "Make it a subclass of Interactor."))
    }
  }
}
