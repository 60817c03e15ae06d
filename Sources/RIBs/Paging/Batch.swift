/// A page that a `Pager` waits for. It is to be completed, failed, or cancelled, exactly once.
///
/// It can't be copied, and each of its three methods uses it up, so that settling it twice does not compile. One that is
/// dropped without being settled is reported as abandoned, unless the pager had stopped waiting for it, or the pager's
/// closure throws, which fails it. To be settled later, by a callback, it can be moved into an optional property:
///
/// ```swift
/// final class RidesInteractor: Interactor {
///   private var batch: Batch<Ride>?
///
///   private var rides: Pager<Ride> { scoped { Pager(of: self) { batch in self.batch = consume batch } } }
///
///   func didReceive(_ rides: [Ride]) { self.batch.take()?.complete(rides, isLast: rides.isEmpty) }
/// }
/// ```
public struct Batch<Item>: ~Copyable {
  /// How many pages came before this one.
  public let number: Int
  /// How many items came before this page.
  public let offset: Int
  private let request: PageRequest<Item>
  private var isSettled = false

  init(_ request: PageRequest<Item>) {
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

/// Why a page has failed that nobody can complete any more: its `Batch` was forgotten.
public struct AbandonedBatch: Error, Hashable, CustomStringConvertible {
  /// Which page it was.
  public let number: Int

  /// What happened, and what to do about it.
  public var description: String {
    "The batch of page \(number) was abandoned. Settle it on every path of the Pager's closure, or throw."
  }
}
