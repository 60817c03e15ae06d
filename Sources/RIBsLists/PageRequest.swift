// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// A pending request of a `Pager` for one page. Complete, fail, or cancel it exactly once.
///
/// It is noncopyable, and each of the three methods consumes it, so settling it twice does not compile. A request that
/// is dropped without being settled is reported as abandoned, unless the pager no longer waits for it, or the pager's
/// closure throws, which fails it. To settle it later, in a callback, move it into an optional property:
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
  /// The number of pages before this one.
  public let number: Int
  /// The number of items before this page.
  public let offset: Int
  private let request: PendingPage<Item>
  private var isSettled = false

  init(_ request: PendingPage<Item>) {
    self.request = request
    number = request.number
    offset = request.offset
  }

  deinit { if !isSettled { request.drop() } }

  /// Whether the pager no longer waits for this page, because the scope has ended or the pager was reloaded.
  public var isCancelled: Bool { request.isSettled }

  /// Completes the request with the items of the page.
  ///
  /// - Parameters:
  ///   - items: the items of the page. If there are none, the pager requests no page automatically until the window
  ///     moves.
  ///   - isLast: whether this is the last page.
  /// - Returns: whether the pager was waiting for the page. If not, nothing happens.
  @discardableResult
  public consuming func complete(_ items: [Item], isLast: Bool) -> Bool {
    isSettled = true
    return request.settle(.completed(items, isLast: isLast))
  }

  /// Fails the request. The pager requests the page again only on `loadMore()` or `reload()`.
  ///
  /// - Parameter error: the error, which becomes part of the pager's state.
  /// - Returns: whether the pager was waiting for the page. If not, nothing happens.
  @discardableResult
  public consuming func fail(_ error: any Error) -> Bool {
    isSettled = true
    return request.settle(.failed(error))
  }

  /// Cancels the request. The pager requests the page again when the window moves.
  ///
  /// - Returns: whether the pager was waiting for the page. If not, nothing happens.
  @discardableResult
  public consuming func cancel() -> Bool {
    isSettled = true
    return request.settle(.cancelled)
  }
}

/// The error of a page whose `PageRequest` was dropped without being settled.
public struct AbandonedPageRequest: Error, Hashable, CustomStringConvertible {
  /// The number of the page.
  public let number: Int

  /// What happened, and what to do about it.
  public var description: String {
    "The batch of page \(number) was abandoned. Settle it on every path of the Pager's closure, or throw."
  }
}

/// The state of a pager's current request, shared with its `PageRequest`.
final class PendingPage<Item> {
  enum Outcome {
    case completed([Item], isLast: Bool)
    case failed(any Error)
    case cancelled
    case abandoned
  }

  let number: Int
  let offset: Int
  /// Whether the page replaces all items loaded before.
  let isFirst: Bool
  /// The task that runs the pager's closure.
  var task: BoundWork.Handle?
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

  /// Marks the request as settled, because the pager no longer waits for it.
  func discard() {
    pager = nil
    let task = task
    self.task = nil
    task?.cancel()
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

  /// Called when the request was dropped without being settled.
  ///
  /// If the closure throws, the request is dropped before the error is caught. So the pager decides in a later job of
  /// the tree, when the error is known.
  func drop() {
    isDropped = true
    guard isInClosure, let pager else {
      settle(.abandoned)
      return
    }
    pager.afterThisTurn { [self] in settle(.abandoned) }
  }
}
