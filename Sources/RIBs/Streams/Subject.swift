// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The non-generic base of a subject.
@usableFromInline
class AnySubject {
  /// The phase of the stream.
  @usableFromInline
  enum Phase: UInt8 {
    case open
    /// Completed, but not all subscribers have been notified; enqueued values are delivered first.
    case completing
    /// Completed, and all subscribers have been notified.
    case completed
  }

  @exclusivity(unchecked) @usableFromInline final var phase = Phase.open
  /// Ends one subscription, or all of them if `id` is nil. A closure created where the element type is known, so that it
  /// is specialized: several times as fast.
  @usableFromInline final let end: (AnySubject, _ id: UInt64?) -> Void

  @inlinable
  init(end: @escaping (AnySubject, UInt64?) -> Void) { self.end = end }

  #if DEBUG
    /// The tree in which a subscription was bound last. Values must be sent on its actor.
    final weak var tree: (any IsolationDomain)?

    /// Traps if this is called outside the actor of the tree.
    @usableFromInline
    final func checkIsolation() { tree?.checkIsolation() }
  #endif

  /// Notifies all subscribers of the completion, after the last value.
  @inlinable
  final func complete() {
    guard phase == .open else { return }
    phase = .completing
    end(self, nil)
  }
}

/// Delivers each value to all subscribers, in subscription order, before the next value.
///
/// This is the core of both relays. Subscriptions and observables hold the subject, so that it can notify subscribers
/// of the completion when the relay is released.
@usableFromInline
class Subject<Element>: AnySubject {
  @usableFromInline
  struct Entry {
    /// The number of the last value sent before this subscription, which receives only later ones.
    @usableFromInline let since: UInt64
    @usableFromInline let id: UInt64
    /// Nil after disposal; the entry is removed when no delivery is in progress. Stored separately, so that a
    /// delivery retains nothing else of the observer.
    @usableFromInline var next: ((Element) -> Void)?
    @usableFromInline var completed: (() -> Void)?

    @inlinable
    init(since: UInt64, id: UInt64, observer: AnyObserver<Element>) {
      self.since = since
      self.id = id
      next = observer.next
      completed = observer.completed
    }

    @inlinable var isDisposed: Bool { next == nil }
  }

  // Exclusivity of these is not checked at run time. No user code runs during an access: subscribers' captures and
  // values are released outside it.

  /// Sorted by id.
  @exclusivity(unchecked) @usableFromInline final var entries: ContiguousArray<Entry> = []
  /// The number of entries not disposed of. A tree checks it before it creates an event.
  @exclusivity(unchecked) @usableFromInline final var subscriberCount = 0
  @exclusivity(unchecked) @usableFromInline final var lastID: UInt64 = 0
  /// The number of values sent.
  @exclusivity(unchecked) @usableFromInline final var sent: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline final var waiting: [Element] = []
  @exclusivity(unchecked) @usableFromInline final var isDelivering = false

  @inlinable
  init() {
    super.init { subject, id in
      let subject = unsafeDowncast(subject, to: Subject<Element>.self)
      if let id { subject.unsubscribe(id) } else if !subject.isDelivering { subject.deliverCompletion() }
    }
  }

  @inlinable final var hasSubscribers: Bool { subscriberCount > 0 }

  /// Delivers a value. During a delivery it is enqueued, so that each subscriber receives all values in one order.
  @inlinable
  final func send(_ element: Element) {
    #if DEBUG
      checkIsolation()
    #endif
    guard phase == .open else { return }
    sent &+= 1
    guard !isDelivering else { return waiting.append(element) }
    isDelivering = true
    deliver(element, number: sent)
    finishDelivering()
  }

  /// Adds a subscriber.
  @inlinable
  func subscribe(_ observer: AnyObserver<Element>) -> any Disposable { add(observer, first: nil) }

  /// Adds a subscriber, and delivers the current value to it first, if there is one; also after completion.
  @inlinable
  final func add(_ observer: AnyObserver<Element>, first: Element?) -> any Disposable {
    #if DEBUG
      checkIsolation()
    #endif
    guard phase == .open else {
      if let first { observer.next(first) }
      observer.completed?()
      return EmptyDisposable()
    }
    lastID += 1
    entries.append(Entry(since: sent, id: lastID, observer: observer))
    subscriberCount += 1
    let subscription = SubjectSubscription(subject: self, id: lastID)
    if let first { holding { observer.next(first) } }
    return subscription
  }

