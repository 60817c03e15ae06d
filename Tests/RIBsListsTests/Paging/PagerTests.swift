// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsLists
import RIBsTesting
import TestSupport
import Testing

@Suite("A pager", .folded)
struct PagerTests {
  private let test = TestTree(recording: [])
  private let interactor = PagedInteractor()

  private var pager: Pager<Int> { interactor.pager }

  /// Moves the window, and lets the pager ask for a page.
  private func move(to window: Range<Int>) {
    pager.setWindow(window, towards: .tail)
    test.settle()
  }

  private func loadMore() {
    pager.loadMore()
    test.settle()
  }

  @Test("requests the first page again after a reload that was cancelled or has failed", arguments: [false, true])
  func unfinishedReload(fails: Bool) {
    test.launch(interactor: interactor)
    interactor.plan = .completeAsLast
    move(to: 0..<2)
    interactor.plan = fails ? .fail : .cancel
    pager.reload()
    test.settle()
    interactor.plan = .completeWithItems
    if fails { loadMore() } else { move(to: 1..<3) }
    #expect(interactor.asked.prefix(3) == ["0 at 0", "0 at 0", "0 at 0"])
    #expect(pager.hasMore)
    test.skip()
    test.finish()
  }

  @Test("loads page after page as the window moves, one at a time, until the last")
  func pages() {
    test.launch(interactor: interactor)
    let states = StreamRecorder(pager.state.asObservable().map(\.text))
    pager.setWindow(0..<4, towards: .tail)
    for window in 0..<3 { pager.setWindow(window..<window + 4, towards: .tail) }
    test.settle()
    #expect(interactor.asked == ["0 at 0"])
    #expect(pager.isLoading)
    // Less than two windows of four are ahead of 2..<6 until there are fourteen.
    for _ in 0..<3 {
      #expect(interactor.completeHeld() == true)
      test.settle()
    }
    #expect(interactor.asked == ["0 at 0", "1 at 5", "2 at 10"])
    #expect(!pager.isLoading)
    move(to: 4..<8)
    #expect(interactor.completeHeld(isLast: true) == true)
    move(to: 16..<20)
    #expect(!pager.hasMore)
    #expect(pager.items == Array(0..<20))
    #expect(pager.loadMore() == .ignored)
    states.expect(
      "idle", "loading after 0", "loaded 5", "loading after 5", "loaded 10", "loading after 10", "loaded 15",
      "loading after 15", "loaded 20")
    test.finish()
  }

