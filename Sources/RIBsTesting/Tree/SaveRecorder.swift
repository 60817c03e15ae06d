internal import RIBs

/// Keeps what a tree has saved last.
final class SaveRecorder: TreeSaving {
  private let saved = Locked<SavedTree?>(nil)

  var last: SavedTree? {
    get { saved.withLock { $0 } }
    set { saved.withLock { $0 = newValue } }
  }

  func save(_ saved: SavedTree) async throws { last = saved }
}
