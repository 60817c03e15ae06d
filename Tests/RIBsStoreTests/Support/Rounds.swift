// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBsStore

extension Task where Success == Void, Failure == Never {
  /// Cancels the task, such as one that runs a directory, and waits for its end.
  func end() async {
    cancel()
    await value
  }
}

extension TreeDirectory {
  /// Ends the task that runs the directory, then all trees.
  func shutdown(after running: Task<Void, Never>) async {
    await running.end()
    await shutdown()
  }
}
