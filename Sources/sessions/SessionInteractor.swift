internal import RIBs

/// The logic of a session: counts how long the session lasts.
final class SessionInteractor: Interactor {
  private let number: Int
  private let isStuck: Bool
  private let heartbeat = Heartbeat()

  init(number: Int, isStuck: Bool) {
    self.number = number
    self.isStuck = isStuck
  }

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
    say("session \(number) says goodbye after \(heartbeat.beats) heartbeats")
    super.willResignActive()
  }

  override var treeSummary: String? { "session \(number)" }
}