  /// Runs code, and delivers the values that are sent meanwhile after it.
  @inlinable
  final func holding(_ body: () -> Void) {
    let isOutermost = !isDelivering
    isDelivering = true
    body()
    if isOutermost { finishDelivering() }
  }

  @inlinable
  final func unsubscribe(_ id: UInt64) {
    guard let index = index(of: id), !entries[index].isDisposed else { return }
    let released = entries[index]
    entries[index].next = nil
    entries[index].completed = nil
    subscriberCount -= 1
    if !isDelivering { removeDisposed() }
    // Release the subscriber's captures when the subject is consistent again.
    withExtendedLifetime(released) {}
  }

  @inlinable
  final func deliver(_ element: Element, number: UInt64) {
    var index = 0
    let end = entries.count
    while index < end {
      if entries[index].since < number, let next = entries[index].next { next(element) }
      index &+= 1
    }
  }

  @inlinable
  final func finishDelivering() {
    while !waiting.isEmpty {
      // All earlier values have been delivered. Moved out, so that the release of values may use this subject.
      let batch = waiting
      waiting = []
      var number = sent &- UInt64(batch.count)
      for element in batch {
        number &+= 1
        deliver(element, number: number)
      }
    }
    isDelivering = false
    if subscriberCount < entries.count { removeDisposed() }
    if phase == .completing { deliverCompletion() }
  }

  @inlinable
  final func deliverCompletion() {
    // A subscriber disposed of during this loop is not notified.
    isDelivering = true
    var index = 0
    while index < entries.count {
      entries[index].completed?()
      index += 1
    }
    isDelivering = false
    phase = .completed
    let ended = entries
    entries = []
    subscriberCount = 0
    withExtendedLifetime(ended) {}
  }

  /// Removes the entries of disposed subscriptions: trailing ones at once, others when they are the majority.
  @inlinable
  final func removeDisposed() {
    while let last = entries.last, last.isDisposed { entries.removeLast() }
    let disposedCount = entries.count - subscriberCount
    if disposedCount > entries.count / 2 { entries.removeAll { $0.isDisposed } }
  }

  @inlinable
  final func index(of id: UInt64) -> Int? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].id == id ? low : nil
  }
}

/// A subject with a current value, which a new subscriber receives first.
///
/// A class of its own, because the space for an event would be a quarter of an idle tree.
@usableFromInline
final class StateSubject<Element>: Subject<Element> {
  @exclusivity(unchecked) @usableFromInline var latest: Element

  @inlinable
  init(latest: Element) {
    self.latest = latest
    super.init()
  }

  /// Stores a value as the latest, delivers it, then releases the previous one, so that values accepted by its
  /// `deinit` come after this one. Ignored after completion.
  @inlinable
  func accept(_ element: Element) {
    guard phase == .open else { return }
    let previous = latest
    latest = element
    send(element)
    withExtendedLifetime(previous) {}
  }

  /// Adds a subscriber, and delivers the current value to it first.
  @inlinable
  override func subscribe(_ observer: AnyObserver<Element>) -> any Disposable { add(observer, first: latest) }
}

@usableFromInline
final class SubjectSubscription: Disposable {
  @exclusivity(unchecked) @usableFromInline var subject: AnySubject?
  @usableFromInline let id: UInt64

  @inlinable
  init(subject: AnySubject, id: UInt64) {
    self.subject = subject
    self.id = id
  }

  /// False until all subscribers have been notified: until then, values may still be delivered.
  @inlinable var hasEnded: Bool { subject.map { $0.phase == .completed } ?? true }

  @inlinable
  func dispose() {
    guard let subject else { return }
    self.subject = nil
    subject.end(subject, id)
  }
}

#if DEBUG
  extension SubjectSubscription: IsolationChecking {
    func checkValues(in tree: any IsolationDomain) { subject?.tree = tree }
  }
#endif
