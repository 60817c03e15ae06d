// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("A test of a restart while work sleeps")
struct SleepingRestartTests {
  /// Rings at the time in its state or, by mistake, after a minute.
  private final class BellInteractor: Interactor, Saving {
    struct SavedState: Codable, Sendable {
      var ringsAt: WallTime?
      var rings = 0
    }

    var savedState = SavedState() { didSet { setNeedsSave() } }
    private let forgetsTime: Bool
    private var doesRing: Bool { savedState.rings == 0 }

    init(forgetsTime: Bool) { self.forgetsTime = forgetsTime }

    override var treeSummary: String? { "\(savedState.rings) rings" }

    override func didBecomeActive() {
      super.didBecomeActive()
      let minute = wallTime + .seconds(60)
      if savedState.ringsAt == nil { savedState.ringsAt = minute }
      let end = forgetsTime ? minute : savedState.ringsAt ?? minute
      guard doesRing else { return }
      task("ring", overlap: .concurrent) {
        try await self.sleep(until: end)
        self.savedState.rings += 1
      }
    }
  }

  private final class BellRouter: Router<BellInteractor> {
    override var savedChildren: [SavedChildren] { [] }
  }

  private func findings(forgetsTime: Bool, after seconds: Int) -> [String] {
    failures {
      let test = TestTree(recording: [])
      test.launch(building: { BellRouter(interactor: BellInteractor(forgetsTime: forgetsTime)) })
      test.advance(by: .seconds(seconds))
      test.expectSurvivesRestart()
      test.finish()
    }
  }

  @Test("passes if the work sleeps the rest", arguments: [0, 10, 59, 60, 3600])
  func rest(seconds: Int) { #expect(findings(forgetsTime: false, after: seconds) == []) }

  @Test("names the time that is not in the state")
  func forgotten() throws {
    #expect(findings(forgetsTime: true, after: 0) == [])
    let message = try #require(findings(forgetsTime: true, after: 10).first)
    #expect(message.contains("-   sleeps until 2026-01-01T00:01:00Z"), "\(message)")
    #expect(message.contains("+   sleeps until 2026-01-01T00:01:10Z"), "\(message)")
  }

  @Test("restores a tree whose time has come meanwhile, so that its work runs at once; another sleeps the rest")
  func later() throws {
    let test = TestTree(recording: [])
    test.launch(building: { BellRouter(interactor: BellInteractor(forgetsTime: false)) })
    test.advance(by: .seconds(10))
    let saved = try #require(test.tree?.save())
    #expect(saved.wakes == WallTime("2026-01-01T00:01:00Z"))
    test.finish()
    let lines = [20, 60, 86_400].map { seconds in
      let clock = TestClock(wallTime: TestClock.beginning + .seconds(seconds))
      let later = TestTree(restoring: saved, recording: [.tasks, .time], clock: clock)
      later.launch(building: { BellRouter(interactor: BellInteractor(forgetsTime: false)) })
      later.advance(by: .seconds(600))
      let line = later.transcript.lines.joined(separator: "; ")
      later.skip()
      later.finish()
      return line
    }
    #expect(
      lines == [
        "Bell task ring started; Bell task ring sleeps until 2026-01-01T00:01:00Z; 40.0 seconds later; "
          + "Bell task ring wakes; Bell task ring ended",
        "Bell task ring started; Bell task ring ended", "Bell task ring started; Bell task ring ended",
      ])
  }
}
