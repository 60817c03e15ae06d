extension ObservableType {
  /// The values as an asynchronous sequence, for `for await` in bound work of the same tree.
  ///
  /// Iterating subscribes. Values that arrive while the loop's body runs are buffered in order, without a limit. A body
  /// that needs only the newest value reads `BehaviorRelay.value` instead. The loop ends when the stream ends, when its
  /// task is cancelled, and when the scope of the work that it runs in ends. The subscription is disposed of then, or
  /// when the iterator is released.
  ///
  /// ```swift
  /// task {
  ///   for await state in self.taxiStateStream.state.values { self.show(state) }
  /// }
  /// ```
  ///
  /// The sequence belongs to the tree, as its stream does. To read a stream from elsewhere, use `values(boundTo:)`.
  public var values: ObservableValues<Element> { ObservableValues(source: asObservable()) }
}

/// The values of a stream as an asynchronous sequence. It belongs to the tree, as its stream does.
public struct ObservableValues<Element>: AsyncSequence {
  let source: Observable<Element>

  /// Subscribes and returns the iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(buffer: Buffer(source)) }

  /// Returns the values one by one.
  public struct Iterator: AsyncIteratorProtocol {
    let buffer: Buffer

    /// The next value, or nil when the stream has ended or the task is cancelled.
    public mutating func next() async -> Element? { await buffer.next(isolation: #isolation) }

    /// The next value, or nil when the stream has ended or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await buffer.next(isolation: actor)
    }
  }

  /// Buffers values until they are read. Only the wake-up signal crosses threads, when a task is cancelled.
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

    /// The scope of the loop has ended: what is buffered is not delivered to it.
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
  /// Waits for the first value, such as that of a step in a `Workflow`.
  ///
  /// - Returns: the first value that is delivered from now on, which a `BehaviorRelay` does at once; nil if the stream ends
  ///   without one, or the calling task is cancelled.
  public nonisolated(nonsending) func first() async -> Element? {
    for await element in values { return element }
    return nil
  }
}
