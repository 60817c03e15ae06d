// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import TestSupport
import Testing

@Suite("An operation with a time limit")
struct TimeLimitTests {
  private struct Failed: Error {}

  /// Waits until its task is cancelled.
  private func wait(
    isWaiting: (@Sendable () -> Void)? = nil, wasCancelled: (@Sendable () -> Void)? = nil
  ) async throws {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    await withTaskCancellationHandler {
      isWaiting?()
      for await _ in stream {}
    } onCancel: {
      wasCancelled?()
      continuation.finish()
    }
    try Task.checkCancellation()
  }

  @Test("returns its result, or throws its error, if it ends in time")
  func inTime() async throws {
    #expect(try await withTimeLimit(.seconds(600)) { 1 } == 1)
    await #expect(throws: Failed.self) { try await withTimeLimit(.seconds(600)) { throw Failed() } }
  }

  @Test("is cancelled at the limit, before the caller continues, and returns nil")
  func late() async throws {
    var waits = 0
    while waits < 100 {
      let (waiting, cancelled) = (Shared(false), Shared(false))
      let result: Void? = try await withTimeLimit(.milliseconds(1)) {
        try await wait(isWaiting: { waiting.value = true }, wasCancelled: { cancelled.value = true })
      }
      #expect(result == nil)
      // On a busy machine, one that has not begun at the limit learns of it when it begins.
      guard waiting.value else { continue }
      waits += 1
      #expect(cancelled.value)
    }
  }

  @Test("that is abandoned by its limit leaves the answer to the limit")
  func abandoned() async throws {
    let call = LimitedCall()
    call.abandon()
    let result: Void? = try await withTimeLimit(.milliseconds(1)) { try call.begin() }
    #expect(result == nil)
  }

  @Test("is not waited for after the limit if it ignores cancellation")
  func ignoredCancellation() async throws {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    let result: Void? = try await withTimeLimit(.milliseconds(1)) {
      await Task { for await _ in stream {} }.value
    }
    #expect(result == nil)
    continuation.finish()
  }

  @Test("is cancelled with the task that waits for it")
  func cancelledCaller() async throws {
    let (cancelled, continuation) = AsyncStream<Void>.makeStream()
    let task = Task {
      try await withTimeLimit(.seconds(600)) { try await wait(wasCancelled: { continuation.finish() }) }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    for await _ in cancelled {}
  }
}
