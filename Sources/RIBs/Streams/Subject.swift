/// A subject, whatever it delivers.
@usableFromInline
class AnySubject {
  /// How far the stream has come.
  @usableFromInline
  enum Phase: UInt8 {
    case open
    /// It has ended, and not all subscribers have been notified: values that wait are delivered before.
    case completing
    /// It has ended, and all subscribers have been notified.
    case completed
  }

  @exclusivity(unchecked) @usableFromInline final var phase = Phase.open
  /// Ends a subscription, or without an id all of them. A closure made where the type of the values is known, which is
  /// several times as fast.
  @usableFromInline final let end: (AnySubject, _ id: UInt64?) -> Void

  @inlinable
  init(end: @escaping (AnySubject, UInt64?) -> Void) { self.end = end }

  /// Notifies all subscribers of the end, after the last value.
  @inlinable
  final func complete() {
    guard phase == .open else { return }
    phase = .completing
    end(self, nil)
  }
}

/// Delivers values to its subscribers, each value to all of them, in the order of subscription, before the next value.
///
/// This is the core of both relays. The relay is its writing end. Subscriptions and observables hold the subject, so
/// that it can notify its subscribers of the end when the relay is released.
@usableFromInline
final class Subject<Element>: AnySubject {
  @usableFromInline
  struct Entry {
    /// The number of the last value sent before this subscription: it receives only later ones.
    @usableFromInline let since: UInt64
    @usableFromInline let id: UInt64
    /// Nil once disposed of; the entry is removed when no delivery is under way. By itself, so that a delivery holds
    /// nothing else of the observer.
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

  // The accesses to these are not checked at run time. No code of the user runs during one: what a subscriber captured,
  // and the values, are released when the access is over.

  /// In the order of their ids.
  @exclusivity(unchecked) @usableFromInline var entries: ContiguousArray<Entry> = []
  /// How many of them are not disposed of. A tree looks here before it makes an event.
  @exclusivity(unchecked) @usableFromInline var subscriberCount = 0
  @exclusivity(unchecked) @usableFromInline var lastID: UInt64 = 0
  /// How many values have been sent.
  @exclusivity(unchecked) @usableFromInline var sent: UInt64 = 0
  @exclusivity(unchecked) @usableFromInline var waiting: [Element] = []
  @exclusivity(unchecked) @usableFromInline var isDelivering = false
  /// What a new subscriber receives first, in a stream that has a value at all times.
  @exclusivity(unchecked) @usableFromInline var latest: Element?

  /// - Parameter latest: the first value of a stream that has a value at all times.
  @inlinable
  init(latest: Element? = nil) {
    self.latest = latest
    super.init { subject, id in
      let subject = unsafeDowncast(subject, to: Subject<Element>.self)
      if let id { subject.unsubscribe(id) } else if !subject.isDelivering { subject.deliverCompletion() }
    }
  }

  @inlinable var hasSubscribers: Bool { subscriberCount > 0 }

  /// Stores a value as the latest, then delivers it, then releases the previous one: what the `deinit` of that accepts
  /// comes after this value. After the end nothing is stored.
  @inlinable
  func accept(_ element: Element) {
    guard phase == .open else { return }
    let previous = latest
    latest = element
    send(element)
    withExtendedLifetime(previous) {}
  }

  /// Delivers a value. During a delivery it is enqueued, so that every subscriber sees all values in one order.
  @inlinable
  func send(_ element: Element) {
    guard phase == .open else { return }
    sent &+= 1
    guard !isDelivering else { return waiting.append(element) }
    isDelivering = true
    deliver(element, number: sent)
    finishDelivering()
  }

  /// Adds a subscriber, and delivers the latest value to it before any other, if there is one.
  @inlinable
  func subscribe(_ observer: AnyObserver<Element>) -> any Disposable {
    guard phase == .open else {
      observer.completed?()
      return EmptyDisposable()
    }
    lastID += 1
    entries.append(Entry(since: sent, id: lastID, observer: observer))
    subscriberCount += 1
    let subscription = SubjectSubscription(subject: self, id: lastID)
    if let latest {
      if isDelivering {
        observer.next(latest)
      } else {
        isDelivering = true
        observer.next(latest)
        finishDelivering()
      }
    }
    return subscription
  }

  @inlinable
  func unsubscribe(_ id: UInt64) {
    guard let index = index(of: id), !entries[index].isDisposed else { return }
    let released = entries[index]
    entries[index].next = nil
    entries[index].completed = nil
    subscriberCount -= 1
    if !isDelivering { removeDisposed() }
    // What the subscriber captured goes here, when the subject is consistent again.
    withExtendedLifetime(released) {}
  }

  @inlinable
  func deliver(_ element: Element, number: UInt64) {
    var index = 0
    let end = entries.count
    while index < end {
      if entries[index].since < number, let next = entries[index].next { next(element) }
      index &+= 1
    }
  }

  @inlinable
  func finishDelivering() {
    while !waiting.isEmpty {
      // All others have been delivered. Taken out, so that what goes with these values may use this subject.
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
  func deliverCompletion() {
    // A subscriber that is disposed of while another is notified is not notified.
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

  /// Removes the entries of disposed subscriptions: those at the end at once, the others when they are the majority.
  @inlinable
  func removeDisposed() {
    while let last = entries.last, last.isDisposed { entries.removeLast() }
    let disposedCount = entries.count - subscriberCount
    if disposedCount > entries.count / 2 { entries.removeAll { $0.isDisposed } }
  }

  @inlinable
  func index(of id: UInt64) -> Int? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].id == id ? low : nil
  }
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

  /// Not before all subscribers have been notified: until then, values may still be delivered to this one.
  @inlinable var hasEnded: Bool { subject.map { $0.phase == .completed } ?? true }

  @inlinable
  func dispose() {
    guard let subject else { return }
    self.subject = nil
    subject.end(subject, id)
  }
}
