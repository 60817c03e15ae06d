internal import Synchronization

extension ObservableType where Element: Sendable {
  /// The values as an `AsyncStream` that may leave the tree, and ends when an interactor resigns.
  ///
  /// This is how code outside a tree reads one of its streams:
  ///
  /// ```swift
  /// final class FareInteractor: Interactor {
  ///   private let fare = BehaviorRelay(value: 0)
  ///
  ///   func fares() -> AsyncStream<Int> { fare.values(boundTo: self) }
  /// }
  /// ```
  ///
  /// It subscribes at once, so that no value is missed between this call and the first read. The sequence ends when the
  /// stream ends, when the interactor resigns, and when the tree ends; values buffered by then are still read. For an
  /// interactor that is not active it is empty, and that is reported.
  ///
  /// The subscription ends when the reader leaves its loop or is cancelled: with the next value, or when the interactor
  /// binds more subscriptions.
  ///
  /// - Parameters:
  ///   - interactor: its current activation is the longest that the sequence lasts.
  ///   - bufferingPolicy: what happens to values that the reader has not read. Unbounded by default: a reader that is
  ///     slower than the stream needs a bound.
  /// - Returns: the sequence, for one reader.
  public func values(
    boundTo interactor: Interactor,
    bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Element> {
    let (values, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: bufferingPolicy)
    let feed = ReaderFeed(continuation)
    feed.disposeOnDeactivate(interactor: interactor)
    feed.subscribe(to: self)
    return values
  }

  /// The values as an `AsyncStream` that may leave the tree, and ends when a worker stops.
  ///
  /// It is as `values(boundTo:bufferingPolicy:)` for an interactor.
  ///
  /// - Parameters:
  ///   - worker: its current run is the longest that the sequence lasts.
  ///   - bufferingPolicy: what happens to values that the reader has not read. Unbounded by default.
  /// - Returns: the sequence, for one reader.
  public func values(
    boundTo worker: Worker,
    bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Element> {
    let (values, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: bufferingPolicy)
    let feed = ReaderFeed(continuation)
    feed.disposeOnStop(worker)
    feed.subscribe(to: self)
    return values
  }
}

/// Writes the values of a stream to an `AsyncStream`, and finishes that when it is disposed of or released.
private final class ReaderFeed<Element: Sendable>: Disposable {
  private let continuation: AsyncStream<Element>.Continuation
  private let reader = Reader()
  private let subscription = SerialDisposable()

  /// The reading end, which any thread may leave.
  private final class Reader: Sendable {
    let hasLeft = Atomic(false)
  }

  init(_ continuation: AsyncStream<Element>.Continuation) {
    self.continuation = continuation
    continuation.onTermination = { [reader] _ in reader.hasLeft.store(true, ordering: .relaxed) }
  }

  deinit { dispose() }

  var hasEnded: Bool { subscription.hasEnded || reader.hasLeft.load(ordering: .relaxed) }

  func dispose() {
    subscription.dispose()
    continuation.finish()
  }

  /// Subscribes, unless this has ended already.
  func subscribe(to source: some ObservableType<Element>) {
    guard !subscription.hasEnded else { return }
    // Weak, so that this ends its subscription when the scope releases it because the reader has left.
    subscription.set(
      source.subscribe(
        onNext: { [weak self] element in self?.write(element) }, onCompleted: { [weak self] in self?.dispose() }))
  }

  private func write(_ element: Element) { if case .terminated = continuation.yield(element) { dispose() } }
}
