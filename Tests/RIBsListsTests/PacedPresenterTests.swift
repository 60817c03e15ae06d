// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsLists
import RIBsTesting
import Testing

@Suite("A paced presenter", .folded)
struct PacedPresenterTests {
  private let test = TestTree(recording: [])
  private let interactor = PacedInteractor()

  private func present(_ values: Int...) { for value in values { interactor.screen.present(value) } }

  @Test("shows what is newest when the tree has its next turn, and then in each frame that has something new")
  func frames() {
    test.launch(interactor: interactor)
    present(1, 2)
    #expect(interactor.values.isEmpty)
    test.settle()
    #expect(interactor.values == [2])
    present(3)
    test.advance(by: .milliseconds(16))
    present(4)
    #expect(interactor.values == [2])
    test.advance(by: .milliseconds(1))
    #expect(interactor.values == [2, 4])
    // A frame has passed: nothing has to be waited for.
    test.advance(by: .milliseconds(50))
    present(5)
    test.settle()
    #expect(interactor.values == [2, 4, 5])
    #expect(test.runningWork.isEmpty)
    test.finish()
  }

  @Test("shows no value twice in a row, and nothing that came back to what is shown")
  func equal() {
    test.launch(interactor: interactor)
    for value in [1, 1] {
      present(value)
      test.advance(by: .seconds(1))
    }
    present(2, 1)
    test.advance(by: .seconds(1))
    #expect(interactor.values == [1])
    #expect(test.runningWork.isEmpty)
    present(2)
    test.settle()
    #expect(interactor.values == [1, 2])
    test.finish()
  }

  @Test("shows the last value before its interactor has resigned, and nothing afterwards", arguments: [true, false])
  func resigning(isShownBefore: Bool) {
    interactor.presentsWhenResigning = !isShownBefore
    test.launch(interactor: interactor)
    let screen = interactor.screen
    screen.present(1)
    test.settle()
    screen.present(2)
    interactor.deactivate()
    #expect(interactor.values == (isShownBefore ? [1, 2] : [1, 99]))
    #expect(interactor.activity == [true, true])
    screen.present(3)
    test.advance(by: .seconds(1))
    #expect(interactor.values.count == 2)
    interactor.activate()
    present(4)
    test.settle()
    #expect(interactor.values.last == 4)
    interactor.presentsWhenResigning = false
    test.finish()
  }

  @Test("shows what is presented while its tree ends, without a word of misuse")
  func ending() {
    let (root, child) = (ProbeRouter("root"), ProbeRouter("child"))
    let pacedRouter = Router(interactor: interactor)
    child.interactor.onResign = { [unowned interactor] _ in interactor.screen.present(7) }
    pacedRouter.attachChild(child)
    root.attachChild(pacedRouter)
    test.launch(root)
    present(1)
    test.settle()
    test.finish()
    #expect(interactor.values == [1, 7])
  }

  @Test("shows what is presented while it shows something in the next frame")
  func reentrance() {
    test.launch(interactor: interactor)
    interactor.onShow = { [unowned interactor] value in if value < 3 { interactor.screen.present(value + 1) } }
    present(1)
    test.settle()
    #expect(interactor.values == [1])
    test.advance(by: .milliseconds(17))
    #expect(interactor.values == [1, 2])
    test.advance(by: .milliseconds(17))
    #expect(interactor.values == [1, 2, 3])
    test.finish()
  }

  @Test("shows everything at once outside a tree")
  func byHand() {
    interactor.activate()
    present(1, 1, 2)
    #expect(interactor.values == [1, 2])
    interactor.deactivate()
    #expect(interactor.values == [1, 2])
  }

  @Test(
    "shows at most at the configured rate, and at least once a second", arguments: [(1, 1), (10, 10), (0, 1), (-5, 1)])
  func rates(rate: Int, expected: Int) {
    interactor.framesPerSecond = rate
    test.launch(interactor: interactor)
    for number in 0..<99 {
      interactor.screen.present(number)
      test.advance(by: .milliseconds(10))
    }
    #expect(interactor.values.count == expected)
    test.finish()
  }

