// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// A moment at which the runtime calls user code.
enum Moment: UInt8, CaseIterable {
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
enum Action: CustomStringConvertible {
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

  var description: String {
    switch self {
    case .attach(let child, let parent): ".attach(\(child), to: \(parent))"
    case .detach(let child, let parent): ".detach(\(child), from: \(parent))"
    case .activate(let node): ".activate(\(node))"
    case .deactivate(let node): ".deactivate(\(node))"
    case .load(let node): ".load(\(node))"
    case .fail(let node): ".fail(\(node))"
    case .end: ".end"
    case .route(let route, let node): ".route(\(route.map { "\($0)" } ?? "nil"), in: \(node))"
    case .push(let route, let node): ".push(\(route), on: \(node))"
    case .pop(let node): ".pop(\(node))"
    case .bringToFront(let route, let node): ".bringToFront(\(route), on: \(node))"
    case .clear(let node): ".clear(\(node))"
    case .update(let rows, let node): ".update(\(rows.map { "\($0.id)\($0.text)" }), in: \(node))"
    case .startWorker(let worker, let node): ".startWorker(\(worker), on: \(node))"
    case .stopWorker(let worker): ".stopWorker(\(worker))"
    case .prepare(let node): ".prepare(in: \(node))"
    case .workflow(let first, let second): ".workflow(\(first), \(second))"
    case .dispose(let number): ".dispose(\(number))"
    case .finish(let number): ".finish(\(number))"
    }
  }

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
