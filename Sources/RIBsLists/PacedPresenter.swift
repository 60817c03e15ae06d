public import RIBs

/// Shows the newest value at most once in a frame, however often it changes.
///
/// Put it between an interactor whose state changes thousands of times a second and a terminal, a client or a person that
/// can't follow that. It belongs to one activation of the interactor:
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
/// - A value is shown in the next turn of the tree, and not before a frame has passed since the last one was shown, on the
///   tree's clock. A value that is presented meanwhile replaces it.
/// - A value equal to the one that is shown is not shown again.
/// - The last value is always shown: at the latest when the interactor resigns, before that is over. Nothing is shown
///   afterwards, and a value that is presented by `show` itself at that moment is discarded.
/// - If the tree's clock fails to wait, the value is shown without waiting. The error is that of bound work: it reaches
///   the interactor's `didFail(_:of:)` and the tree's events.
///
/// Outside a tree, where there is no next turn, a value is shown at once.
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

  /// Creates a presenter that has shown nothing, for as long as an interactor is active.
  ///
  /// For an interactor that is not active it shows nothing, and that is reported.
  ///
  /// - Parameters:
  ///   - interactor: the owner of the waiting task. It is not kept alive.
  ///   - framesPerSecond: the maximum number of values shown in a second, from 1 to 1,000,000,000. Numbers outside that
  ///     range count as the nearest in it.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - show: shows a value, on the tree. It is released when the interactor has resigned. It may present another value.
  public init(
    of interactor: Interactor, framesPerSecond: Int = 60, fileID: StaticString = #fileID, line: UInt = #line,
    show: @escaping (_ value: Value) -> Void
  ) {
    let second: Int64 = 1_000_000_000
    let rate = min(Int64(max(1, framesPerSecond)), second)
    // Rounded up, so that no second has a frame too many.
    frame = .nanoseconds((second + rate - 1) / rate)
    self.fileID = fileID
    self.line = line
    self.interactor = interactor
    state = .idle(show: show)
    disposeOnDeactivate(interactor: interactor)
  }

  /// Whether nothing is shown any more.
  public var hasEnded: Bool { if case .disposed = state { true } else { false } }

  /// Shows a value, unless a newer one replaces it before.
  ///
  /// - Complexity: O(1).
  public func present(_ value: Value) {
    if case .disposed = state { return }
    newest.set(value)
    guard case .idle = state else { return }
    if value == shown.value { return newest.set(nil) }
    // While the interactor resigns or its tree ends, no task can be started. `dispose()` shows the newest value then.
    guard let interactor, interactor.acceptsTasks else { return }
    guard let tree = interactor.tree else {
      return showNewest(at: .zero)
    }
    guard !tree.hasEnded else { return }
    beginWaiting()
    let (now, clock) = (tree.now, tree.configuration.clock)
    let task = interactor.startTask(fileID: fileID, line: line) {
      while self.newest.value != nil {
        if let shownAt = self.shownAt, case let rest = shownAt + self.frame - now(), rest > .zero {
          do {
            try await clock.sleep(for: rest)
          } catch {
            // Before the value is shown: what `show` presents starts another task.
            self.endWaiting()
            self.showNewest(at: now())
            throw error
          }
        }
        self.showNewest(at: now())
      }
      self.endWaiting()
    }
    if task == nil { endWaiting() }
  }

  /// Shows the value that has not been shown yet, and nothing afterwards.
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
