// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import TaxiOrder
internal import TaxiSimulation

extension SeriesSummary {
  /// A figure of the summary: its name, its value, and whether it is a string in JSON.
  private typealias Figure = (name: String, value: String, isText: Bool)

  private var figures: [Figure] {
    [
      ("orders", "\(orders)", false),
      ("completed", "\(completed)", false),
      ("cancelled", "\(cancelled)", false),
      ("failed", "\(failed)", false),
      ("rejectedRows", "\(rejectedRows)", false),
      ("totalCharged", FixedPoint.text(totalCharged, decimals: 2), true),
      ("requests", "\(requests)", false),
      ("requestsFromInactive", "\(requestsFromInactive)", false),
      ("leaked", "\(leaked)", false),
      ("peakLiveRIBs", "\(peakLiveRIBs)", false),
      ("wallSeconds", FixedPoint.text(Int128(wall.milliseconds), decimals: 3), false),
      ("ordersPerSecond", FixedPoint.text(Int128(ordersPerSecond * 10), decimals: 1), false),
    ]
  }

  private var ordersPerSecond: Double {
    let seconds = wall / .seconds(1)
    return seconds > 0 ? Double(orders - earlierOrders) / seconds : 0
  }

  /// One figure per line, with right-aligned values.
  var text: String {
    let figures = figures
    let nameWidth = figures.map(\.name.count).max() ?? 0
    let valueWidth = figures.map(\.value.count).max() ?? 0
    return figures.map { figure in
      let gap = nameWidth - figure.name.count + 2 + valueWidth - figure.value.count
      return figure.name + String(repeating: " ", count: gap) + figure.value + "\n"
    }.joined()
  }

  /// A JSON object on one line.
  var json: String {
    let members = figures.map { figure in
      "\"\(figure.name)\":" + (figure.isText ? "\"\(figure.value)\"" : figure.value)
    }
    return "{\(members.joined(separator: ","))}\n"
  }
}
