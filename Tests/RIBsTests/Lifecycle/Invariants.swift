// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// What holds of every transcript, whatever user code does.
enum Invariants {
  /// What a node has received.
  private struct State {
    var isActive = false
    var needsWillResign = false
    var isBound = false
    var hasLoaded = false
    var hasEmittedLifecycle = false
  }

  /// - Returns: what is wrong, or nil.
  static func check(_ lines: [Line], nodeCount: Int) -> String? {
    var states = Array(repeating: State(), count: nodeCount)
    for (number, line) in lines.enumerated() where line.node >= 0 {
      if let wrong = step(&states[line.node], line.moment) { return "line \(number), \(line): \(wrong)" }
    }
    for (node, state) in states.enumerated() where state.needsWillResign || state.isBound {
      return "\(node) was never called when it resigned, or what was bound to it is alive"
    }
    return nil
  }

  /// - Returns: what is wrong with the links, or nil.
  static func check(_ picture: [Picture]) -> String? {
    var parents: [Int: Int] = [:]
    for (node, seen) in picture.enumerated() {
      for child in seen.children {
        if parents.updateValue(node, forKey: child) != nil { return "\(child) has two parents in \(picture)" }
        if picture[child].isActive, !seen.isActive { return "\(child) is active and \(node) is not in \(picture)" }
      }
    }
    return nil
  }

  private static func step(_ state: inout State, _ moment: Moment) -> String? {
    switch moment {
    case .didBecomeActive:
      if state.needsWillResign || state.isBound { return "became active twice" }
      state.needsWillResign = true
      state.isBound = true
    case .willResignActive:
      if !state.needsWillResign { return "resigned, but never became active" }
      state.needsWillResign = false
    case .disposed:
      if state.needsWillResign || !state.isBound { return "disposed of before it resigned, or twice" }
      state.isBound = false
    case .lifecycle:
      if state.hasEmittedLifecycle || state.hasLoaded { return "called twice to load" }
      state.hasEmittedLifecycle = true
    case .didLoad:
      if state.hasLoaded { return "loaded twice" }
      state.hasLoaded = true
    default: break
    }
    return nil
  }
}
