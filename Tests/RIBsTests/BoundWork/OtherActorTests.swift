import Dispatch
import RIBs
import Testing

private actor Other {
  /// Keeps this actor's thread until it is told to go on, and returns whether it was.
  func block(until signal: DispatchSemaphore, begun: AsyncStream<Void>.Continuation) -> Bool {
    begun.yield()
    return wait(signal)
  }

  private nonisolated func wait(_ signal: DispatchSemaphore) -> Bool { signal.wait(timeout: .now() + 2) == .success }
}

@Suite("Another actor that bound work calls")
struct OtherActorTests {
  @Test("does not keep the tree busy while it works")
  func busy() async throws {
    let other = Other()
    let signal = DispatchSemaphore(value: 0)
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let (results, result) = AsyncStream<Bool>.makeStream()
    let host = await TreeHost { Scripted.RootRouter() }
    try await host.perform { root in
      _ = root.interactor.task { result.yield(await other.block(until: signal, begun: begin)) }
    }
    _ = await first(of: begun)
    try await host.perform { _ in _ = signal.signal() }
    #expect(await first(of: results) == true)
    await host.shutdown()
  }
}
