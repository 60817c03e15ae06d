// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

extension TreeEvent {
  /// Everything an event says, in one line.
  fileprivate var text: String {
    let ids = "\(node?.description ?? "-")<\(parent?.description ?? "-")"
    let duration = duration.map { " lasted \($0 / .seconds(1))" } ?? ""
    return "\(time / .seconds(1)) \(kind) \(ids) \(path)\(duration)\(work == nil ? "" : " work")"
  }
}

@Suite("The events of a tree")
struct EventTests {
  private let test = TestTree(recording: [])

  @Test("report all that happens, with ids, parents, paths, durations, and times of the clock that was set last")
  @MainActor
  static func transcript() async {
    let clock = TestClock()
    let (root, child, leaf) = (Scripted.RootRouter(), Scripted.ChildRouter(), Scripted.LeafRouter())
    var configuration = TreeConfiguration(clock: AskedClock(), onMisuse: { _ in })
    configuration.clock = clock
    let tree = Tree(root: root, configuration: configuration)
    let events = StreamRecorder(tree.events.filter { $0.kind != .taskEnded }.map(\.text))
    child.attachChild(leaf)
    tree.launch()
    clock.advance(by: .seconds(1))
    root.attachChild(child)
    root.attachChild(child)
    child.interactor.task { try await clock.sleep(for: .seconds(60)) }
    clock.advance(by: .seconds(2))
    root.detachChild(child)
    clock.advance(by: .seconds(4))
    root.attachChild(child)
    #expect(!events.hasEnded)
    await tree.shutdown()
    #expect(events.hasEnded)
    events.expect(
      "0.0 attached #1<- Root", "0.0 activated #1<- Root", "0.0 loaded #1<- Root",
      "1.0 attached #2<#1 Root/Child", "1.0 activated #2<#1 Root/Child", "1.0 loaded #2<#1 Root/Child",
      "1.0 activated #3<#2 Root/Child/Leaf", "1.0 loaded #3<#2 Root/Child/Leaf",
      "1.0 misuse #1<- Root", "1.0 taskStarted #2<#1 Root/Child work",
      "3.0 resigned #3<#2 Root/Child/Leaf lasted 2.0", "3.0 resigned #2<#1 Root/Child lasted 2.0",
      "3.0 detached #2<#1 Root/Child lasted 2.0",
      "7.0 attached #4<#1 Root/Child", "7.0 activated #4<#1 Root/Child", "7.0 activated #5<#4 Root/Child/Leaf",
      "7.0 resigned #5<#4 Root/Child/Leaf lasted 0.0", "7.0 resigned #4<#1 Root/Child lasted 0.0",
      "7.0 resigned #1<- Root lasted 7.0", "7.0 ended -<- Root")
  }

  @Test("say where RIBs stand, also of many, and of those that stand elsewhere now")
  func paths() throws {
    let (root, child, leaf) = (test.launch(Scripted.RootRouter()), Scripted.ChildRouter(), Scripted.LeafRouter())
    let resigned = try #require(test.tree).events.filter { $0.kind == .resigned }.map(\.path.description)
    let first = StreamRecorder(resigned)
    let others = (0..<100).map { _ in Scripted.LeafRouter() }
    for other in others { root.attachChild(other) }
    child.attachChild(leaf)
    root.attachChild(child)
    for other in others { other.interactor.deactivate() }
    #expect(first.values == others.map { _ in "Root/Leaf" })
    first.stop()
    let paths = StreamRecorder(resigned)
    root.detachChild(child)
    paths.expect("Root/Child/Leaf", "Root/Child")
    let parent = Scripted.ChildRouter()
    for router: RouterNode in [parent, child, leaf] { router.expectsReattachment = true }
    root.attachChild(parent)
    parent.attachChild(child)
    child.detachChild(leaf)
    paths.expect("Root/Child/Child/Leaf")
    root.attachAndDetach(leaf)
    paths.expect("Root/Leaf")
    root.detachChild(parent)
    paths.expect("Root/Child/Child", "Root/Child")
    paths.stop()
    test.finish()
  }

  @Test("say where a RIB stands also when it is made active by hand after it was moved with its parent")
  func pathsByHand() throws {
    let (root, parent, child) = (test.launch(Scripted.RootRouter()), Scripted.ChildRouter(), Scripted.LeafRouter())
    let paths = StreamRecorder(try #require(test.tree).events.filter { $0.kind == .activated }.map(\.path.description))
    for router: RouterNode in [parent, child] { router.expectsReattachment = true }
    parent.attachChild(child)
    root.attachAndDetach(parent)
    paths.expect("Root/Child", "Root/Child/Leaf")
    let other = Scripted.ChildRouter()
    root.attachChild(other)
    parent.interactor.onActive = { _ in child.interactor.activate() }
    other.attachChild(parent)
    paths.expect("Root/Child", "Root/Child/Child", "Root/Child/Child/Leaf")
    paths.stop()
    test.finish()
  }

  @Test("read as one line each, whatever was thrown")
  func lines() throws {
    struct Torn: Error, CustomStringConvertible { let description = "torn\nin \u{2028}two" }
    let (root, child) = (test.launch(Scripted.RootRouter()), Scripted.ChildRouter())
    let events = StreamRecorder(try #require(test.tree).events.map { "\($0)" })
    root.attachChild(child)
    let line = #line + 1
    child.interactor.task("upload", overlap: .enqueue) {
      try await test.clock.sleep(for: .milliseconds(61_005))
      throw Torn()
    }
    child.interactor.task { try await test.clock.sleep(for: .seconds(3)) }
    test.advance(by: .milliseconds(61_005))
    root.detachChild(Scripted.ChildRouter())
    test.tree?.end()
    events.expect(
      "0.000 Root/Child attached", "0.000 Root/Child activated", "0.000 Root/Child loaded",
      "0.000 Root/Child taskStarted upload (EventTests.swift:\(line))",
      "0.000 Root/Child taskStarted EventTests.swift:\(line + 4)",
      "3.000 Root/Child taskEnded EventTests.swift:\(line + 4) after 3.000s",
      "61.005 Root/Child taskFailed upload (EventTests.swift:\(line)) after 61.005s: torn\\nin \\u{2028}two",
      "61.005 Root misuse notAChild: Child can't be detached: it is not a child of this router.",
      "61.005 Root/Child resigned after 61.005s", "61.005 Root resigned after 61.005s", "61.005 Root ended")
    #expect(test.takeMisuses().map(\.kind) == [.notAChild])
    test.finish()
  }
}
