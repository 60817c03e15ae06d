// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RIBs
internal import TaxiOrder
internal import TaxiSimulation

/// Writes an order as JSON, one object per line.
final class JSONOrderWriter: OrderWriter {
  /// A line of output. Fields that do not apply are nil.
  private struct Line: Encodable {
    var time: Double?
    var kind: String
    var path: String?
    var text: String?
    var stage: String?
    var tree: TreeSnapshot?
    var charged: String?
    var reason: String?
    var restarts: Restarts.Count?
    var requests: Int?
    var requestsFromInactive: Int?
    var leaked: Int?
  }

  private let showsTree: Bool
  private let write: (String) -> Void
  private let encoder = JSONEncoder()

  /// - Parameters:
  ///   - showsTree: whether each stage includes its tree.
  ///   - write: receives the lines, each ending in a newline.
  init(showsTree: Bool, write: @escaping (String) -> Void) {
    self.showsTree = showsTree
    self.write = write
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  func show(_ event: WatchedOrder.Event, of order: WatchedOrder) {
    var line = Line(time: Double(order.time.milliseconds) / 1000, kind: "")
    switch event {
    case .narration(.heading(let text)): (line.kind, line.text) = ("heading", text)
    case .narration(.line(let text)): (line.kind, line.text) = ("line", text)
    case .narration(.stage(let stage)):
      (line.kind, line.stage) = ("stage", stage.rawValue)
      if showsTree { line.tree = order.snapshot }
    case .activated(let path): (line.kind, line.path) = ("activated", "\(path)")
    case .resigned(let path): (line.kind, line.path) = ("resigned", "\(path)")
    case .failed(let path, let reason): (line.kind, line.path, line.reason) = ("failure", "\(path)", reason)
    case .restarted(let path, let count): (line.kind, line.path, line.restarts) = ("restarted", "\(path)", count)
    }
    write(line)
  }

  func show(_ report: OrderReport) {
    var line = Line(kind: report.outcome.name)
    switch report.outcome {
    case .completed(let charged): line.charged = "\(charged)"
    case .failed(let reason): line.reason = reason
    case .cancelled: break
    }
    line.requests = report.requests
    line.requestsFromInactive = report.requestsFromInactive
    line.leaked = report.leaked
    write(line)
  }

  private func write(_ line: Line) {
    do {
      write(String(decoding: try encoder.encode(line), as: UTF8.self) + "\n")
    } catch {
      // Strings and finite numbers can always be encoded.
      assertionFailure("\(error)")
    }
  }
}
