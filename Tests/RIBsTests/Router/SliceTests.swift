// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("Children that are attached in slices", .folded)
struct SliceTests {
  private let test = TestTree(recording: [])
  private let root = ProbeRouter("root")

  /// Builds a child, which takes three milliseconds.
  private func build(_ number: Int) -> ProbeRouter {
    test.clock.advance(by: .milliseconds(3))
    return ProbeRouter("\(number)")
  }

  /// Other work of the tree that records the number of children whenever it runs.
  private func watch(until count: Int) {
    // Without a capture list, which would take a turn more.
    root.interactor.task {
      while root.children.count < count {
        test.transcript.write("\(root.children.count)")
        await Task.yield()
      }
    }
  }

  @Test(
    "are attached in order, while other work runs after each slice",
    arguments: [
      // Half a frame, unless told otherwise.
      (nil, ["0", "3", "6", "9"]), (8, ["0", "3", "6", "9"]), (3, (0..<10).map { "\($0)" }),
      (0, (0..<10).map { "\($0)" }), (100, ["0"]),
    ] as [(Int?, [String])])
  func slices(milliseconds: Int?, turns: [String]) {
    test.launch(root)
    watch(until: 10)
    let finished = { test.transcript.write("finished") }
    let admission =
      if let slice = milliseconds.map(Duration.milliseconds) {
        root.attachChildren(for: 0..<10, inSlicesOf: slice, build: build, finished: finished)
      } else {
        root.attachChildren(for: 0..<10, build: build, finished: finished)
      }
    #expect(admission.start == .started)
    #expect(root.children.isEmpty)
    test.settle()
    #expect(root.childNames == (0..<10).map { "\($0)" })
    test.expect((turns + ["finished"]).joined(separator: "\n"))
    test.finish()
  }

  @Test("may be none")
  func none() {
    test.launch(root)
    root.attachChildren(for: [Int](), build: build) { test.transcript.write("finished") }
    test.settle()
    test.expect("finished")
    test.finish()
  }

  @Test("stand among those that others attach in between")
  func others() {
    test.launch(root)
    root.interactor.task {
      for name in ["100", "101"] {
        root.attachChild(ProbeRouter(name))
        await Task.yield()
      }
    }
    root.attachChildren(for: 0..<5, build: build)
    test.settle()
    #expect(root.childNames == ["100", "0", "1", "2", "101", "3", "4"])
    test.finish()
  }

  @Test(
    "are not built any more when the interactor has resigned, also if it is active again", arguments: [false, true])
  func resigning(isActiveAgain: Bool) {
    let parent = Scripted.ChildRouter()
    test.launch(root)
    root.attachChild(parent)
    parent.attachChildren(for: 0..<10, inSlicesOf: .milliseconds(1)) { number in
      if number == 3 {
        root.detachChild(parent)
        if isActiveAgain { root.attachChild(parent) }
      }
      return build(number)
    } finished: {
      test.transcript.write("finished")
    }
    test.settle()
    // The one that was being built when the interactor resigned is discarded.
    #expect(parent.children.count == 3)
    test.expect()
    parent.expectsReattachment = true
    test.finish()
  }
}
