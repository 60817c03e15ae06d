internal import RIBs

/// A page that a `Pager` waits for. It is to be completed, failed, or cancelled, exactly once.
///
/// It can't be copied, and each of its three methods uses it up, so that settling it twice does not compile. One that is
/// dropped without being settled is reported as abandoned, unless the pager had stopped waiting for it, or the pager's
/// closure throws, which fails it. To be settled later, by a callback, it can be moved into an optional property:
///
/// ```swift
/// final class RidesInteractor: Interactor {
///   private var batch: PageRequest<Ride>?
///
///   private var rides: Pager<Ride> { scoped { Pager(of: self) { batch in self.batch = consume batch } } }
///
///   func didReceive(_ rides: [Ride]) { self.batch.take()?.complete(rides, isLast: rides.isEmpty) }
/// }
/// ```
public struct PageRequest<Item>: ~Copyable {
  /// How many pages came before this one.
  public let number: Int
  /// How many items came before this page.
  public let offset: Int
  private let request: PendingPage<Item>
  private var isSettled = false

  init(_ request: PendingPage<Item>) {
    self.request = request
    number = request.number
    offset = request.offset
  }

  deinit { if !isSettled { request.drop() } }

  /// Whether nobody waits for this page any more: the scope has ended, or the pager begins again.
  public var isCancelled: Bool { request.isSettled }

  /// The page is here.
  ///
  /// - Parameters:
  ///   - items: what is on it. After a page without items the pager asks for no other by itself until the window moves.
  ///   - isLast: whether no page comes after this one.
  /// - Returns: whether the page was waited for. If not, nothing happens.
  @discardableResult
  public consuming func complete(_ items: [Item], isLast: Bool) -> Bool {
    isSettled = true
    return request.settle(.completed(items, isLast: isLast))
  }

  /// The page could not be loaded. The pager asks for it again when it is told to.
  ///
  /// - Parameter error: what is shown as the reason.
  /// - Returns: whether the page was waited for. If not, nothing happens.
  @discardableResult
  public consuming func fail(_ error: any Error) -> Bool {
    isSettled = true
    return request.settle(.failed(error))
  }

  /// The page is not loaded now. The pager asks for it again when the window moves.
  ///
  /// - Returns: whether the page was waited for. If not, nothing happens.
  @discardableResult
  public consuming func cancel() -> Bool {
    isSettled = true
    return request.settle(.cancelled)
  }
}

/// Why a page has failed that nobody can complete any more: its `PageRequest` was forgotten.
public struct AbandonedPageRequest: Error, Hashable, CustomStringConvertible {
  /// Which page it was.
  public let number: Int

  /// What happened, and what to do about it.
  public var description: String {
    "The batch of page \(number) was abandoned. Settle it on every path of the Pager's closure, or throw."
  }
}

/// What a `Pager` has asked for, and what its `PageRequest` is settled by.
final class PendingPage<Item> {
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
    task?.supersede()
  }

  /// Runs the pager's closure.
  nonisolated(nonsending) func run(_ load: nonisolated(nonsending) (consuming PageRequest<Item>) async throws -> Void)
    async throws
  {
    isInClosure = true
    do {
      try await load(PageRequest(self))
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
