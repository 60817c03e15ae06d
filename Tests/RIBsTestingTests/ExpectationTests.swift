// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("A transcript")
struct ExpectationTests {
  private let test = TestTree()

  @Test("records all events of a tree as lines by default")
  func everything() {
    let (root, child) = (Scripted.RootRouter(), Scripted.ChildRouter())
    child.expectsReattachment = true
    child.interactor.onActive = { interactor in
      interactor.task {}
      interactor.run("quote", overlap: .cancelPrevious, { throw Refusal() }, then: {})
    }
    test.launch(root)
    test.advance(by: .seconds(1))
    root.attachChild(child)
    test.advance(by: .seconds(1.5))
    root.detachChild(child)
    test.expect(
      """
      Root attached
      Root active
      Root loaded

      1.0 seconds later
      Root/Child attached
      Root/Child active
      Root/Child task in ExpectationTests.swift started
      Root/Child task quote started
      Root/Child loaded
      Root/Child task in ExpectationTests.swift ended
      Root/Child task quote failed: refused

      1.5 seconds later
      Root/Child resigned
      Root/Child detached
      """)
    test.finish(expecting: "Root resigned", "tree ended")
  }

  @Test("can be expected as one text or line by line, or to be empty")
  func forms() {
    let root = test.launch(Scripted.RootRouter())
    test.expect("Root attached", "Root active\nRoot loaded")
    root.interactor.deactivate()
    #expect(failures { test.expect() }.count == 1)
    test.expect()
    root.interactor.activate()
    #expect(failures { test.finish(expecting: "") }.count == 2)
  }

  @Test("can be expected if an error has several lines")
  func severalLines() {
    let test = TestTree(recording: .tasks)
    test.launch(Scripted.RootRouter()).interactor.task("load", overlap: .concurrent) {
      throw Refusal(description: "refused:\n\n  why \n")
    }
    test.settle()
    test.expect("Root task load started", "Root task load failed: refused:\n  why")
    _ = failures { test.finish() }
  }

  @Test("is compared as a whole, and the difference is shown line by line")
  func difference() {
    test.launch(Scripted.RootRouter())
    expectFailure(
      """
      The tree did not behave as expected: "-" did not happen, "+" was not expected.
          Root attached
        - Root/Child attached
          Root active
        + Root loaded
      Correct what the tree does, or the expectation.
      """
    ) {
      test.expect("Root attached", "Root/Child attached", "Root active")
    }
    test.finish()
  }

  @Test("fails the test at its end if it was not expected, once")
  func unexpected() {
    test.launch(Scripted.RootRouter())
    expectFailure(
      """
      This happened and was not expected:
          Root attached
          Root active
          Root loaded
      Expect it with expect(_:), ignore it with skip(), or record less.
      """
    ) { test.finish() }
  }

  @Test("must be expected at the end of the tree, except resignations and ends of work")
  func atTheEnd() {
    let root = test.launch(Scripted.RootRouter())
    root.interactor.task { [clock = test.clock] in try await clock.sleep(for: .seconds(1)) }
    root.interactor.onResign = { _ in self.test.transcript.write("goodbye") }
    test.settle()
    test.skip()
    expectFailure(
      """
      The tree did not behave as expected: "-" did not happen, "+" was not expected.
        + goodbye
      Correct what the tree does, or the expectation.
      """
    ) { test.finish() }
  }

  @Test("includes misuse, which fails a test unless its line is expected")
  func misuse() {
    let (root, child) = (test.launch(Scripted.RootRouter()), Scripted.ChildRouter())
    test.skip()
    root.detachChild(child)
    test.expect("Root misuse: notAChild")
    root.detachChild(child)
    expectFailure(
      """
      The tree did not behave as expected: "-" did not happen, "+" was not expected.
        + Root misuse: notAChild
      RIBs: Root: Child can't be detached: it is not a child of this router. \
      Detach it from the router that attached it, once.
      Correct what the tree does, or the expectation.
      """
    ) { test.expect("") }
    test.finish()
  }

  @Test("includes misuse also when nothing else is compared")
  func skippedMisuse() {
    let (root, child) = (test.launch(Scripted.RootRouter()), Scripted.ChildRouter())
    root.detachChild(child)
    test.skip()
    expectFailure(
      """
      Misuse: Root: Child can't be detached: it is not a child of this router.
      Detach it from the router that attached it, once. \
      If it is intended, take it with takeMisuses() or expect its line.
      """
    ) { test.finish() }
  }

  @Test("returns misuse as values, which then do not fail the test")
  func takenMisuse() {
    let (root, child) = (test.launch(Scripted.RootRouter()), Scripted.ChildRouter())
    test.skip()
    root.detachChild(child)
    #expect(test.takeMisuses().map(\.kind) == [.notAChild])
    test.finish()
  }

  @Test("is not needed for misuse outside a tree, which is returned as values")
  func misuseOutside() {
    let (router, child) = (Scripted.RootRouter(), Scripted.ChildRouter())
    let refused = recordMisuses {
      router.detachChild(child)
      child.interactor.task {}
    }
    #expect(refused.map(\.kind) == [.notAChild, .taskWhileInactive])
    #expect(refused.first?.path.description == "Root")
    #expect(recordMisuses { router.attachChild(child) }.isEmpty)
  }

  @Test("includes the values of streams and custom lines, with their times")
  func values() {
    let relay = BehaviorRelay(value: "first")
    test.transcript.record(relay, as: "name")
    test.advance(by: .seconds(1))
    relay.accept("second")
    test.transcript.write("The rider waits.")
    test.expect(
      """
      name: "first"
      1.0 seconds later
      name: "second"
      The rider waits.
      """)
    test.finish()
  }

  @Test("records a tree that the test can inspect and end")
  func tree() {
    #expect(test.tree == nil)
    test.launch(Scripted.RootRouter())
    test.skip()
    #expect(test.tree?.snapshot().nodes.map(\.name) == ["Root"])
    test.tree?.end()
    test.expect("Root resigned\ntree ended")
    test.finish()
    #expect(test.tree == nil)
  }

  @Test("is accompanied by an outline of the tree")
  func outline() {
    let (root, child, leaf) = (Scripted.RootRouter(), Scripted.ChildRouter(), Scripted.LeafRouter())
    leaf.expectsReattachment = true
    child.attachChild(leaf)
    root.attachChild(child)
    root.attachChild(Scripted.LeafRouter())
    test.launch(root)
    test.skip()
    test.expectTree(
      """
      Root
        Child
          Leaf
        Leaf
      """)
    child.detachChild(leaf)
    test.skip()
    expectFailure(
      """
      The tree is not as expected: "-" is missing, "+" was not expected.
          Root
            Child
        -     Leaf
            Leaf
      Check what attaches and detaches these RIBs, or correct the expectation.
      """
    ) { test.expectTree("Root\n  Child\n    Leaf\n  Leaf") }
    test.finish()
  }
}
