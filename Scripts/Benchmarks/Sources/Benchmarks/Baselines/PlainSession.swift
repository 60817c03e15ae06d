// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Workloads

/// The rules of `SessionRouter` in an actor without a tree: the state of each part, feature and session in an object.
actor PlainSession {
  final class Counter {
    var count = 0
    weak var parent: Counter?

    init(in parent: Counter?) { self.parent = parent }

    func add(_ amount: Int) throws {
      guard amount > 0, amount <= 1_000 else { throw CommandRefused() }
      didCount(amount)
    }

    func didCount(_ amount: Int) {
      count &+= amount
      parent?.didCount(amount)
    }
  }

  private let session = Counter(in: nil)
  private var features: [Counter] = []
  private var parts: [Counter] = []
  private var task: Task<Void, Never>?
  private var readers: [AsyncStream<Int>.Continuation] = []

  func begin() {
    for _ in 0..<2 {
      let feature = Counter(in: session)
      features.append(feature)
      for _ in 0..<2 { parts.append(Counter(in: feature)) }
    }
  }

  func add(_ amount: Int, to part: Int) throws -> Int {
    try parts[part].add(amount)
    for reader in readers { reader.yield(session.count) }
    return session.count
  }

  func totals(_ policy: AsyncStream<Int>.Continuation.BufferingPolicy = .bufferingNewest(1)) -> AsyncStream<Int> {
    let (values, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: policy)
    continuation.yield(session.count)
    readers.append(continuation)
    return values
  }

  /// Writes many values to the readers.
  func write(_ count: Int) { for value in 1...count { for reader in readers { reader.yield(value) } } }

  /// Starts work that ends with the session.
  func work() { task = Task { try? await Task.sleep(for: .seconds(3600)) } }

  func end() async {
    for reader in readers { reader.finish() }
    readers = []
    task?.cancel()
    await task?.value
  }
}
