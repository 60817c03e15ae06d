// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import RIBsInspector
internal import TaxiOrder
internal import TaxiSimulation

/// Writes an order as text for people.
final class TextOrderWriter: OrderWriter {
  private let showsTree: Bool
  private let style: TextStyle
  private let write: (String) -> Void
  /// The time on the last line. A line shows its time only if it differs.
  private var lastTime = ""
  private var endsWithBlankLine = true

  /// - Parameters:
  ///   - showsTree: whether the tree is drawn at each stage.
  ///   - style: the colors.
  ///   - write: receives the lines, each ending in a newline.
  init(showsTree: Bool, style: TextStyle, write: @escaping (String) -> Void) {
    self.showsTree = showsTree
    self.style = style
    self.write = write
  }

  func show(_ event: WatchedOrder.Event, of order: WatchedOrder) {
    switch event {
    case .narration(.heading(let text)):
      blankLine()
      lastTime = ""
      line(style.heading("● \(text)"), at: order.time)
    case .narration(.line(let text)): line("  › \(text.printable)", at: order.time)
    case .narration(.stage): if showsTree, let tree = order.snapshot { draw(tree) }
    case .activated(let path): line(path.indentation + style.added("+ \(path.name)"), at: order.time)
    case .resigned(let path): line(path.indentation + style.removed("- \(path.name)"), at: order.time)
    case .failed(let path, let reason):
      line(path.indentation + style.removed("✗ \(path.name) failed: \(reason.printable)"), at: order.time)
    case .restarted(let path, let count):
      line(path.indentation + style.added("↻ \(path.name) restarted, \(count)"), at: order.time)
    }
  }

  func show(_ report: OrderReport) {
    let requests = "\(report.requests) requests, \(report.requestsFromInactive) of them from inactive RIBs"
    switch report.outcome {
    case .completed(let charged): write("\nCompleted: \(charged) charged, \(requests).\n")
    case .failed(let reason): write("\nFailed: \(reason.printable); \(requests).\n")
    case .cancelled: write("\nCancelled: \(requests).\n")
    }
  }

  private func draw(_ tree: TreeSnapshot) {
    blankLine()
    for line in tree.text().split(separator: "\n") { write("        \(style.faint(String(line)))\n") }
    endsWithBlankLine = false
    blankLine()
  }

  private func line(_ text: String, at time: Duration) {
    let time = time.clockText
    let shown = time == lastTime ? "" : time
    lastTime = time
    write(String(repeating: " ", count: max(0, 6 - shown.count)) + style.faint(shown) + "  " + text + "\n")
    endsWithBlankLine = false
  }

  private func blankLine() {
    if !endsWithBlankLine { write("\n") }
    endsWithBlankLine = true
  }
}

extension TreePath {
  fileprivate var indentation: String { String(repeating: "  ", count: max(0, components.count - 1)) }
  fileprivate var name: String { components.last ?? "" }
}
