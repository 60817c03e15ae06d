public import RIBs

/// Loads a long list page by page, as it is looked at.
///
/// It belongs to an activation of an interactor, and stops when that resigns. Its closure loads one page, as work on the
/// tree, and settles the `PageRequest` it is given:
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
/// ## When it asks for a page
///
/// There is at most one page on its way. Another is asked for when the window moves, and when a page with items has come,
/// if less than `leading` windows remain ahead of the window; but not
/// - while the window moves to the head, unless the list does not fill the window yet;
/// - after a page without items, or one that was cancelled, until the window moves;
/// - after a page has failed, until `loadMore()` or `reload()` says so;
/// - after the last page, and when the interactor has resigned.
///
/// These are the conditions of Texture (github.com/TextureGroup/Texture, ASBatchFetching). An error that the closure
/// throws fails the page, and reaches the interactor's `didFail(_:of:)` and the tree's events too.
public final class Pager<Item>: Disposable {
  /// What has been loaded, and whether more is on its way or has failed.
  public var state: OutputValue<LoadState<[Item], any Error>> { OutputValue(relay) }
  /// What has been loaded.
  public var items: [Item] { relay.value.value ?? [] }
  /// Whether there may be more after what has been loaded.
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
  private var request: PendingPage<Item>?

  /// Makes a pager that has loaded nothing, for as long as an interactor is active.
  ///
  /// For an interactor that is not active the pager has stopped already, and that is reported.
  ///
  /// - Parameters:
  ///   - interactor: whose work the loading is. It is not kept alive.
  ///   - leading: how many windows are to be ready ahead of the one that is looked at. With none, nothing is asked for but
  ///     by `loadMore()`.
  ///   - fileID: leave out; says where the pager was made, with `line`.
  ///   - line: leave out.
  ///   - load: loads a page, on the tree, and settles the batch; released when the pager stops. It is cancelled when the
  ///     page is not waited for any more.
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

  /// Whether a page is on its way.
  public var isLoading: Bool { request != nil }

  /// Says which part of the list is being looked at, and where that is heading.
  ///
  /// - Parameters:
  ///   - window: the positions; they may lie outside the list. An empty window asks for nothing.
  ///   - heading: where the window is moving.
  public func setWindow(_ window: Range<Int>, towards heading: ListEnd) {
    guard window != self.window || heading != self.heading else { return }
    self.window = window
    self.heading = heading
    askIfNeeded()
  }

  /// Asks for the next page, wherever the window is; also after one has failed.
  ///
  /// - Returns: whether it was asked for. It is ignored while a page is on its way, and after the last page.
  @discardableResult
  public func loadMore() -> TaskStart {
    guard load != nil else { return .inactive }
    guard request == nil, hasMore else { return .ignored }
    return ask(isFirst: pageCount == 0)
  }

  /// Begins again: asks for the first page, which takes the place of everything when it comes. A page that is on its way
  /// is not waited for any more.
  ///
  /// - Returns: whether it was asked for.
  @discardableResult
  public func reload() -> TaskStart {
    guard load != nil else { return .inactive }
    let isReplacing = request != nil
    forgetRequest()
    let admission = ask(isFirst: true)
    return isReplacing && admission == .started ? .replaced : admission
  }

  /// Stops the pager: what is on its way is cancelled and not waited for, nothing is asked for any more, and `state` ends.
  public func dispose() {
    guard let load else { return }
    self.load = nil
    forgetRequest()
    relay.accept(relay.value.cancelled())
    relay.complete()
    withExtendedLifetime(load) {}
  }

  /// Whether the pager was stopped.
  public var hasEnded: Bool { load == nil }

  // MARK: Asking

  private func askIfNeeded() {
    guard load != nil, request == nil, hasMore, relay.value.failure == nil, needsMore else { return }
    _ = ask(isFirst: pageCount == 0)
  }

  /// Whether less is ahead than there should be.
  private var needsMore: Bool {
    guard leading > 0, !window.isEmpty else { return false }
    let count = Double(items.count)
    let size = Double(window.upperBound) - Double(window.lowerBound)
    if count < size { return true }
    return heading == .tail && count - Double(window.upperBound) < leading * size
  }

  private func ask(isFirst: Bool) -> TaskStart {
    guard let interactor, let load else { return .inactive }
    let request = PendingPage(
      number: isFirst ? 0 : pageCount, offset: isFirst ? 0 : items.count, isFirst: isFirst, of: self)
    self.request = request
    guard let task = interactor.startTask(fileID: fileID, line: line, { try await request.run(load) }) else {
      forgetRequest()
      return .inactive
    }
    // Whoever was told of the start may have stopped it.
    guard self.request === request else {
      task.supersede()
      return .inactive
    }
    request.task = task
    relay.accept(relay.value.begun())
    return .started
  }

  private func forgetRequest() {
    let request = request
    self.request = nil
    request?.forget()
  }

  /// Runs something at the next turn of the tree.
  func afterThisTurn(_ body: @escaping () -> Void) {
    _ = interactor?.startTask(fileID: fileID, line: line) { body() }
  }

  // MARK: What comes

  func didSettle(_ request: PendingPage<Item>, _ outcome: PendingPage<Item>.Outcome) {
    self.request = nil
    switch outcome {
    case .completed(let page, let isLast):
      let items = request.isFirst ? page : items + page
      pageCount = request.number + 1
      hasMore = !isLast
      relay.accept(.loaded(items))
      if !page.isEmpty { askIfNeeded() }
    case .failed(let error):
      relay.accept(relay.value.failed(with: error))
    case .cancelled:
      relay.accept(relay.value.cancelled())
    case .abandoned:
      relay.accept(relay.value.failed(with: AbandonedPageRequest(number: request.number)))
      interactor?.report(.abandonedPageRequest(String(describing: Item.self)))
    }
  }
}
