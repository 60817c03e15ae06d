// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBs

/// A link that orders a taxi: `taxi://order?from=Elm%20Court&to=Mill%20Pond`.
package struct OrderLink: Hashable, Codable, Sendable {
  /// The pickup; nil for the rider's position.
  let from: String?
  /// The destination; nil for none.
  let to: String?
  /// Nil for the rider's preferred means of payment.
  let payment: Payment?

  init(from: String?, to: String?, payment: Payment? = nil) {
    self.from = from
    self.to = to
    self.payment = payment
  }

  /// Parses a link; nil if it does not order a taxi.
  package init?(_ text: String) {
    guard let link = URLComponents(string: text), link.scheme == "taxi", link.host == "order" else { return nil }
    let items = link.queryItems ?? []
    guard items.allSatisfy({ $0.name == "from" || $0.name == "to" }) else { return nil }
    from = items.first { $0.name == "from" }?.value?.nonEmpty
    to = items.first { $0.name == "to" }?.value?.nonEmpty
    payment = nil
  }
}

/// Orders a taxi for a link, after the rider has logged in.
final class OrderTaxiWorkflow: Workflow<any RootActionableItem> {
  /// - Parameter onOrder: called when the order has begun.
  init(_ link: OrderLink, onOrder: @escaping () -> Void) {
    // No timeout: logging in may take any time.
    super.init(timeout: nil)
    onStep { root in await root.waitForLogin().first() }
      .onStep { loggedIn, _ in
        // Called in the same turn: a saved tree has either the link or the order.
        onOrder()
        return await loggedIn.order(by: link).first()
      }
      .commit()
  }
}
