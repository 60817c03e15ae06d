// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// Presents the latest value at most once per frame, however often it changes.
///
/// Use it between an interactor whose state changes thousands of times per second and a terminal, a client or a person
/// that can't follow that rate. It belongs to one activation of the interactor:
///
/// ```swift
/// final class MeterInteractor: PresentableInteractor<MeterPresentable> {
///   private var screen: PacedPresenter<Int> {
///     scoped { PacedPresenter(of: self) { cents in self.presenter.show(cents) } }
///   }
///
///   func fareDidChange(to cents: Int) { screen.present(cents) }
/// }
/// ```
///
/// - A value is shown in a later job of the tree, at least one frame after the last shown value, on the tree's clock. A
///   value that is presented meanwhile replaces it.
/// - A value equal to the one shown last is not shown again.
/// - The last value is always shown, at the latest while the interactor resigns. Nothing is shown afterwards, and a
///   value that `show` itself presents at that moment is discarded.
/// - If the tree's clock fails to wait, the value is shown without waiting. The error counts as one of bound work: it
///   reaches the interactor's `didFail(_:of:)` and the tree's events.
///
/// Outside a tree, values are shown immediately.
public final class PacedPresenter<Value: Equatable>: Presentable, Disposable {
  private enum State {
    case idle(show: (Value) -> Void)
    /// A task of the interactor waits for the next frame.
    case waiting(show: (Value) -> Void)
    case disposed

    var show: ((Value) -> Void)? {
      switch self {
      case .idle(let show), .waiting(let show): show
      case .disposed: nil
      }
    }
  }

  private let frame: Duration
  private let fileID: StaticString
  private let line: UInt
  private weak var interactor: Interactor?
  private var state: State
  /// The value to show next.
  private let newest = Latest<Value?>(nil)
  private let shown = Latest<Value?>(nil)
  /// When a value was shown last.
  private var shownAt: Duration?

  /// Creates a presenter for one activation of an interactor.
  ///
  /// If the interactor is not active, the presenter shows nothing, and the call is reported as misuse.
  ///
  /// - Parameters:
  ///   - interactor: the owner of the waiting task. It is not retained.
  ///   - framesPerSecond: the maximum number of values shown per second. It is clamped to 1...1,000,000,000.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - show: shows a value, on the tree. It may present another value. It is released when the interactor has
  ///     resigned.
  public init(
    of interactor: Interactor, framesPerSecond: Int = 60, fileID: StaticString = #fileID, line: UInt = #line,
    show: @escaping (_ value: Value) -> Void
  ) {
    let second: Int64 = 1_000_000_000
    let rate = min(Int64(max(1, framesPerSecond)), second)
    // Rounded up, so that no second has more frames than the maximum.
    frame = .nanoseconds((second + rate - 1) / rate)
    self.fileID = fileID
    self.line = line
    self.interactor = interactor
    state = .idle(show: show)
    disposeOnDeactivate(interactor: interactor)
  }

  /// Whether the presenter has ended, so that it shows no more values.
  public var hasEnded: Bool { if case .disposed = state { true } else { false } }

  /// Shows a value, unless a newer one replaces it first.
  ///
  /// - Complexity: O(1).
  public func present(_ value: Value) {
    if case .disposed = state { return }
    newest.set(value)
    guard case .idle = state else { return }
    if value == shown.value { return newest.set(nil) }
    // No task can be started while the interactor resigns or its tree ends; `dispose()` then shows the latest value.
    guard let interactor, interactor.acceptsTasks else { return }
    guard let tree = interactor.tree else {
      return showNewest(at: .zero)
    }
    guard !tree.hasEnded else { return }
    beginWaiting()
    let (now, clock) = (tree.now, tree.settings.clock)
    let task = interactor.task(fileID: fileID, line: line) {
      while self.newest.value != nil {
        if let shownAt = self.shownAt, case let rest = shownAt + self.frame - now(), rest > .zero {
          do {
            try await clock.sleep(for: rest)
          } catch {
            // Before the value is shown, because `show` may present a value, which starts another task.
            self.endWaiting()
            self.showNewest(at: now())
            throw error
          }
        }
        self.showNewest(at: now())
      }
      self.endWaiting()
    }
    if task.start != .started { endWaiting() }
  }

  /// Shows the latest value, unless it was shown, and ends the presenter.
  public func dispose() {
    showNewest(at: .zero)
    let previous = state
    state = .disposed
    newest.set(nil)
    withExtendedLifetime(previous) {}
  }

  private func beginWaiting() { if case .idle(let show) = state { state = .waiting(show: show) } }

  private func endWaiting() { if case .waiting(let show) = state { state = .idle(show: show) } }

  private func showNewest(at time: Duration) {
    guard let show = state.show, let value = newest.exchange(nil), value != shown.value else { return }
    let previous = shown.exchange(value)
    shownAt = time
    show(value)
    withExtendedLifetime(previous) {}
  }
}
