// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

// Time is that of the tree's clock: a test's virtual clock drives it. Where RxSwift takes a scheduler, pass the
// interactor or the worker, usually `self`. Each wait is bound work of it: it ends with the scope, and the tree lists it
// by the line that made the stream. If the scope is not active at the subscription, the work is refused and reported.

extension ObservableType {
  /// The last value of each burst: a value that is followed by none for a time. As in Rx.
  ///
  /// When the source completes, the pending value is delivered at once, before the completion.
  ///
  /// - Parameters:
  ///   - dueTime: how long no other value may follow.
  ///   - scheduler: the interactor or worker that limits the wait, usually `self`.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  public func debounce(
    _ dueTime: Duration, scheduler: TaskOwner, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Observable<Element> {
    let source = asObservable()
    return .create { [weak scheduler] observer in
      let timer = ScopeTimer(scheduler, fileID, line)
      let pending = Queue<Element>()
      let subscription = source.subscribe(
        onNext: { element in
          pending.removeAll()
          pending.append(element)
          timer.start(after: dueTime) { if let element = pending.next() { observer.onNext(element) } }
        },
        onCompleted: {
          timer.stop()
          if let element = pending.next() { observer.onNext(element) }
          observer.onCompleted()
        })
      return Disposables.create(subscription, timer)
    }
  }

  /// At most one value in a time: the first at once, then the last of each window at its end. As in Rx.
  ///
  /// When the source completes, the pending value is delivered at the end of its window, and the completion after it.
  /// Values that the delivery of the first one sends wait too; in Rx they pass.
  ///
  /// - Parameters:
  ///   - dueTime: the length of a window.
  ///   - latest: whether the last value of a window is delivered at its end. If false, it is dropped.
  ///   - scheduler: the interactor or worker that limits the wait, usually `self`.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  public func throttle(
    _ dueTime: Duration, latest: Bool = true, scheduler: TaskOwner, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Observable<Element> {
    let source = asObservable()
    return .create { [weak scheduler] observer in
      let timer = ScopeTimer(scheduler, fileID, line)
      let pending = Queue<Element>()
      func openWindow() {
        timer.start(after: dueTime) {
          guard let element = pending.next() else { return }
          if !pending.isComplete { openWindow() }
          observer.onNext(element)
          if pending.isComplete, pending.isEmpty { observer.onCompleted() }
        }
      }
      let subscription = source.subscribe(
        onNext: { element in
          guard timer.isRunning else {
            openWindow()
            return observer.onNext(element)
          }
          guard latest else { return }
          pending.removeAll()
          pending.append(element)
        },
        onCompleted: {
          pending.isComplete = true
          guard pending.isEmpty else { return }
          timer.stop()
          observer.onCompleted()
        })
      return Disposables.create(subscription, timer)
    }
  }

  /// Each value, and the completion, after a time. As in Rx.
  ///
  /// - Parameters:
  ///   - dueTime: how much later.
  ///   - scheduler: the interactor or worker that limits the wait, usually `self`.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  public func delay(
    _ dueTime: Duration, scheduler: TaskOwner, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Observable<Element> {
    let source = asObservable()
    return .create { [weak scheduler] observer in
      let timer = ScopeTimer(scheduler, fileID, line)
      // A nil element stands for the completion.
      let waiting = Queue<(due: Duration, element: Element?)>()
      func wait() {
        guard !timer.isRunning, let first = waiting.elements.first else { return }
        timer.start(at: first.due) {
          let due = waiting.next()
          if let element = due?.element { observer.onNext(element) } else { observer.onCompleted() }
          wait()
        }
      }
      let subscription = source.subscribe(
        onNext: { element in
          waiting.append((timer.elapsed + dueTime, element))
          wait()
        },
        onCompleted: {
          waiting.append((timer.elapsed + dueTime, nil))
          wait()
        })
      return Disposables.create(subscription, timer)
    }
  }
}

extension Observable where Element: FixedWidthInteger {
  /// The numbers from 0, the first after a period, until the subscription ends. As in Rx.
  ///
  /// - Parameters:
  ///   - period: the time between two values. If it is not positive, the stream completes after the first value.
  ///   - scheduler: the interactor or worker that limits the wait, usually `self`.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  public static func interval(
    _ period: Duration, scheduler: TaskOwner, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Observable<Element> { timer(period, period: period, scheduler: scheduler, fileID: fileID, line: line) }

  /// 0 after a time, then the next numbers after each period. As in Rx.
  ///
  /// The values don't drift: each is due at a multiple of the period after the first.
  ///
  /// - Parameters:
  ///   - dueTime: the time before the first value.
  ///   - period: the time between two values. If it is nil or not positive, the stream completes after the first value.
  ///   - scheduler: the interactor or worker that limits the wait, usually `self`.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  public static func timer(
    _ dueTime: Duration, period: Duration? = nil, scheduler: TaskOwner, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Observable<Element> {
    create { [weak scheduler] observer in
      guard let scheduler else { return Disposables.create() }
      let timeline = Timeline(scheduler.treeClock)
      return scheduler.task(fileID: fileID, line: line) {
        var (number, due): (Element, Duration) = (0, dueTime)
        while true {
          try await timeline.sleep(due)
          observer.onNext(number)
          guard let period, period > .zero else { return observer.onCompleted() }
          number &+= 1
          due += period
        }
      }
    }
  }
}

/// Waits on the tree's clock, as bound work of an interactor or a worker.
final class ScopeTimer: Disposable {
  private weak var owner: TaskOwner?
  private let fileID: StaticString
  private let line: UInt
  private let timeline: Timeline
  private var wait: BoundWork.Handle?
  /// The number of starts, so that a wait that was replaced does nothing.
  private var starts = 0
  private(set) var isRunning = false
  private(set) var hasEnded = false

  init(_ owner: TaskOwner?, _ fileID: StaticString, _ line: UInt) {
    self.owner = owner
    self.fileID = fileID
    self.line = line
    timeline = Timeline(owner?.treeClock ?? SuspendingClock())
  }

  /// The time since this was created.
  var elapsed: Duration { timeline.elapsed() }

  /// Runs an action after a time, instead of the previous one.
  func start(after time: Duration, _ action: @escaping () -> Void) { start(at: elapsed + time, action) }

  /// Runs an action at a time since this was created, instead of the previous one.
  func start(at time: Duration, _ action: @escaping () -> Void) {
    stop()
    guard !hasEnded, let owner else { return }
    let start = starts
    let timeline = timeline
    isRunning = true
    wait = owner.task(fileID: fileID, line: line) {
      try await timeline.sleep(time)
      guard self.starts == start else { return }
      self.isRunning = false
      self.wait = nil
      action()
    }
    if case .inactive? = wait?.start { isRunning = false }
  }

  func stop() {
    starts += 1
    isRunning = false
    let ending = wait
    wait = nil
    ending?.cancel()
  }

  func dispose() {
    hasEnded = true
    stop()
  }
}

/// A clock whose instants are durations.
private struct Timeline: Sendable {
  let elapsed: @Sendable () -> Duration
  /// Returns at a time since the start.
  let sleep: @Sendable (Duration) async throws -> Void

  init(_ clock: any Clock<Duration>) { self.init(opened: clock) }

  private init<C: Clock>(opened clock: C) where C.Duration == Duration {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { time in try await clock.sleep(until: start.advanced(by: time), tolerance: nil) }
  }
}
