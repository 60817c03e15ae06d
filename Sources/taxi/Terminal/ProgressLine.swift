// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import TaxiSimulation

/// A line on a terminal that shows the progress of a series of orders.
struct ProgressLine {
  private static let interval = Duration.milliseconds(100)

  private let isShown: Bool
  private let total: Int?
  private let write: (String) -> Void
  private let start = ContinuousClock.now
  private var lastShown: ContinuousClock.Instant?
  private var isOnScreen = false

  /// - Parameters:
  ///   - isShown: whether there is a terminal to show it on.
  ///   - total: the number of orders, if known.
  ///   - write: writes to the terminal.
  init(isShown: Bool, total: Int? = nil, write: @escaping (String) -> Void) {
    self.isShown = isShown
    self.total = total
    self.write = write
  }

  /// Shows the progress, at most ten times a second.
  mutating func show(_ summary: SeriesSummary) {
    guard isShown else { return }
    let now = ContinuousClock.now
    if let lastShown, now - lastShown < ProgressLine.interval { return }
    lastShown = now
    isOnScreen = true
    write("\r\u{1B}[K" + text(summary, after: now - start))
  }

  /// Removes the line, so that something else can be written.
  mutating func clear() {
    guard isOnScreen else { return }
    isOnScreen = false
    write("\r\u{1B}[K")
  }

  private func text(_ summary: SeriesSummary, after time: Duration) -> String {
    var text = "\(summary.orders) orders"
    if let total { text = "\(summary.orders) of \(total) orders (\(summary.orders * 100 / total) %)" }
    if summary.rejectedRows > 0 { text += ", \(summary.rejectedRows) rows rejected" }
    let seconds = time.components.seconds
    if seconds > 0 { text += ", \((summary.orders - summary.earlierOrders) / Int(seconds)) a second" }
    return text
  }
}
