// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

extension ObservableType {
  /// The values as an asynchronous sequence, for `for await` in bound work of the same tree.
  ///
  /// Iterating subscribes. Values that arrive while the loop's body runs are buffered in order, without a limit; read
  /// `BehaviorRelay.value` in the body if only the latest value matters. The loop ends when the stream completes,
  /// when its task is cancelled, or when the scope of its work ends. The subscription is disposed of then, or when
  /// the iterator is released.
  ///
  /// ```swift
  /// task {
  ///   for await state in self.taxiStateStream.state.values { self.show(state) }
  /// }
  /// ```
  ///
  /// The sequence is confined to the tree. Use `values(boundTo:)` to read a stream from elsewhere.
  public var values: Observable<Element>.Values { .init(source: asObservable()) }
}

extension Observable {
  /// The values of a stream as an asynchronous sequence, confined to the tree.
  public struct Values: AsyncSequence {
    let source: Observable<Element>

    /// Subscribes and returns the iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(buffer: Buffer(source)) }

    /// Returns the values one by one.
    public struct Iterator: AsyncIteratorProtocol {
      let buffer: Buffer

      /// The next value; nil after the last one, or if the task is cancelled.
      public mutating func next() async -> Element? { await buffer.next(isolation: #isolation) }

      /// The next value; nil after the last one, or if the task is cancelled.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
        await buffer.next(isolation: actor)
      }
    }

    /// Buffers unread values. Only the wake-up signal of a cancellation crosses threads.
    final class Buffer {
      private var waiting = FIFO<Element>()
      private var hasEnded = false
      private let subscription = SerialDisposable()
      private let wakeUp: AsyncStream<Void>.Continuation
      private var signals: AsyncStream<Void>.Iterator

      init(_ source: Observable<Element>) {
        let (stream, wakeUp) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.wakeUp = wakeUp
        signals = stream.makeAsyncIterator()
        subscription.set(
          source.subscribe(
            onNext: { [weak self] element in
              self?.waiting.append(element)
              wakeUp.yield()
            },
            onCompleted: { [weak self] in
              self?.hasEnded = true
              wakeUp.yield()
            }))
      }

      deinit { subscription.dispose() }

      func next(isolation actor: isolated (any Actor)?) async -> Element? {
        while true {
          if Task.isCancelled {
            cancel()
            return nil
          }
          if let element = waiting.popFirst() { return element }
          if hasEnded { return nil }
          guard await signals.next(isolation: actor) != nil else {
            cancel()
            return nil
          }
        }
      }

      /// Called when the loop's task was cancelled: discards the buffer.
      private func cancel() {
        hasEnded = true
        subscription.dispose()
        let discarded = waiting
        waiting = FIFO()
        withExtendedLifetime(discarded) {}
      }
    }
  }
}

extension ObservableType {
  /// Waits for the first value, for example in a step of a `Workflow`.
  ///
  /// - Returns: the first value delivered from now on; a `BehaviorRelay` delivers its current value at once. Nil if
  ///   the stream completes without a value, or if the calling task is cancelled.
  public nonisolated(nonsending) func first() async -> Element? {
    for await element in values { return element }
    return nil
  }
}

extension ObservableType where Element: Sendable {
  /// The values as an `AsyncStream` that may leave the tree and ends when an interactor resigns, or a worker stops.
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
  /// stream ends, when the interactor resigns or the worker stops, or when the tree ends; buffered values are still
  /// delivered. If the interactor is not active, or the worker does not run, the sequence is empty and misuse is reported.
  ///
  /// When the reader leaves its loop or is cancelled, the subscription ends with the next value, or when the
  /// interactor or worker binds more subscriptions.
  ///
  /// - Parameters:
  ///   - owner: the interactor whose current activation, or the worker whose current run, limits the sequence.
  ///   - bufferingPolicy: the policy for unread values. Defaults to unbounded; set a bound if the reader may be
  ///     slower than the stream.
  /// - Returns: the sequence, for a single reader.
  public func values(
    boundTo owner: TaskOwner,
    bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Element> {
    let (values, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: bufferingPolicy)
    let feed = ReaderFeed(continuation)
    owner.bind(feed)
    feed.subscribe(to: self)
    return values
  }
}

/// Writes the values of a stream to an `AsyncStream`, and finishes it on disposal or release.
final class ReaderFeed<Element: Sendable>: Disposable, TreeConfined {
  private let continuation: AsyncStream<Element>.Continuation
  private let reader = Reader()
  private let subscription = SerialDisposable()
  /// Written before the end, if there is one.
  private let last: Element?
  /// Called when a value is lost, once, and never for a stream that has delivered one to its subscription, as a state does.
  private var onLoss: (() -> Void)?
  private var isSubscribing = false

  /// The state of the reader, which may stop on any thread.
  private final class Reader: Sendable {
    let hasLeft = Atomic(false)
  }

  /// - Parameter actor: the actor of the tree, to dispose of the subscription as soon as the reader leaves. The stream holds
  ///   this until then. Without it, the subscription ends with the next value.
  init(
    _ continuation: AsyncStream<Element>.Continuation, last: Element? = nil, on actor: (any Actor)? = nil,
    onLoss: (() -> Void)? = nil
  ) {
    self.continuation = continuation
    self.last = last
    self.onLoss = onLoss
    let box = actor.map { _ in IsolationBox(self) }
    continuation.onTermination = { [reader] reason in
      reader.hasLeft.store(true, ordering: .relaxed)
      guard let actor, let box, case .cancelled = reason else { return }
      Task.detached { await actor.with(box) { (feed: ReaderFeed) in feed.dispose() } }
    }
  }

  deinit { dispose() }

  var hasEnded: Bool { subscription.hasEnded || reader.hasLeft.load(ordering: .relaxed) }

  func dispose() {
    subscription.dispose()
    if let last { continuation.yield(last) }
    continuation.finish()
  }

  /// Subscribes, unless this has already ended.
  func subscribe(to source: some ObservableType<Element>) {
    guard !subscription.hasEnded else { return }
    isSubscribing = true
    defer { isSubscribing = false }
    // Weak: the subscription ends when the scope releases this because the reader has left.
    subscription.set(
      source.subscribe(
        onNext: { [weak self] element in self?.write(element) }, onCompleted: { [weak self] in self?.dispose() }))
  }

  private func write(_ element: Element) {
    if isSubscribing { onLoss = nil }
    switch continuation.yield(element) {
    case .terminated: dispose()
    case .dropped:
      let report = onLoss
      onLoss = nil
      report?()
    default: break
    }
  }
}
