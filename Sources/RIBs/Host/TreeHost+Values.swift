// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension TreeHost {
  /// The values of a stream of the tree, for code outside the tree.
  ///
  /// ```swift
  /// let session = await TreeHost { RootBuilder(dependency: AppComponent()).build() }
  /// for await price in session.values({ root in root.interactor.price }) { print(price) }
  /// ```
  ///
  /// Each loop subscribes on the tree when it asks for its first value. A `BehaviorRelay` delivers its current value
  /// first. The subscription belongs to the host: the sequence ends when the stream completes, and when the tree ends.
  /// When the loop ends or its task is cancelled, the subscription is disposed of on the tree. The sequence does not
  /// keep the host.
  ///
  /// A reader that is slower than the stream costs what the policy allows, and never blocks the tree. The default keeps
  /// the newest value only, which is right for state. Values that say what has changed need `.bufferingOldest` or
  /// `.bufferingNewest` with a bound that the reader can work off. If they have none and one is lost, misuse is reported:
  /// a stream counts as state if it delivers a value when it is subscribed to.
  ///
  /// - Parameters:
  ///   - bufferingPolicy: which unread values are kept; nil for the newest one, and a report if another was no state.
  ///   - stream: finds the stream, from the root router.
  /// - Returns: the sequence. It has no values if the tree has ended.
  public func values<Source: ObservableType & SendableMetatype>(
    bufferingPolicy: AsyncStream<Source.Element>.Continuation.BufferingPolicy? = nil,
    _ stream: @escaping @Sendable (Root) -> Source
  ) -> Tree.Values<Source.Element> where Source.Element: Sendable {
    Tree.Values { [home] in await home.values(bufferingPolicy, stream) }
  }

  /// The events of the tree, for code outside the tree.
  ///
  /// Like `values`: a loop receives the events from its start on, and ends when the tree and the last of its bound work
  /// have ended. While a loop runs, the tree creates events of all kinds; to count one kind at the least cost, set
  /// `TreeConfiguration.onEvent` and `eventKinds`.
  ///
  /// - Parameters:
  ///   - kinds: the kinds of events; nil for all.
  ///   - bufferingPolicy: which unread events are kept. Defaults to the newest 1,000.
  /// - Returns: the sequence.
  public func events(
    _ kinds: Set<TreeEvent.Kind>? = nil,
    bufferingPolicy: AsyncStream<TreeEvent>.Continuation.BufferingPolicy = .bufferingNewest(1_000)
  ) -> Tree.Values<TreeEvent> {
    Tree.Values { [home] in await home.events(kinds, bufferingPolicy) }
  }

  /// A snapshot of the tree now, and one after each change.
  ///
  /// Changes that happen while the reader is busy, or in one turn of the tree, give one snapshot. So it shows what the
  /// tree is, not each step; the last one, after the end of the tree, has no RIBs.
  ///
  /// - Parameter kinds: the kinds of events that count as changes. Defaults to RIBs that come and go.
  /// - Returns: the sequence.
  public func snapshots(
    onChange kinds: Set<TreeEvent.Kind> = [.activated, .resigned, .ended]
  ) -> some AsyncSequence<TreeSnapshot, Never> & Sendable {
    let changes = Tree.Values<TreeChange> { [home] in await home.changes(kinds) }
    return changes.compactMap { [home] change in await home.snapshot(after: change) }
  }
}

extension Tree {
  /// Values of a tree as an asynchronous sequence for code outside the tree.
  ///
  /// `TreeHost.values`, `events` and `snapshots` return one. It can be read by several loops, which subscribe separately.
  public struct Values<Element: Sendable>: AsyncSequence, Sendable {
    let subscribe: @Sendable () async -> AsyncStream<Element>

    /// Subscribes now, and returns the values from now on, for one loop.
    ///
    /// A loop subscribes when it asks for its first value, and misses what the tree delivers before. Use this if the code
    /// before the loop causes the values:
    ///
    /// ```swift
    /// let session = await TreeHost { RootBuilder(dependency: AppComponent()).build() }
    /// let prices = await session.values(bufferingPolicy: .unbounded) { root in root.interactor.price }.subscribed()
    /// try await session.perform { root in root.interactor.price.accept(17) }
    /// for await price in prices { print(price) }
    /// ```
    ///
    /// The subscription ends with the loop, or when the sequence is released.
    public func subscribed() async -> Values {
      let values = await subscribe()
      return Values { values }
    }

    /// Returns an iterator, which subscribes when it is asked for the first value.
    public func makeAsyncIterator() -> Iterator { Iterator(subscribe) }

