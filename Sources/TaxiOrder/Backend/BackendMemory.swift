// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// What the simulated backend of one order remembers. It outlives the trees of the order.
package final class BackendMemory: Sendable {
  package struct State: Codable, Sendable {
    /// The number of answered requests of each kind.
    var calls = [Int](repeating: 0, count: Request.allCases.count)
    /// The number of taxis that have accepted the order.
    var assignments = 0
    /// When the last of them accepted it.
    var assignedAt = OrderTime.zero
    /// The answers of the requests with effects, by key. A nil assignment: no taxi was free.
    var taxis: [String: Assignment?] = [:]
    var cancellations: [String: Bool] = [:]
    var payments: [String: PaymentAnswer] = [:]
    /// When the outage began; nil if there was none.
    var outageBegan: OrderTime?
    /// When a request of each kind was received last.
    var received = [OrderTime?](repeating: nil, count: Request.allCases.count)

    package init() {}

    package init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      calls = try container.decode([Int].self, forKey: .calls)
      assignments = try container.decode(Int.self, forKey: .assignments)
      assignedAt = try container.decode(OrderTime.self, forKey: .assignedAt)
      taxis = try container.decode([String: Assignment?].self, forKey: .taxis)
      cancellations = try container.decode([String: Bool].self, forKey: .cancellations)
      payments = try container.decode([String: PaymentAnswer].self, forKey: .payments)
      outageBegan = try container.decodeIfPresent(OrderTime.self, forKey: .outageBegan)
      received = try container.decode([OrderTime?].self, forKey: .received)
      let kinds = Request.allCases.count
      // So that no index is out of range and no calculation overflows, whatever a document says.
      guard calls.count == kinds, received.count == kinds,
        (calls + [assignments]).allSatisfy((0...Int(Int32.max)).contains)
      else {
        throw DecodingError.dataCorruptedError(
          forKey: .calls, in: container, debugDescription: "The counts are not those of a backend.")
      }
    }
  }

  private struct Memory {
    var state: State
    /// The number of the client's life.
    var life = 0
    /// The life in which a request of each kind was received last. Those of an earlier process are zero.
    var receivingLives = [Int](repeating: 0, count: Request.allCases.count)
  }

  private let memory: Locked<Memory>
  private let onChange: (@Sendable (State) -> Void)?

  /// - Parameters:
  ///   - state: what the backend remembers.
  ///   - onChange: called when that may have changed, before the request is answered.
  package init(_ state: State = State(), onChange: (@Sendable (State) -> Void)? = nil) {
    memory = Locked(Memory(state: state))
    self.onChange = onChange
  }

  package var state: State { memory.withLock { $0.state } }

  /// The number of times that a card was charged.
  package var charges: Int { state.payments.values.count { $0 == .paid } }

  /// The number of taxis that have accepted the order.
  package var taxis: Int { state.assignments }

  /// Reports the state as changed.
  package func reportChange() { memory.withLock { onChange?($0.state) } }

  /// Begins the next life of the client. Requests of earlier lives have no effect any more.
  ///
  /// - Returns: the number of the life.
  package func beginLife() -> Int {
    memory.withLock { memory in
      memory.life += 1
      return memory.life
    }
  }

  /// Ends the life of the client.
  package func endLife() { _ = beginLife() }

  /// Receives a request.
  ///
  /// - Parameter count: counts it, unless it repeats one of an earlier life of the client, which was received at the same
  ///   time. No change is reported between the receipt and the count.
  /// - Throws: `CancellationError` if the life of the client has ended.
  func receive(_ request: Request, in life: Int, at time: OrderTime, _ count: () -> Void) throws {
    try memory.withLock { memory in
      guard memory.life == life else { throw CancellationError() }
      let number = request.rawValue
      let isRepeat = memory.state.received[number] == time && memory.receivingLives[number] < life
      (memory.state.received[number], memory.receivingLives[number]) = (time, life)
      if !isRepeat { count() }
    }
  }

  /// Reads or changes the state for a request.
  ///
  /// - Throws: `CancellationError` if the life of the client has ended.
  func answer<Answer: Sendable>(in life: Int, _ body: (inout State) throws -> Answer) throws -> Answer {
    try memory.withLock { memory in
      guard memory.life == life else { throw CancellationError() }
      defer { onChange?(memory.state) }
      return try body(&memory.state)
    }
  }
}

extension BackendMemory.State {
  /// The first answer of a request, which its repeats get too.
  ///
  /// - Parameters:
  ///   - answers: the answers of requests of this kind.
  ///   - key: the key of the request.
  ///   - answer: carries out a request with a new key.
  mutating func once<Answer>(
    _ answers: WritableKeyPath<BackendMemory.State, [String: Answer]>, _ key: RequestKey,
    _ answer: (inout BackendMemory.State) -> Answer
  ) -> Answer {
    if let known = self[keyPath: answers][key.text] { return known }
    let answer = answer(&self)
    self[keyPath: answers][key.text] = answer
    return answer
  }
}
