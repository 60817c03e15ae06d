extension ObservableType {
  /// The values as an asynchronous sequence, for `for await` in bound work and for libraries that take sequences.
  ///
  /// Iterating subscribes. Values that come while the loop's body runs wait in order, without a limit, so a body slower
  /// than its stream should look at `BehaviorRelay.value` instead. The loop ends with the stream, with the cancellation
  /// of its task, and with the scope of the work it runs in; then, or when the iterator is released, the subscription
  /// is disposed of.
  ///
  /// ```swift
  /// task {
  ///   for await state in self.taxiStateStream.state.values { self.show(state) }
  /// }
  /// ```
  public var values: ObservableValues<Element> { ObservableValues(source: asObservable()) }
}

/// The values of a stream as an asynchronous sequence. It belongs to the tree, as its stream does.
public struct ObservableValues<Element>: AsyncSequence {
  let source: Observable<Element>

  /// Subscribes and returns the iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(buffer: Buffer(source)) }

  /// Hands out the values one by one.
  public struct Iterator: AsyncIteratorProtocol {
    let buffer: Buffer

    /// The next value, or nil when the stream has ended or the task is cancelled.
    public mutating func next() async -> Element? { await buffer.next(isolation: #isolation) }

    /// The next value, or nil when the stream has ended or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await buffer.next(isolation: actor)
    }
  }

  /// Keeps values until they are asked for. Only the wake-up signal crosses threads, when a task is cancelled.
  final class Buffer {
    private var waiting = WaitingLine<Element>()
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
        // What still waits when the scope ends is not delivered to it.
        if Task.isCancelled { subscription.dispose() } else if let element = waiting.popFirst() { return element }
        if hasEnded { return nil }
        guard await signals.next(isolation: actor) != nil else {
          subscription.dispose()
          return nil
        }
      }
    }
  }
}
