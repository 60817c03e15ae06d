// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// Loads a long list page by page, following its visible range.
///
/// It belongs to one activation of an interactor, and stops when that resigns. Its closure runs as work on the tree,
/// loads one page, and settles the `PageRequest` that it receives:
///
/// ```swift
/// final class RidesInteractor: Interactor {
///   private let client: RideClient
///
///   init(client: RideClient) { self.client = client }
///
///   var rides: Pager<Ride> {
///     scoped {
///       Pager(of: self) { batch in
///         let rides = try await self.client.rides(after: batch.offset)
///         batch.complete(rides, isLast: rides.count < 20)
///       }
///     }
///   }
///
///   func didScroll(to window: Range<Int>) { rides.setWindow(window, towards: .tail) }
/// }
/// ```
///
/// ## Conditions for a request
///
/// At most one page is requested at a time. The next one is requested when the window moves, and when a page with items
/// was loaded, if fewer than `leading` windows remain ahead of the window. No page is requested automatically
/// - while the window moves to the head, unless the list does not fill the window yet;
/// - after a page without items, or one that was cancelled, until the window moves;
/// - after a page has failed, until `loadMore()` or `reload()` is called;
/// - after the last page, and when the interactor has resigned.
///
/// The first page of a `reload()` that was cancelled is requested again whenever the window moves.
///
/// These are the conditions of Texture (github.com/TextureGroup/Texture, ASBatchFetching). An error that the closure
/// throws fails the page, and also reaches the interactor's `didFail(_:of:)` and the tree's events.
public final class Pager<Item>: Disposable {
  /// The loaded items, with the state of the current request.
  public var state: OutputValue<LoadState<[Item], any Error>> { OutputValue(relay) }
  /// The loaded items.
  public var items: [Item] { relay.value.value ?? [] }
  /// Whether there may be more items after the loaded ones.
  public private(set) var hasMore = true

  private let relay = BehaviorRelay<LoadState<[Item], any Error>>(value: .idle)
  private let leading: Double
  private let fileID: StaticString
  private let line: UInt
  private var load: (nonisolated(nonsending) (consuming PageRequest<Item>) async throws -> Void)?
  private weak var interactor: Interactor?
  private var window = 0..<0
  private var heading = ListEnd.tail
  private var pageCount = 0
  /// Whether the first page was requested by `reload()`, and is not loaded yet.
  private var isReloading = false
  private var request: PendingPage<Item>?

  /// Creates a pager for one activation of an interactor.
  ///
  /// If the interactor is not active, the pager is stopped from the start, and the call is reported as misuse.
  ///
  /// - Parameters:
  ///   - interactor: the owner of the loading tasks. It is not retained.
  ///   - leading: the number of windows to load ahead of the visible one. With zero, only `loadMore()` and `reload()`
  ///     request pages.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - load: loads a page, on the tree, and settles the request. It is cancelled when the pager no longer waits for
  ///     the page, and released when the pager stops.
  public init(
    of interactor: Interactor, leading: Double = 2, fileID: StaticString = #fileID, line: UInt = #line,
    load: nonisolated(nonsending) @escaping (consuming PageRequest<Item>) async throws -> Void
  ) {
    self.interactor = interactor
    self.leading = leading
    self.load = load
    self.fileID = fileID
    self.line = line
    disposeOnDeactivate(interactor: interactor)
  }

  /// Whether a page is being loaded.
  public var isLoading: Bool { request != nil }

  /// Sets the visible range of the list and its direction of movement.
  ///
  /// - Parameters:
  ///   - window: the visible positions, which may lie outside the list. An empty window requests nothing.
  ///   - heading: the direction in which the window moves.
  public func setWindow(_ window: Range<Int>, towards heading: ListEnd) {
    guard window != self.window || heading != self.heading else { return }
    self.window = window
    self.heading = heading
    askIfNeeded()
  }

  /// Requests the next page, regardless of the window, and also after a failure.
  ///
  /// - Returns: whether the page was requested. The call is ignored while a page is being loaded, and after the last
  ///   page.
  @discardableResult
  public func loadMore() -> BoundWork.Start {
    guard load != nil else { return .inactive }
    guard request == nil, hasMore || isReloading else { return .ignored }
    return ask(isFirst: pageCount == 0 || isReloading)
  }

  /// Requests the first page, which replaces all items when it is loaded. The result of a current request is discarded.
  ///
  /// - Returns: whether the page was requested.
  @discardableResult
  public func reload() -> BoundWork.Start {
    guard load != nil else { return .inactive }
    let isReplacing = request != nil
    discardRequest()
    isReloading = true
    let admission = ask(isFirst: true)
    return isReplacing && admission == .started ? .replaced : admission
  }

  /// Stops the pager: cancels the current request, makes no more requests, and completes `state`.
  public func dispose() {
    guard let load else { return }
    self.load = nil
    discardRequest()
    relay.accept(relay.value.cancelled())
    relay.complete()
    withExtendedLifetime(load) {}
  }

  /// Whether the pager was stopped.
  public var hasEnded: Bool { load == nil }

  // MARK: Requesting pages

  private func askIfNeeded() {
    guard load != nil, request == nil, hasMore || isReloading, relay.value.failure == nil, needsMore else { return }
    _ = ask(isFirst: pageCount == 0 || isReloading)
  }

  /// Whether fewer items than needed remain ahead of the window.
  private var needsMore: Bool {
    guard leading > 0, !window.isEmpty else { return false }
    if isReloading { return true }
    let count = Double(items.count)
    let size = Double(window.upperBound) - Double(window.lowerBound)
    if count < size { return true }
    return heading == .tail && count - Double(window.upperBound) < leading * size
  }

  private func ask(isFirst: Bool) -> BoundWork.Start {
    guard let interactor, let load else { return .inactive }
    let request = PendingPage(
      number: isFirst ? 0 : pageCount, offset: isFirst ? 0 : items.count, isFirst: isFirst, of: self)
    self.request = request
    let task = interactor.task(fileID: fileID, line: line) { try await request.run(load) }
    guard task.start == .started else {
      discardRequest()
      return .inactive
    }
    // An observer of the start may have stopped it.
    guard self.request === request else {
      task.cancel()
      return .inactive
    }
    request.task = task
    relay.accept(relay.value.begun())
    return .started
  }

  private func discardRequest() {
    let request = request
    self.request = nil
    request?.discard()
  }

  /// Runs a closure in a later job of the tree.
  func afterThisTurn(_ body: @escaping () -> Void) {
    interactor?.task(fileID: fileID, line: line) { body() }
  }

  // MARK: Receiving pages

  func didSettle(_ request: PendingPage<Item>, _ outcome: PendingPage<Item>.Outcome) {
    self.request = nil
    switch outcome {
    case .completed(let page, let isLast):
      let items = request.isFirst ? page : items + page
      pageCount = request.number + 1
      hasMore = !isLast
      if request.isFirst { isReloading = false }
      relay.accept(.loaded(items))
      if !page.isEmpty { askIfNeeded() }
    case .failed(let error):
      relay.accept(relay.value.failed(with: error))
    case .cancelled:
      relay.accept(relay.value.cancelled())
    case .abandoned:
      relay.accept(relay.value.failed(with: AbandonedPageRequest(number: request.number)))
      interactor?.report(
        .error(
          .abandonedPageRequest,
          "A batch of \(Item.self) was abandoned: it was neither completed, failed, nor cancelled.",
          advice: "Settle the batch on every path of the Pager's closure, or throw."))
    }
  }
}
