// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import RIBsTesting
import TestSupport
import Testing

@Suite("Auctions with an end", .timeLimit(.minutes(15)))
struct AuctionsTests {
  final class AuctionInteractor: Interactor, Saving {
    struct SavedState: Codable, Sendable {
      var bids = 0
      /// Nil for an auction without an end.
      var closesAt: WallTime?
      var isClosed = false
    }

    var savedState = SavedState() { didSet { setNeedsSave() } }
    private let onClose: @Sendable (_ late: Duration) -> Void

    init(onClose: @escaping @Sendable (_ late: Duration) -> Void) { self.onClose = onClose }

    override func didBecomeActive() {
      super.didBecomeActive()
      if !savedState.isClosed, let time = savedState.closesAt { close(at: time) }
    }

    func close(at time: WallTime) {
      savedState.closesAt = time
      task {
        try await self.sleep(until: time)
        self.savedState.isClosed = true
        self.onClose(self.wallTime - time)
      }
    }
  }

  private static let count = Thoroughness.count(usual: 1_000, share: 10_000, whole: 10_000)
  private static let (limit, pause, step) = (count / 20, Duration.seconds(50) / count, Duration.milliseconds(500))
  private let clock = TestClock(wallTime: .noon)
  /// How late each auction was closed, each time.
  private let closings = Shared((times: [Int: [Duration]](), count: 0))

  /// When an auction closes: a hundredth of them in each step.
  private static func end(of id: Int) -> WallTime { .noon + .seconds(10) + pause * id }

  @Test("are closed in time, each once, while bids on others are answered, within a limit of a twentieth")
  func auctions() async throws {
    let store = MemoryStore(clock: clock, wallClock: clock.wallClock)
    let problems = Journal()
    let auctions = TreeDirectory(
      "auction", in: store,
      configuration: DirectoryConfiguration(
        idleAfter: .seconds(1), limit: Self.limit, interval: Self.step, clock: clock),
      tree: { [clock] _ in TreeConfiguration(clock: clock, wallClock: clock.wallClock, leakDetection: .off) },
      onEvent: { event in
        switch event {
        case .opened, .restored, .woken, .passivated: break
        default: problems.write("\(event)")
        }
      },
      build: { [closings] (id: Int) -> sending Router<AuctionInteractor> in
        Router(
          interactor: AuctionInteractor { late in
            closings.change { closings in
              closings.times[id, default: []].append(late)
              closings.count += 1
            }
          })
      })
    let running = Task { await auctions.run() }
    // All begin at once, many at the same time.
    let callers = min(50, Self.limit / 2)
    try await atOnce(0..<callers) { first in
      for id in stride(from: first, to: Self.count, by: callers) {
        try await auctions.perform(on: id) { $0.interactor.close(at: Self.end(of: id)) }
      }
    }
    #expect(auctions.count <= Self.limit)
    var largest = 0
    while closings.change({ $0.count }) < Self.count, clock.wallTime < Self.end(of: Self.count) + .seconds(10) {
      clock.advance(by: Self.step)
      try await atOnce(0..<Self.count / 250) { _ in
        // Most are asleep, some are closed, and some have no end.
        try await auctions.perform(on: .random(in: 0..<2 * Self.count)) { $0.interactor.savedState.bids += 1 }
      }
      largest = max(largest, auctions.count)
      // A round that has not ended continues.
      let due = min(Self.count, 1 + Int((clock.wallTime - Self.end(of: 0)) / Self.pause))
      for _ in 0..<1_000 where closings.change({ $0.count }) < due { await Task.yield() }
    }
    let late = closings.value.times
    #expect(late.count == Self.count && late.values.allSatisfy { $0.count == 1 })
    let times = late.values.flatMap(\.self).sorted()
    #expect(times.allSatisfy { $0 >= .zero && $0 <= Self.step * 6 }, "\(String(describing: times.last))")
    #expect(largest <= Self.limit)
    await running.end()
    await auctions.shutdown()
    #expect(problems.lines.filter { !$0.contains("shut down") } == [])
    #expect(store.records.values.allSatisfy { !$0.isAwake && $0.wakes == nil })
  }
}
