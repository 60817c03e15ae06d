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
  public var values: ObservableValues<Element> { ObservableValues(source: asObservable()) }
}

/// The values of a stream as an asynchronous sequence, confined to the tree.
public struct ObservableValues<Element>: AsyncSequence {
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
