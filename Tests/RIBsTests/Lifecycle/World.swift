// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// A tree and some nodes beside it, to which actions can be done, and which reports what user code was called.
protocol World: AnyObject {
  var script: Script { get }
  func launch(on stage: isolated any Actor)
  func perform(_ action: Action)
  /// What can be seen from outside: of each node its children, whether it is active, and whether it is in the tree.
  var picture: [Picture] { get }
  /// The number of nodes, to which containers and preparations add.
  var count: Int { get }
  /// How far each piece of asynchronous work is.
  var work: [WorkPhase] { get }
}

/// What can be seen of a node.
struct Picture: Equatable, CustomStringConvertible {
  var isActive: Bool
  var children: [Int]
  var route: Int?
  var routes: [Int] = []
  var top: Int?
  var rows: [Int] = []
  var rowChildren: [Int] = []
  var isWorkerStarted = false
  var isWorkerRunning = false

  var description: String { "\(isActive ? "+" : "-")\(children)" }
}

/// Keeps the transcript of a world, and decides what user code does at each moment.
final class Script {
  private(set) var lines: [Line] = []
  /// Called with the number of the line and the world's depth of nested actions; may return an action.
  var reaction: (Int, Line) -> Action? = { _, _ in nil }
  var isRecording = false

  /// User code is called: writes it down, and does what it is meant to do then.
  func record(_ line: Line, to world: some World) {
    guard isRecording else { return }
    let number = lines.count
    lines.append(line)
    guard line.moment != .misuse, let action = reaction(number, line) else { return }
    world.perform(action)
  }
}
