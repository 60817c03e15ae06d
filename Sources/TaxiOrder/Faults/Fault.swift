/// A fault in one order: its kind and where it occurs.
package struct Fault: Hashable, Sendable {
  let kind: FaultKind
  /// The request that fails, if the fault concerns one.
  let request: Request
  /// The index of that request among those of its kind in the order.
  let call: Int
  /// How far the order proceeds before the rider cancels, in percent.
  let part: Int

  init(_ kind: FaultKind, request: Request = .quote, call: Int = 0, part: Int = 50) {
    self.kind = kind
    self.request = request
    self.call = call
    self.part = part
  }
}

extension Fault {
  /// The requests that an order can't do without, by kind and index.
  private static let strikes: [(request: Request, call: Int)] =
    [(.quote, 0), (.taxi, 0)] + (0..<4).map { (.status, $0) } + (0..<3).map { (.position, $0) } + [(.payment, 0)]

  /// Chooses where a fault occurs.
  ///
  /// - Parameters:
  ///   - kind: the kind of fault.
  ///   - paysByCard: whether there is a payment request that can fail.
  ///   - random: the source of the choice.
  init(_ kind: FaultKind, paysByCard: Bool, random: inout SeededGenerator) {
    let strikes = paysByCard ? Fault.strikes[...] : Fault.strikes.dropLast()
    let strike = strikes[random.below(strikes.count)]
    // The poll before the ride at which the driver cancels.
    let poll = random.below(2)
    let isDriver = kind == .driverCancels || kind == .driverCancelsTwice
    self.init(
      kind, request: strike.request, call: isDriver ? poll : strike.call, part: 5 + random.below(90))
  }
}
