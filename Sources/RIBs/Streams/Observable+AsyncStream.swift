internal import Synchronization

extension ObservableType where Element: Sendable {
  /// The values as an `AsyncStream` that may leave the tree and ends when an interactor resigns.
  ///
  /// Use it to read a stream from outside its tree:
  ///
  /// ```swift
  /// final class FareInteractor: Interactor {
  ///   private let fare = BehaviorRelay(value: 0)
  ///
  ///   func fares() -> AsyncStream<Int> { fare.values(boundTo: self) }
  /// }
  /// ```
  ///
  /// It subscribes at once, so no value is missed between this call and the first read. The sequence ends when the
  /// stream ends, when the interactor resigns, or when the tree ends; buffered values are still delivered. If the
  /// interactor is not active, the sequence is empty and misuse is reported.
  ///
  /// When the reader leaves its loop or is cancelled, the subscription ends with the next value, or when the
  /// interactor binds more subscriptions.
  ///
  /// - Parameters:
  ///   - interactor: the interactor whose current activation limits the sequence.
  ///   - bufferingPolicy: the policy for unread values. Defaults to unbounded; set a bound if the reader may be
  ///     slower than the stream.
  /// - Returns: the sequence, for a single reader.
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

  /// The values as an `AsyncStream` that may leave the tree and ends when a worker stops.
  ///
  /// Otherwise like `values(boundTo:bufferingPolicy:)` for an interactor.
  ///
  /// - Parameters:
  ///   - worker: the worker whose current run limits the sequence.
  ///   - bufferingPolicy: the policy for unread values. Defaults to unbounded.
  /// - Returns: the sequence, for a single reader.
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

/// Writes the values of a stream to an `AsyncStream`, and finishes it on disposal or release.
private final class ReaderFeed<Element: Sendable>: Disposable {
  private let continuation: AsyncStream<Element>.Continuation
  private let reader = Reader()
  private let subscription = SerialDisposable()

  /// The state of the reader, which may stop on any thread.
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

  /// Subscribes, unless this has already ended.
  func subscribe(to source: some ObservableType<Element>) {
    guard !subscription.hasEnded else { return }
    // Weak: the subscription ends when the scope releases this because the reader has left.
    subscription.set(
      source.subscribe(
        onNext: { [weak self] element in self?.write(element) }, onCompleted: { [weak self] in self?.dispose() }))
  }

  private func write(_ element: Element) { if case .terminated = continuation.yield(element) { dispose() } }
}
