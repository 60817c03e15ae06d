// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import Testing

@Suite("A handler of the end of a tree")
struct EndHandlerTests {
  private let journal = Journal()

  @Test("is called in order with the others, unless it was removed, and is released with its removal")
  func removal() async {
    let host = await TreeHost(configuration: TreeConfiguration(leakDetection: .off)) { Scripted.RootRouter() }
    var captured: Journal? = Journal()
    weak let released = captured
    let handlers = (0..<5).map { number in
      host.onEnd { [journal, captured = number == 3 ? captured : nil] _ in
        journal.write("\(number)")
        withExtendedLifetime(captured) {}
      }
    }
    captured = nil
    #expect(released != nil)
    for number in [0, 3] {
      handlers[number].dispose()
      handlers[number].dispose()
    }
    #expect(released == nil)
    #expect(handlers.map(\.hasEnded) == [true, false, false, true, false])
    host.onEnd { [journal] _ in journal.write("5") }
    await host.shutdown()
    #expect(journal.lines == ["1", "2", "4", "5"])
    #expect(handlers.allSatisfy { $0.hasEnded })
    let late = host.onEnd { [journal] _ in journal.write("late") }
    #expect(journal.lines.last == "late" && late.hasEnded)
    late.dispose()
  }

  @Test("is added and removed in constant time, among a hundred thousand others")
  func many() async {
    let host = await TreeHost(configuration: TreeConfiguration(leakDetection: .off)) { Scripted.RootRouter() }
    let count = Locked(0)
    let handlers = (0..<100_000).map { _ in host.onEnd { _ in count.withLock { $0 += 1 } } }
    for handler in handlers.prefix(99_990) { handler.dispose() }
    await host.shutdown()
    #expect(count.withLock { $0 } == 10)
  }

  @Test("of a wait that was cancelled is removed from the promise")
  func cancelledWait() async throws {
    let promise = Promise<Int>()
    let wait = Task { try await promise.valueUnlessCancelled() }
    wait.cancel()
    let result = await wait.result
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(promise.handlerCount == 0)
    promise.set(1)
  }
}
