/// Something that goes wrong with one order: what, and where.
struct Fault: Hashable, Sendable {
  let kind: FaultKind
  /// The request that it strikes, if it strikes one.
  let request: Request
  /// Which of these requests of the order, from 0.
  let call: Int
  /// How far the rider lets it come before cancelling, in hundredths.
  let part: Int

  init(_ kind: FaultKind, request: Request = .quote, call: Int = 0, part: Int = 50) {
    self.kind = kind
    self.request = request
    self.call = call
    self.part = part
  }
}

extension Fault {
  /// The requests without which an order does not get on, by their place among those of their kind.
  private static let strikes: [(request: Request, call: Int)] =
    [(.quote, 0), (.taxi, 0)] + (0..<4).map { (.status, $0) } + (0..<3).map { (.position, $0) } + [(.payment, 0)]

  /// Picks the place where a fault strikes.
  ///
  /// - Parameters:
  ///   - kind: what goes wrong.
  ///   - paysByCard: whether there is a payment request that can be struck.
  ///   - random: picks.
  init(_ kind: FaultKind, paysByCard: Bool, random: inout SeededGenerator) {
    let strikes = paysByCard ? Fault.strikes[...] : Fault.strikes.dropLast()
    let strike = strikes[random.below(strikes.count)]
    // Which of the two polls before the ride the driver does not wait for.
    let poll = random.below(2)
    let isDriver = kind == .driverCancels || kind == .driverCancelsTwice
    self.init(
      kind, request: strike.request, call: isDriver ? poll : strike.call, part: 5 + random.below(90))
  }
}
