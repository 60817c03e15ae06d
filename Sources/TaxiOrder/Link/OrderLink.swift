internal import Foundation

/// A link that orders a taxi: `taxi://order?from=Elm%20Court&to=Mill%20Pond`.
struct OrderLink: Hashable, Sendable {
  /// Where to be picked up; nil for where the rider is.
  let from: String?
  /// Where to go; nil to tell the driver on the way.
  let to: String?

  init(from: String?, to: String?) {
    self.from = from
    self.to = to
  }

  /// Reads a link; nil if it is none that orders a taxi.
  init?(_ text: String) {
    guard let link = URLComponents(string: text), link.scheme == "taxi", link.host == "order" else { return nil }
    let items = link.queryItems ?? []
    guard items.allSatisfy({ $0.name == "from" || $0.name == "to" }) else { return nil }
    from = items.first { $0.name == "from" }?.value?.nonEmpty
    to = items.first { $0.name == "to" }?.value?.nonEmpty
  }
}
