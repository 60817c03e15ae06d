// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import Testing

@Suite("Every form of bound work", .folded)
struct FormTests {
  /// How many steps each of sixteen tasks takes.
  static let rounds = 1_000

  private let finished: AsyncStream<Void>
  private let finish: AsyncStream<Void>.Continuation

  init() { (finished, finish) = AsyncStream.makeStream() }

  @Test("runs on the actor of a host, and loses no step", arguments: Form.allCases)
  func host(_ form: Form) async throws {
    // Stopped by the actor itself if a step is taken elsewhere.
    let strays = StrayCount { true }
    let host = await TreeHost { [finish] in
      Router(interactor: Counting(form, rounds: Self.rounds, strays: strays, finished: finish))
    }
    try await host.perform { root in root.interactor.begin() }
    for await _ in finished {}
    #expect(try await host.perform { root in root.interactor.count } == 16 * Self.rounds)
    // A thrown error arrives right after the last step.
    await host.shutdown()
  }

  @Test("runs on the main actor, and loses no step", arguments: Form.allCases)
  @MainActor
  func mainActor(_ form: Form) async {
    let strays = StrayCount { MainQueue.isCurrent }
    let interactor = Counting(form, rounds: 100, strays: strays, finished: finish)
    let tree = Tree.launched(Router(interactor: interactor))
    interactor.begin()
    for await _ in finished {}
    #expect(interactor.count == 16 * 100)
    #expect(strays.value == 0)
    await tree.shutdown()
  }

  @Test("runs on an actor with an executor of its own, and loses no step", arguments: Form.allCases)
  func queueActor(_ form: Form) async {
    let home = QueueActor()
    let strays = StrayCount { home.isCurrent }
    let (counts, count) = AsyncStream<Int>.makeStream()
    await home.launch { [finish] in
      let interactor = Counting(form, rounds: 100, strays: strays, finished: finish)
      return BeginningRouter(interactor: interactor, count: count)
    }
    for await _ in finished {}
    await home.shutdown()
    #expect(await first(of: counts) == 16 * 100)
    #expect(strays.value == 0)
  }
}

/// Begins to count when it is loaded, and reports the count when it is released.
final class BeginningRouter: Router<Counting> {
  private let count: AsyncStream<Int>.Continuation

  init(interactor: Counting, count: AsyncStream<Int>.Continuation) {
    self.count = count
    super.init(interactor: interactor)
  }

  override func didLoad() {
    super.didLoad()
    interactor.begin()
  }

  deinit { count.yield(interactor.count) }
}
