// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RIBsStore
import TestSupport

/// A call that blocks tree 1 of a directory on a thread of its own, until the blockade is ended.
struct Blockade {
  let call: Task<Void, any Error>
  /// What the tree runs meanwhile.
  let activity: String
  private let semaphore = DispatchSemaphore(value: 0)

  /// Returns when the tree, which is opened first, is blocked.
  init(of directory: TreeDirectory<Int, AccountRouter>) async throws {
    try await directory.perform(on: 1) { _ in }
    let blocked = Gate()
    activity = "perform (Blockade.swift:\(#line + 2))"
    call = Task(executorPreference: OwnThread()) { [semaphore] in
      try await directory.perform(on: 1) { _ in
        blocked.open()
        semaphore.wait()
      }
    }
    await blocked.pass()
  }

  func end() { semaphore.signal() }
}
