/// What a `Pager` has asked for, and what its `Batch` is settled by.
final class PageRequest<Item> {
  enum Outcome {
    case completed([Item], isLast: Bool)
    case failed(any Error)
    case cancelled
    case abandoned
  }

  let number: Int
  let offset: Int
  /// Whether the page takes the place of all that was loaded before.
  let isFirst: Bool
  /// The task that runs the pager's closure.
  var task: BoundTask?
  /// Nil once the request is settled.
  private var pager: Pager<Item>?
  private var isInClosure = false
  private var isDropped = false

  init(number: Int, offset: Int, isFirst: Bool, of pager: Pager<Item>) {
    self.number = number
    self.offset = offset
    self.isFirst = isFirst
    self.pager = pager
  }

  var isSettled: Bool { pager == nil }

  @discardableResult
  func settle(_ outcome: Outcome) -> Bool {
    guard let pager else { return false }
    self.pager = nil
    task = nil
    pager.didSettle(self, outcome)
    return true
  }

  /// The pager does not wait any more.
  func forget() {
    pager = nil
    let task = task
    self.task = nil
    task?.cancel(.superseded)
  }

  /// Runs the pager's closure.
  nonisolated(nonsending) func run(_ load: nonisolated(nonsending) (consuming Batch<Item>) async throws -> Void)
    async throws
  {
    isInClosure = true
    do {
      try await load(Batch(self))
    } catch {
      isInClosure = false
      settle(Task.isCancelled ? .cancelled : .failed(error))
      throw error
    }
    isInClosure = false
    if isDropped { settle(.abandoned) }
  }

  /// The batch was dropped unsettled.
  ///
  /// An error that the closure throws drops the batch on its way, and has been caught when the tree has its next turn.
  func drop() {
    isDropped = true
    guard isInClosure, let pager else {
      settle(.abandoned)
      return
    }
    pager.afterThisTurn { [self] in settle(.abandoned) }
  }
}
