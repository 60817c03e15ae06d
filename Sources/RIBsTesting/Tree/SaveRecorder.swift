// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

package import RIBs

/// Keeps what a tree has saved last.
package final class SaveRecorder: TreeSaving {
  private let saved = Locked<SavedTree?>(nil)

  package var last: SavedTree? {
    get { saved.withLock { $0 } }
    set { saved.withLock { $0 = newValue } }
  }

  package func save(_ saved: SavedTree) async throws { last = saved }
}
