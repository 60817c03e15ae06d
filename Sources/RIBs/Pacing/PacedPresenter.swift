/// Shows the newest value at most once in a frame, however often it changes.
///
/// It is what stands between an interactor, whose state may change thousands of times a second, and a terminal, a client
/// or a person, who can't follow that. It belongs to an activation of the interactor:
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
/// - A value is shown when the tree has its next turn and a frame has passed since the last one was shown, on the tree's
///   clock. What is presented meanwhile takes its place.
/// - A value equal to the one that is shown is not shown again.
/// - The last value is always shown: when the interactor resigns, before that is over, if not sooner. Nothing is shown
///   afterwards.
///
/// Outside a tree, where there is no turn to wait for, a value is shown at once.
public final class PacedPresenter<Value: Equatable>: Presentable, Disposable {
  private let frame: Duration
  private let origin: TaskOrigin
  private weak var interactor: Interactor?
  private var show: ((Value) -> Void)?
  /// What has yet to be shown.
  private var newest: Value?
  private var shown: Value?
  /// When a value was shown last.
  private var shownAt: Duration?
  private var isWaiting = false

  /// Makes a presenter that has shown nothing, for as long as an interactor is active.
  ///
  /// For an interactor that is not active it shows nothing, and that is reported.
  ///
  /// - Parameters:
  ///   - interactor: whose work the waiting is. It is not kept alive.
  ///   - framesPerSecond: how often a value is shown at most; at least once.
  ///   - fileID: leave out; says where the presenter was made, with `line`.
  ///   - line: leave out.
  ///   - show: shows a value, on the tree; released when the interactor has resigned. It may present another.
  public init(
    of interactor: Interactor, framesPerSecond: Int = 60, fileID: StaticString = #fileID, line: UInt = #line,
    show: @escaping (_ value: Value) -> Void
  ) {
    let rate = Int64(max(1, framesPerSecond))
    // Rounded up, so that no second has a frame too many.
    frame = .nanoseconds((1_000_000_000 + rate - 1) / rate)
    origin = TaskOrigin(fileID: fileID, line: line)
    self.interactor = interactor
    self.show = show
    disposeOnDeactivate(interactor: interactor)
  }

  /// Shows a value, unless a newer one takes its place first.
  ///
  /// - Complexity: O(1).
  public func present(_ value: Value) {
    guard show != nil else { return }
    newest = value
    guard !isWaiting else { return }
    if value == shown {
      newest = nil
      return
    }
    // A resigning interactor can't wait, nor one whose tree is ending: what is newest then is shown by `dispose()`.
    guard let interactor, interactor.acceptsTasks else { return }
    guard let tree = interactor.node?._withUnsafeGuaranteedRef({ $0.tree })?.takeUnretainedValue() else {
      return showNewest(at: .zero)
    }
    guard !tree.hasEnded else { return }
    isWaiting = true
    let (now, clock) = (tree.now, tree.configuration.clock)
    let task = TreeTask(origin: origin) {
      while self.newest != nil {
        if let shownAt = self.shownAt, case let rest = shownAt + self.frame - now(), rest > .zero {
          try await clock.sleep(for: rest)
        }
        self.showNewest(at: now())
      }
      self.isWaiting = false
    }
    if interactor.start(task) != .started { isWaiting = false }
  }

  /// Shows what has yet to be shown, and nothing afterwards.
  public func dispose() {
    showNewest(at: .zero)
    let show = show
    self.show = nil
    newest = nil
    withExtendedLifetime(show) {}
  }

  private func showNewest(at time: Duration) {
    guard let show, let value = newest else { return }
    newest = nil
    guard value != shown else { return }
    shown = value
    shownAt = time
    show(value)
  }
}