  @Test(
    "asks for more when it should, at every position of the window, and not otherwise",
    arguments: [0.0, 0.5, 1, 2, .infinity])
  func conditions(leading: Double) {
    for count in 0...9 {
      for lower in stride(from: 0, through: 8, by: Thoroughness.isExhaustive ? 1 : 2) {
        for size in 0...4 {
          for heading in [ListEnd.tail, .head] {
            let test = TestTree(recording: [])
            let interactor = PagedInteractor(leading: leading)
            test.launch(interactor: interactor)
            interactor.pageSize = count
            interactor.pager.loadMore()
            test.settle()
            interactor.completeHeld()
            interactor.pager.setWindow(lower..<lower + size, towards: heading)
            let ahead = count - (lower + size)
            let expected =
              leading > 0 && size > 0
              && (count < size || heading == .tail && Double(ahead) < leading * Double(size))
            test.settle()
            #expect(
              (interactor.asked.count == 2) == expected, "\(count) items, \(lower)..<\(lower + size) to \(heading)")
            interactor.held.take()?.cancel()
            test.finish()
          }
        }
      }
    }
  }

  @Test("asks for nothing because of a window without end or beginning, and does not overflow")
  func hugeWindows() {
    test.launch(interactor: interactor)
    pager.setWindow(Int.min..<Int.max, towards: .head)
    test.settle()
    interactor.completeHeld(isLast: true)
    pager.setWindow(Int.max - 1..<Int.max, towards: .tail)
    pager.setWindow(Int.min..<Int.min + 1, towards: .tail)
    test.settle()
    #expect(interactor.asked == ["0 at 0"])
    test.finish()
  }

  @Test(
    "shows what has become of a batch, and asks for the page again when it should",
    arguments: [
      (PagedInteractor.Plan.completeWithItems, "loaded 10", 1, 2, []),
      (.completeWithoutItems, "loaded 5", 1, 2, []),
      (.completeAsLast, "loaded 10", 1, 1, []),
      (.fail, "failed Failure after 5", 1, 1, []),
      (.cancel, "loaded 5", 1, 2, []),
      (.forget, "failed AbandonedPageRequest after 5", 1, 1, []),
      (.forgetAndWait, "failed AbandonedPageRequest after 5", 1, 1, []),
      (.throwError, "failed Failure after 5", 1, 1, ["Failure"]),
      (.throwCancellation, "failed CancellationError after 5", 1, 1, ["CancellationError()"]),
    ])
  func outcomes(plan: PagedInteractor.Plan, state: String, asked: Int, moved: Int, errors: [String]) {
    test.launch(interactor: interactor)
    loadMore()
    interactor.completeHeld()
    interactor.plan = plan
    move(to: 0..<3)
    #expect(pager.state.value.text == state)
    #expect(interactor.asked.count == 1 + asked)
    #expect(!pager.isLoading)
    #expect(interactor.errors == errors)
    let isAbandoned = plan == .forget || plan == .forgetAndWait
    let misuses = test.takeMisuses()
    #expect(misuses.map(\.kind) == (isAbandoned ? [.abandonedPageRequest] : []))
    #expect(misuses.allSatisfy { $0.description.contains("A batch of Int was abandoned") })
    // The same window is no movement; another one is.
    interactor.plan = .hold
    move(to: 0..<3)
    #expect(interactor.asked.count == 1 + asked)
    move(to: 2..<5)
    #expect(interactor.asked.count == 1 + moved)
    interactor.held.take()?.cancel()
    #expect(pager.loadMore() == (plan == .completeAsLast ? .ignored : .started))
    test.settle()
    interactor.held.take()?.cancel()
    test.finish()
  }

  @Test("takes no notice of a batch that it does not wait for any more, whatever becomes of it", arguments: 0..<8)
  func late(number: Int) {
    let (outcome, isEnding) = (number % 4, number >= 4)
    let router = test.launch(interactor: interactor)
    let pager = pager
    loadMore()
    interactor.completeHeld()
    loadMore()
    let late = interactor.held.take()
    if isEnding {
      interactor.deactivate()
    } else {
      #expect(pager.reload() == .replaced)
      test.settle()
    }
    let isTaken = settle(late, outcome)
    #expect(isTaken == false)
    test.settle()
    #expect(pager.items == Array(0..<5))
    #expect(pager.hasMore)
    if isEnding {
      #expect(pager.state.value.text == "loaded 5")
      #expect((pager.loadMore(), pager.reload()) == (.inactive, .inactive))
      pager.setWindow(0..<100, towards: .tail)
      test.settle()
      #expect(interactor.asked.count == 2)
    } else {
      #expect(pager.state.value.text == "loading after 5")
      #expect(interactor.completeHeld(isLast: true) == true)
      #expect(pager.state.value.text == "loaded 5")
    }
    #expect(test.takeMisuses().isEmpty)
    test.finish()
    withExtendedLifetime(router) {}
  }

  private func settle(_ batch: consuming PageRequest<Int>?, _ outcome: Int) -> Bool? {
    guard let batch = consume batch else { return nil }
    let isCancelled = batch.isCancelled
    #expect(isCancelled)
    switch outcome {
    case 0: return batch.complete([100], isLast: true)
    case 1: return batch.fail(Failure())
    case 2: return batch.cancel()
    default: return false
    }
  }

  @Test("restarts on request, and keeps its items until the first page has arrived")
  func reload() {
    interactor.plan = .completeAsLast
    test.launch(interactor: interactor)
    loadMore()
    #expect(!pager.hasMore)
    interactor.plan = .fail
    #expect(pager.reload() == .started)
    test.settle()
    #expect(pager.state.value.text == "failed Failure after 5")
    #expect(!pager.hasMore)
    interactor.plan = .completeWithItems
    interactor.pageSize = 3
    #expect(pager.reload() == .started)
    #expect(pager.state.value.text == "loading after 5")
    test.settle()
    #expect(pager.items == [0, 1, 2])
    #expect(pager.hasMore)
    loadMore()
    #expect(interactor.asked == ["0 at 0", "0 at 0", "0 at 0", "1 at 3"])
    test.finish()
  }

  @Test("cancels the work of a page that it does not wait for any more")
  func cancellation() {
    interactor.plan = .forgetAndWait
    test.launch(interactor: interactor)
    loadMore()
    #expect((test.takeMisuses().count, test.runningWork.count) == (1, 1))
    pager.dispose()
    test.settle()
    #expect(test.runningWork.count == 1, "Its page was abandoned, so that nothing is waited for")
    test.finish()
  }

  @Test("is stopped from the beginning when its interactor is not active, and says so")
  func inactive() {
    let reported = misuses { #expect(interactor.pager.loadMore() == .inactive) }
    #expect(reported.contains(.subscriptionWhileInactive))
  }

  @Test("goes with its interactor, together with what its closure has captured")
  func release() {
    let root = ProbeRouter("root")
    test.launch(root)
    var router: Router<PagedInteractor>? = Router(interactor: PagedInteractor())
    weak let weakInteractor = router?.interactor
    weak var weakPager: Pager<Int>?
    if let router {
      root.attachChild(router)
      weakPager = router.interactor.pager
      router.interactor.pager.loadMore()
      test.settle()
      #expect(weakPager?.isLoading == true)
      root.detachChild(router)
    }
    router = nil
    test.settle()
    #expect(weakInteractor == nil && weakPager == nil)
    test.finish()
  }
}
