// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import RIBsInspector
internal import TaxiOrder
internal import TaxiSimulation

/// Renders a fleet as lines of a screen: the totals, each taxi, and as much of the tree as fits.
struct FleetScreen {
  let style: TextStyle

  /// - Returns: lines that fit the screen.
  func lines(_ viewModel: FleetViewModel, tree: TreeSnapshot?, size: ScreenSize) -> [String] {
    var lines = [style.heading(cut("\(viewModel.time.clockText)  \(viewModel.summary)", to: size.columns)), ""]
    for (taxi, order) in viewModel.taxis.enumerated() {
      lines.append(cut(line(of: order, taxi, at: viewModel.time), to: size.columns))
    }
    lines.append("")
    let branches = tree?.text().split(separator: "\n").map(String.init) ?? []
    lines += branches.map { style.faint(cut($0, to: size.columns)) }
    guard lines.count > size.rows else { return lines }
    let hidden = lines.count - size.rows + 1
    lines.removeLast(hidden)
    return lines + [style.faint(cut("⋯ \(hidden) more lines", to: size.columns))]
  }

  private func line(of order: FleetViewModel.Order?, _ taxi: Int, at time: Duration) -> String {
    let name = "taxi \(taxi + 1)".padded(to: 8)
    guard let order else { return name + "free" }
    let stage = (order.stage?.title ?? "").padded(to: 12)
    let number = "order \(order.number)".padded(to: 12)
    return "\(name)\(number)\(stage)\((time - order.since).clockText.padded(to: 8))\(order.route)  \(order.line)"
  }

  private func cut(_ text: String, to width: Int) -> String {
    text.count <= width ? text : width < 1 ? "" : text.prefix(width - 1) + "…"
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
