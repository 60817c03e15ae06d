// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// An error of the RIB on the stage.
struct NoConnection: Error, CustomStringConvertible {
  let description = "no connection to <b>the backend</b>"
}

final class PlayInteractor: Interactor {
  override var treeSummary: String? { "<img src=x onerror=alert(1)>" }
}

final class StageInteractor: Interactor {
  private var finish: AsyncStream<Never>.Continuation?

  /// Starts work that continues until `finishRehearsal()`.
  func rehearse() {
    let (steps, finish) = AsyncStream.makeStream(of: Never.self)
    self.finish = finish
    task("rehearse", overlap: .cancelPrevious) { for await _ in steps {} }
  }

  func finishRehearsal() { finish?.finish() }

  /// Starts work that sleeps until a wall time, and then continues.
  func nap(until time: WallTime) {
    let (steps, _) = AsyncStream.makeStream(of: Never.self)
    task("nap", overlap: .concurrent) {
      try await self.sleep(until: time)
      for await _ in steps {}
    }
  }
}

/// A RIB whose child fails on command, and is restarted.
final class StageRouter: Router<StageInteractor> {
  private lazy var slot = ChildSlot<Int>(
    of: self, restarts: .upTo(3, within: .seconds(3_600), after: .exponential(from: .milliseconds(1)))
  ) { _, _ in Router(interactor: PlayInteractor()) }

  init() { super.init(interactor: StageInteractor()) }

  func play() { slot.route = 1 }

  /// Fails the child.
  func fail() { (slot.child as? Router<PlayInteractor>)?.interactor.fail(NoConnection()) }
}
