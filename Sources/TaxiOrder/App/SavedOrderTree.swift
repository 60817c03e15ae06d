// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// What the list of orders shows of a saved tree.
package struct SavedOrderTree: Decodable {
  private struct RIB: Decodable {
    let name: String
    var order: OrderInteractor.SavedState?
    var loggedIn: LoggedInInteractor.SavedState?

    private enum Key: String, CodingKey {
      case name = "rib"
      case state
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      name = try container.decode(String.self, forKey: .name)
      switch name {
      case "Order": order = try container.decode(OrderInteractor.SavedState.self, forKey: .state)
      case "LoggedIn": loggedIn = try container.decode(LoggedInInteractor.SavedState.self, forKey: .state)
      default: break
      }
    }
  }

  private let ribs: [RIB]

  private var outcome: OrderOutcome? {
    guard !ribs.contains(where: { $0.order != nil }) else { return nil }
    return ribs.lazy.compactMap(\.loggedIn).first?.pastOrders.last?.outcome
  }

  /// The state of the order, in one or two words.
  package var state: String {
    if let order = ribs.lazy.compactMap(\.order).first { return order.state.name }
    if let outcome { return outcome.name }
    return ribs.contains { $0.loggedIn != nil } ? "logged in" : Stage.loggedOut.title
  }

  /// What was charged, if the order was completed.
  package var charged: Cents? {
    if case .completed(let charged)? = outcome { charged } else { nil }
  }
}
