// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// Counts heartbeats while its session lasts.
final class Heartbeat: Worker {
  private(set) var count = 0

  override func didStart(_ interactorScope: any InteractorScope) {
    super.didStart(interactorScope)
    task {
      while true {
        try await Task.sleep(for: .milliseconds(100))
        self.count += 1
      }
    }
  }
}
