// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

@Suite("Work in parallel")
struct InParallelTests {
  /// Lets its callers continue when so many of them have come.
  private actor Meeting {
    private let size: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(of size: Int) { self.size = size }

    func join() async {
      await withCheckedContinuation { continuation in
        waiting.append(continuation)
        guard waiting.count == size else { return }
        for continuation in waiting { continuation.resume() }
        waiting = []
      }
    }
  }

  @Test("runs beside the tree, which answers meanwhile, and returns the results in order on the tree")
  func order() async throws {
    let (host, journal, meeting) = (await TreeHost { Router(interactor: Interactor()) }, Journal(), Meeting(of: 9))
    try await host.perform { root in
      let interactor = root.interactor
      _ = interactor.task {
        let squares = try await inParallel(1...8) { number in
          await meeting.join()
          return number * number
        }
        journal.write("\(squares) \(interactor.isActive)")
      }
    }
    // The tree answers while all of them wait for each other, and for this.
    #expect(try await host.perform { $0.interactor.isActive })
    await meeting.join()
    await journal.wait(for: "[1, 4, 9, 16, 25, 36, 49, 64] true")
    await host.shutdown()
  }

  @Test("cancels the others when one throws, and throws its error")
  func failing() async {
    let gate = Gate()
    await #expect(throws: Failure.self) {
      _ = try await inParallel(0..<4) { number in
        if number == 2 { throw Failure() }
        await gate.pass()
      }
    }
  }

  @Test("runs as many at once as it may, and each once", arguments: [1, 2, 3, 100])
  func limited(_ limit: Int) async throws {
    let running = Locked((now: 0, most: 0))
    let results = try await inParallel(0..<20, atMost: limit) { number in
      running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      await Task.yield()
      running.withLock { $0.now -= 1 }
      return number
    }
    #expect(results == Array(0..<20))
    #expect(running.withLock { $0.most } <= limit)
  }

  @Test("begins nothing for a caller that is cancelled")
  func cancelled() async {
    let journal = Journal()
    let task = Task {
      await Task { withUnsafeCurrentTask { $0?.cancel() } }.value
      withUnsafeCurrentTask { $0?.cancel() }
      return try await inParallel(0..<4) { number in journal.write("\(number)") }.count
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(journal.lines == [])
  }
}
