/// A line on a terminal that says how far a replay is.
struct ProgressLine {
  private static let interval = Duration.milliseconds(100)

  private let isShown: Bool
  private let write: (String) -> Void
  private var lastShown: ContinuousClock.Instant?
  private var isOnScreen = false

  init(isShown: Bool, write: @escaping (String) -> Void) {
    self.isShown = isShown
    self.write = write
  }

  /// Shows how far it is, unless that was shown just now.
  mutating func show(_ summary: ReplaySummary) {
    guard isShown else { return }
    let now = ContinuousClock.now
    if let lastShown, now - lastShown < ProgressLine.interval { return }
    lastShown = now
    isOnScreen = true
    write("\r\u{1B}[K\(summary.orders) orders, \(summary.rejectedRows) rows rejected")
  }

  /// Makes room for something else.
  mutating func clear() {
    guard isOnScreen else { return }
    isOnScreen = false
    write("\r\u{1B}[K")
  }
}