  @Test("takes any number of frames a second, up to the largest and down to the smallest", arguments: [Int.max, .min])
  func extremeRates(rate: Int) {
    interactor.framesPerSecond = rate
    test.launch(interactor: interactor)
    for number in 0..<10 {
      interactor.screen.present(number)
      test.advance(by: .nanoseconds(1))
    }
    #expect(interactor.values == (rate > 0 ? Array(0..<10) : [0]))
    test.advance(by: .seconds(1))
    #expect(interactor.values.last == 9)
    test.finish()
  }

  @Test("is exact, and never too fast, on random walks")
  func walk() {
    let first = firstSeed()
    let walks: UInt64 = Thoroughness.count(usual: 25, share: 200, whole: 2_000)
    print("Walks through frames: seed \(first), \(walks) walks")
    for seed in first..<first + walks {
      var random = SplitMix(seed)
      let test = TestTree(recording: [])
      let interactor = PacedInteractor()
      interactor.now = { [clock = test.clock] in clock.now.sinceBeginning }
      test.launch(interactor: interactor)
      var last: Int?
      for _ in 0..<100 {
        if random.below(3) == 0 {
          test.advance(by: .milliseconds(random.below(25)))
        } else {
          last = random.below(4)
          if let last { interactor.screen.present(last) }
        }
      }
      if random.below(2) == 0 { test.advance(by: .seconds(1)) } else { interactor.deactivate() }
      #expect(interactor.values.last == last, "seed \(seed)")
      #expect(zip(interactor.values, interactor.values.dropFirst()).allSatisfy { $0 != $1 }, "seed \(seed)")
      let times = interactor.shown.map(\.time)
      // The very last may have been shown early, because the interactor resigned.
      let gaps = zip(times.dropFirst(), times).map { $0 - $1 }.dropLast(interactor.isActive ? 0 : 1)
      #expect(gaps.allSatisfy { $0 >= .nanoseconds(16_666_667) }, "seed \(seed)")
      test.finish()
    }
  }
}

@Suite("A paced presenter on a clock that fails", .folded, .timeLimit(.minutes(15)))
@MainActor
struct FailingClockTests {
  @Test("shows each value at once while the clock can't wait, and the error reaches the interactor")
  func failingClock() async {
    let interactor = PacedInteractor()
    let (showings, showing) = AsyncStream<Int>.makeStream()
    let (failures, failure) = AsyncStream<String>.makeStream()
    interactor.onShow = { [unowned interactor] value in
      showing.yield(value)
      if value == 3 { interactor.screen.present(4) }
    }
    interactor.onFail = { failure.yield("\($0)") }
    let tree = Tree(
      root: Router(interactor: interactor), configuration: TreeConfiguration(clock: FailingClock()))
    tree.launch()
    var (shown, failed) = (showings.makeAsyncIterator(), failures.makeAsyncIterator())
    for number in 1...3 {
      interactor.screen.present(number)
      #expect(await shown.next() == number)
    }
    #expect(await shown.next() == 4)
    for _ in 2...4 { #expect(await failed.next() == "Failure") }
    interactor.screen.present(5)
    tree.end()
    #expect(interactor.values == [1, 2, 3, 4, 5])
  }
}

/// Writes down what it shows, and when.
private final class PacedInteractor: Interactor {
  var framesPerSecond = 60
  var now: () -> Duration = { .zero }
  var onShow: (Int) -> Void = { _ in }
  var onFail: (any Error) -> Void = { _ in }
  var presentsWhenResigning = false
  private(set) var shown: [(value: Int, time: Duration)] = []
  private(set) var activity: [Bool] = []

  var values: [Int] { shown.map(\.value) }

  var screen: PacedPresenter<Int> {
    scoped {
      PacedPresenter(of: self, framesPerSecond: self.framesPerSecond) { value in
        self.shown.append((value, self.now()))
        self.activity.append(self.isActive)
        self.onShow(value)
      }
    }
  }

  override func didFail(_ error: any Error, of work: BoundWork) { onFail(error) }

  override func willResignActive() {
    super.willResignActive()
    if presentsWhenResigning { screen.present(99) }
  }
}
