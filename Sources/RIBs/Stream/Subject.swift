/// Delivers values to its subscribers, each value to all of them, in the order of subscription, before the next value.
///
/// This is the core of both relays. The relay is its writing end; subscriptions and observables hold the subject, so
/// that it can tell its subscribers when the writing end is gone.
final class Subject<Element> {
  private struct Entry {
    /// The number of the last value sent before this subscription: it receives only later ones.
    let since: UInt64
    let id: UInt64
    /// Nil once disposed of; the entry is removed when no delivery is under way.
    var next: ((Element) -> Void)?
    let completed: (() -> Void)?
  }

  /// In the order of their ids.
  private var entries: ContiguousArray<Entry> = []
  private var disposedCount = 0
  private var lastID: UInt64 = 0
  /// How many values have been sent.
  private var sent: UInt64 = 0
  private var waiting: [Element] = []
  private var isDelivering = false
  private(set) var isCompleted = false
  /// What a new subscriber receives first, in a stream that has a value at all times.
  private(set) var latest: Element?

  /// - Parameter latest: the first value of a stream that has a value at all times.
  init(latest: Element? = nil) { self.latest = latest }

  var hasSubscribers: Bool { entries.count > disposedCount }

  /// Stores a value as the latest, then delivers it.
  func accept(_ element: Element) {
    latest = element
    send(element)
  }

  /// Delivers a value. During a delivery it waits its turn, so that every subscriber sees all values in one order.
  func send(_ element: Element) {
    guard !isCompleted else { return }
    sent &+= 1
    guard !isDelivering else { return waiting.append(element) }
    isDelivering = true
    deliver(element, number: sent)
    finishDelivering()
  }

  /// Adds a subscriber, and hands it the latest value before any other, if there is one.
  func subscribe(_ observer: AnyObserver<Element>) -> any Disposable {
    if isCompleted {
      observer.completed?()
      return EmptyDisposable()
    }
    lastID += 1
    entries.append(Entry(since: sent, id: lastID, next: observer.next, completed: observer.completed))
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

  /// Tells all subscribers, after the last value, that no more come.
  func complete() {
    guard !isCompleted else { return }
    isCompleted = true
    if !isDelivering { deliverCompletion() }
  }

  fileprivate func unsubscribe(_ id: UInt64) {
    guard let index = index(of: id), entries[index].next != nil else { return }
    let released = entries[index]
    if isDelivering {
      entries[index].next = nil
      disposedCount += 1
    } else if index == entries.count - 1 {
      entries.removeLast()
    } else {
      entries[index].next = nil
      disposedCount += 1
      removeDisposed(whenMoreThan: entries.count / 2)
    }
    // What the subscriber captured goes here, when the subject is consistent again.
    withExtendedLifetime(released) {}
  }

  private func deliver(_ element: Element, number: UInt64) {
    var index = 0
    let end = entries.count
    while index < end {
      if entries[index].since < number, let next = entries[index].next { next(element) }
      index &+= 1
    }
  }

  private func finishDelivering() {
    var index = 0
    while index < waiting.count {
      let element = waiting[index]
      index += 1
      deliver(element, number: sent &- UInt64(waiting.count - index))
    }
    if index > 0 { waiting.removeAll(keepingCapacity: index <= 16) }
    isDelivering = false
    if disposedCount > 0 { removeDisposed(whenMoreThan: entries.count / 2) }
    if isCompleted { deliverCompletion() }
  }

  private func deliverCompletion() {
    let ending = entries
    entries = []
    disposedCount = 0
    for entry in ending where entry.next != nil { entry.completed?() }
  }

  private func removeDisposed(whenMoreThan limit: Int) {
    guard disposedCount > limit else { return }
    entries.removeAll { $0.next == nil }
    disposedCount = 0
  }

  private func index(of id: UInt64) -> Int? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].id == id ? low : nil
  }
}

private final class SubjectSubscription<Element>: Endable {
  private var subject: Subject<Element>?
  private let id: UInt64

  init(subject: Subject<Element>, id: UInt64) {
    self.subject = subject
    self.id = id
  }

  var hasEnded: Bool { subject?.isCompleted ?? true }

  func dispose() {
    guard let subject else { return }
    self.subject = nil
    subject.unsubscribe(id)
  }
}
