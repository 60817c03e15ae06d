// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// The session of a rider: counts heartbeats while it lasts.
final class SessionInteractor: Interactor {
  private let number: Int
  private let isStuck: Bool
  private let log: (String) -> Void
  private let heartbeat = Heartbeat()

  init(number: Int, isStuck: Bool, log: @escaping (String) -> Void) {
    self.number = number
    self.isStuck = isStuck
    self.log = log
  }

  override var treeSummary: String? { "session \(number)" }

  override func didBecomeActive() {
    super.didBecomeActive()
    heartbeat.start(self)
    if isStuck {
      // An example of a mistake: nothing cancels a detached task.
      task("upload", overlap: .ignoreWhileRunning) {
        await Task.detached { try? await Task.sleep(for: .seconds(3_600)) }.value
      }
    }
  }

  override func willResignActive() {
    log("session \(number) ends after \(heartbeat.count) heartbeats")
    super.willResignActive()
  }
}
