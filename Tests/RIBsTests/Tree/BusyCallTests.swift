// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RIBs
import RIBsTesting
import TestSupport
import Testing

@Suite("The timeout of a call of a tree that does not answer")
struct BusyCallTests {
  private let journal = Journal()
  private let blockade = DispatchSemaphore(value: 0)
  private let clock = TestClock()

  /// A tree that is blocked by a call.
  ///
  /// - Returns: its host, and what it runs.
  private func makeBlockedHost() async throws -> (TreeHost<Scripted.RootRouter>, activity: String) {
    let occupation = Occupation(.call) { [blockade] in blockade.wait() }
    let host = await occupation.makeHost(TreeConfiguration(name: "order-17", clock: clock, leakDetection: .off))
    let line = try await occupation.begin(in: host) ?? 0
    return (host, "perform (Occupation.swift:\(line))")
  }

  @Test("bounds its caller, who learns what the tree runs, and the call is never made", arguments: [false, true])
  func busy(isWithin: Bool) async throws {
    let (host, activity) = try await makeBlockedHost()
    let call = Task { [journal] in
      if isWithin {
        try await host.perform(within: { $0.interactor }, timeout: .seconds(5)) { _ in journal.write("made") }
      } else {
        try await host.perform(timeout: .seconds(5)) { _ in journal.write("made") }
      }
    }
    await clock.advanceSleeper(by: .seconds(5))
    let error = await #expect(throws: BoundWork.TimedOut.self) { try await call.value }
    #expect(
      error?.description
        == "The call was not begun within 5.0 seconds, and will not be. The tree did not answer in time: order-17:Root "
        + "runs \(activity), for 5.0 seconds at least.")
    blockade.signal()
    // After the abandoned call, whose turn would have come before.
    try await host.perform { _ in }
    await host.shutdown()
    #expect(journal.lines.isEmpty)
  }

  @Test("ends with the caller, if that is cancelled meanwhile")
  func cancelled() async throws {
    let (host, _) = try await makeBlockedHost()
    let call = Task { [journal] in
      try await host.perform(timeout: .seconds(5)) { _ in journal.write("made") }
    }
    await clock.waitForSleeper()
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    blockade.signal()
    // After the call that never begins.
    try await host.perform { _ in }
    try await host.perform { _ in }
    await host.shutdown()
    #expect(journal.lines.isEmpty)
  }

  @Test("cancels a call that has begun before its caller knows, and waits for its end")
  func cancelledAtItsBeginning() async throws {
    let host = await TreeHost(configuration: TreeConfiguration(leakDetection: .off)) { Scripted.RootRouter() }
    for number in 1...2000 {
      let (caller, gate) = (Shared<Task<Void, any Error>?>(nil), Gate())
      let call = Task { [journal] in
        await gate.pass()
        try await host.perform(timeout: .seconds(1000)) { _ in
          caller.value?.cancel()
          while !Task.isCancelled { await Task.yield() }
          journal.write("ended")
        }
      }
      caller.value = call
      gate.open()
      await #expect(throws: CancellationError.self) { try await call.value }
      #expect(journal.lines.count == number)
    }
    await host.shutdown()
  }
}
