internal import Foundation

/// A link that orders a taxi: `taxi://order?from=Elm%20Court&to=Mill%20Pond`.
package struct OrderLink: Hashable, Sendable {
  /// The pickup; nil for the rider's position.
  let from: String?
  /// The destination; nil for none.
  let to: String?

  init(from: String?, to: String?) {
    self.from = from
    self.to = to
  }

  /// Parses a link; nil if it does not order a taxi.
  package init?(_ text: String) {
    guard let link = URLComponents(string: text), link.scheme == "taxi", link.host == "order" else { return nil }
    let items = link.queryItems ?? []
    guard items.allSatisfy({ $0.name == "from" || $0.name == "to" }) else { return nil }
    from = items.first { $0.name == "from" }?.value?.nonEmpty
    to = items.first { $0.name == "to" }?.value?.nonEmpty
  }
}
