// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsLists
import RIBsTesting
import Testing

@Suite("A pager, on random walks,", .folded)
struct PagerWalkTests {
  @Test("has one page in flight at most, settles each exactly once, and never loads forever")
  func walk() {
    let first = firstSeed()
    let walks: UInt64 = Thoroughness.count(usual: 50, share: 300, whole: 3_000)
    print("Walks through pages: seed \(first), \(walks) walks")
    for seed in first..<first + walks {
      var walk = PagerWalk(seed)
      if let wrong = walk.run(60) {
        Issue.record("seed \(seed): \(wrong)")
        return
      }
    }
  }

  @Test("serves a thousand riders at once, whatever becomes of their batches")
  func riders() async throws {
    let backend = RideBackend()
    let misuses = Journal()
    let configuration = TreeConfiguration(
      leakDetection: .off, onMisuse: { misuses.write("\($0.kind)") }, onFailure: { #expect($0.error is Failure) })
    try await atOnce(0..<1_000) { rider in
      let (ends, end) = AsyncStream<Int>.makeStream()
      let host = await TreeHost(configuration: configuration) {
        Router(interactor: RiderInteractor(rider, backend, onEnd: { end.yield($0) }))
      }
      #expect(await ends.first { _ in true } == 50, "rider \(rider)")
      await host.shutdown()
    }
    let abandoned = await backend.abandoned
    #expect(abandoned > 0)
    #expect(misuses.lines == Array(repeating: "\(Misuse.Kind.abandonedPageRequest)", count: abandoned))
    #expect(await backend.mostAtOnce == 1)
    #expect(await backend.calls > 5_000)
  }
}

/// A pager beside a model of it, which receive the same.
private struct PagerWalk {
  private let test = TestTree(recording: [])
  private let interactor = PagedInteractor()
  private var random: SplitMix
  private var expected: [Int] = []
  private var isLast = false
  private var abandoned = 0

  init(_ seed: UInt64) {
    random = SplitMix(seed)
    test.launch(interactor: interactor)
  }

  /// - Returns: what is wrong, or nil.
  mutating func run(_ steps: Int) -> String? {
    let pager = interactor.pager
    for step in 0..<steps {
      let asked = interactor.asked.count
      let wasLoading = pager.isLoading
      switch random.below(5) {
      case 0, 1:
        let lower = random.below(expected.count + 4)
        pager.setWindow(lower..<lower + random.below(4), towards: random.below(3) == 0 ? .head : .tail)
      case 2: pager.loadMore()
      case 3:
        settleHeld()
        if wasLoading, pager.isLoading, pager.items.isEmpty { return "step \(step): the batch was not settled" }
      default:
        if random.below(6) == 0 {
          // Held batches are completed late, without a listener.
          let late = interactor.held.take()
          pager.reload()
          if late?.complete([-1], isLast: true) == true { return "step \(step): a late batch was accepted" }
        }
      }
      test.settle()
      if interactor.asked.count > asked + 1 { return "step \(step): two pages were asked for" }
      let isHeld = interactor.held?.isCancelled == false
      if pager.isLoading != isHeld { return "step \(step): loading is \(pager.isLoading), a batch is there: \(isHeld)" }
      if pager.state.value.isLoading != pager.isLoading { return "step \(step): \(pager.state.value.text)" }
      if pager.items != expected { return "step \(step): \(pager.items), expected \(expected)" }
      if pager.hasMore == isLast { return "step \(step): more is \(pager.hasMore)" }
    }
    let reported = test.takeMisuses().map(\.kind)
    if reported != Array(repeating: .abandonedPageRequest, count: abandoned) {
      return "\(reported), \(abandoned) abandoned"
    }
    interactor.deactivate()
    if pager.isLoading { return "loading although the interactor has resigned" }
    interactor.held = nil
    test.finish()
    return nil
  }

  private mutating func settleHeld() {
    guard let batch = interactor.held.take() else { return }
    let offset = batch.offset
    let page = Array(offset..<offset + random.below(4))
    switch random.below(6) {
    case 0: batch.fail(Failure())
    case 1: batch.cancel()
    case 2: abandoned += 1
    case let kind:
      expected = (offset == 0 ? [] : expected) + page
      isLast = kind == 3 && random.below(2) == 0
      batch.complete(page, isLast: isLast)
    }
  }
}

/// Knows the rides of many riders, and does not always answer.
private actor RideBackend {
  private var inFlight: [Int: Int] = [:]
  private(set) var mostAtOnce = 0
  private(set) var calls = 0
  private(set) var abandoned = 0

  func rides(of rider: Int, after offset: Int) async -> [Int] {
    calls += 1
    inFlight[rider, default: 0] += 1
    mostAtOnce = max(mostAtOnce, inFlight[rider] ?? 0)
    await Task.yield()
    inFlight[rider, default: 0] -= 1
    return Array(offset..<min(offset + 10, 50))
  }

  func abandon() { abandoned += 1 }
}

private final class RiderInteractor: Interactor {
  private let rider: Int
  private let backend: RideBackend
  private let onEnd: @Sendable (Int) -> Void
  private var random: SplitMix

  init(_ rider: Int, _ backend: RideBackend, onEnd: @escaping @Sendable (Int) -> Void) {
    self.rider = rider
    self.backend = backend
    self.onEnd = onEnd
    random = SplitMix(UInt64(rider))
  }

  private var rides: Pager<Int> {
    scoped {
      Pager(of: self) { batch in
        let rides = await self.backend.rides(of: self.rider, after: batch.offset)
        switch self.random.below(10) {
        case 0: batch.fail(Failure())
        case 1: throw Failure()
        case 2: batch.cancel()
        case 3: await self.backend.abandon()
        case 4: batch.complete([], isLast: false)
        default: batch.complete(rides, isLast: (rides.last ?? 0) == 49)
        }
      }
    }
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    rides.state.subscribe(onNext: { [unowned self] state in
      if !rides.hasMore { return onEnd(rides.items == Array(0..<50) ? rides.items.count : -1) }
      if !state.isLoading { rides.loadMore() }
    }).disposeOnDeactivate(interactor: self)
  }
}
