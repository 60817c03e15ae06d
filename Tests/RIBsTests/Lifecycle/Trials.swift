// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// Every trial in which user code does one thing, once, in a tree of one shape: at each line of the transcript of a
/// launch, a detachment, an attachment and the end, each action on the tree's nodes and one free node.
///
/// Of the largest trees every one is tried with every moment and every action, but not each with each: a share of the
/// combinations that differs from tree to tree. `RIBS_THOROUGH` in the environment tries more of them, or all.
struct Trials: Sequence {
  /// What is done from outside, with the length of the transcript when user code does nothing.
  private let courses: [(trial: Trial, lineCount: Int)]
  private let actions: [Action]
  private let stride: Int

  init(_ shape: Shape, on stage: isolated Stage) {
    let count = shape.count + 1
    let moves: [[Action]] = shape.parents.enumerated().map { index, parent in
      [.detach(index + 1, from: parent), .attach(index + 1, to: parent)]
    }
    let courses = [false, true].flatMap { isObserved in
      (moves.isEmpty ? [[.attach(1, to: 0)]] : moves).map { course in
        Trial(course: course, shape: shape, nodeCount: count, isObserved: isObserved)
      }
    }
    self.courses = courses.map { ($0, $0.model(on: stage).lines.count) }
    actions = Action.all(nodes: count)
    let strides = Thoroughness.count(
      little: [1, 1, 1, 7, 53, 419], usual: [1, 1, 1, 7, 53, 419], share: [1, 1, 1, 1, 1, 7], whole: [1])
    stride = strides[Swift.min(shape.count, strides.count - 1)]
  }

  func makeIterator() -> AnyIterator<Trial> {
    var trials = courses.lazy.flatMap { course in
      (0..<course.lineCount).lazy.flatMap { line in
        actions.lazy.map { action in
          var trial = course.trial
          trial.reaction = (line, action)
          return trial
        }
      }
    }.makeIterator()
    let stride = stride
    return AnyIterator {
      for _ in 1..<stride where trials.next() == nil { return nil }
      return trials.next()
    }
  }
}