    /// Returns the values one by one.
    public struct Iterator: AsyncIteratorProtocol {
      /// Nil once it was called.
      private var subscribe: (@Sendable () async -> AsyncStream<Element>)?
      private var values: AsyncStream<Element>.Iterator?

      fileprivate init(_ subscribe: @escaping @Sendable () async -> AsyncStream<Element>) { self.subscribe = subscribe }

      /// The next value; nil after the last one, or if the task is cancelled.
      public mutating func next() async -> Element? { await next(isolation: #isolation) }

      /// The next value; nil after the last one, or if the task is cancelled.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
        if subscribe != nil {
          // A cancelled reader does not subscribe.
          guard !Task.isCancelled else { return nil }
          values = await subscribe.take()?().makeAsyncIterator()
        }
        return await values?.next(isolation: actor)
      }
    }
  }
}

/// What has changed in a tree.
enum TreeChange { case some, end }

extension TreeActor {
  func values<Root, Source: ObservableType>(
    _ bufferingPolicy: AsyncStream<Source.Element>.Continuation.BufferingPolicy?,
    _ stream: @Sendable (Root) -> Source, keepsAwake: Bool = true
  ) -> AsyncStream<Source.Element> where Source.Element: Sendable {
    guard let (root, core) = try? tree(withRoot: Root.self) else { return AsyncStream { $0.finish() } }
    let source = core.measure(.reading) { stream(root).asObservable() }
    let onLoss: (() -> Void)? =
      bufferingPolicy != nil
      ? nil
      : { [weak core] in
        core?.rootNode?.report(
          .warning(
            .lostValues, "A reader of values outside the tree was too slow, and lost a \(Source.Element.self).",
            advice: "Pass values(bufferingPolicy:) a policy, which says how many unread values are kept."))
      }
    return read(
      source, bufferingPolicy ?? .bufferingNewest(1), in: core, keepsAwake: keepsAwake, onLoss: onLoss)
  }

  func events(
    _ kinds: Set<TreeEvent.Kind>?, _ bufferingPolicy: AsyncStream<TreeEvent>.Continuation.BufferingPolicy
  ) -> AsyncStream<TreeEvent> {
    guard let core, !core.hasEnded else { return AsyncStream { $0.finish() } }
    let events = core.allEvents
    let chosen = kinds.map { kinds in events.filter { kinds.contains($0.kind) } } ?? events
    return read(chosen, bufferingPolicy, in: core, keepsAwake: nil)
  }

  func changes(_ kinds: Set<TreeEvent.Kind>) -> AsyncStream<TreeChange> {
    guard let core, !core.hasEnded else { return AsyncStream { $0.finish() } }
    let changes = core.allEvents.compactMap { event in kinds.contains(event.kind) ? TreeChange.some : nil }
    return read(changes.startWith(.some), .bufferingNewest(1), in: core, last: .end)
  }

  /// The snapshot that follows a change; nil if the tree has ended meanwhile, so that the end gives only one.
  func snapshot(after change: TreeChange) -> TreeSnapshot? {
    let isAfterTheEnd = core?.hasEnded ?? true
    return isAfterTheEnd && change == .some ? nil : snapshot()
  }

  /// - Parameters:
  ///   - last: the element that follows those of the stream when the tree ends, if there is one.
  ///   - keepsAwake: whether the tree is not idle as long as there is the reader; nil if the stream ends after the tree.
  ///   - onLoss: called when a value of a stream that is no state is lost, once.
  private func read<Element: Sendable>(
    _ stream: Observable<Element>, _ bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy,
    in core: TreeCore, last: Element? = nil, keepsAwake: Bool? = true, onLoss: (() -> Void)? = nil
  ) -> AsyncStream<Element> {
    // The closure that has found the stream may have ended the tree.
    guard !core.hasEnded else { return AsyncStream { $0.finish() } }
    let (values, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: bufferingPolicy)
    let feed = ReaderFeed(continuation, last: last, on: self, onLoss: onLoss)
    if let keepsAwake { core.part { TreeReaders() }.insert(feed, keepsAwake: keepsAwake) }
    feed.subscribe(to: stream)
    return values
  }
}

/// The part of a tree that holds the subscriptions of readers outside it until it ends.
private final class TreeReaders: TreePart {
  /// The readers that keep the tree awake, and those that don't.
  private var (bag, followers) = (DisposeBag(), DisposeBag())

  init() { super.init([]) }

  func insert(_ reader: any Disposable, keepsAwake: Bool) { (keepsAwake ? bag : followers).insert(reader) }

  override var isIdle: Bool { !bag.hasLiveDisposables }

  override func treeDidEnd(_ tree: TreeCore) { (bag, followers) = (DisposeBag(), DisposeBag()) }
}
