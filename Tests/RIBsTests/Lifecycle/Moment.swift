// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// A moment at which the runtime calls user code. That of an event has the name of its kind.
enum Moment: String {
  case attached, activated, streamTrue, didBecomeActive, loaded, lifecycle, didLoad
  case willResignActive, disposed, streamFalse, resigned, detached, failed
  /// A child was built by a container, or prepared; a row has another model; a step of a workflow ends.
  case built, updated, stepped
  case workerStarted, workerStopped
  /// The event of a misuse, and the end of the tree: they concern no node.
  case misuseEvent, ended
  /// The call of the misuse handler, in which nothing is done.
  case misuse
}

/// One line of a transcript.
struct Line: Equatable, CustomStringConvertible {
  var moment: Moment
  /// The node it happened to, or none.
  var node = -1
  var misuse: Misuse.Kind?

  var description: String {
    misuse.map { "\(moment) \($0)" } ?? (node < 0 ? "\(moment)" : "\(node) \(moment)")
  }
}

/// Something that user code does to the tree.
enum Action {
  case attach(Int, to: Int)
  case detach(Int, from: Int)
  case activate(Int)
  case deactivate(Int)
  case load(Int)
  case fail(Int)
  case end
  // Containers.
  case route(Int?, in: Int)
  case push(Int, on: Int)
  case pop(Int)
  case bringToFront(Int, on: Int)
  case clear(Int)
  case update([Row], in: Int)
  // Workers, by the number of their node, and asynchronous work, by its number.
  case startWorker(Int, on: Int)
  case stopWorker(Int)
  case prepare(in: Int)
  case workflow(Int, Int)
  case dispose(Int)
  case finish(Int)

  /// The actions on links, failures and the end, on nodes numbered from zero.
  static func all(nodes count: Int) -> [Action] {
    var actions: [Action] = [.end]
    for node in 0..<count {
      actions += [.deactivate(node), .fail(node)]
      for other in 0..<count { actions += [.attach(node, to: other), .detach(node, from: other)] }
    }
    return actions
  }
}
