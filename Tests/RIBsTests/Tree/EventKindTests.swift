// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsLists
import RIBsStore
import RIBsTesting
import Testing

@Suite("The kinds of events that a handler asks for") @MainActor
struct EventKindTests {
  nonisolated static let kinds: [[TreeEvent.Kind]] = [
    [.attached], [.activated], [.loaded], [.resigned], [.detached], [.childrenUpdated], [.taskStarted], [.taskEnded],
    [.taskFailed], [.workerStarted], [.workerStopped], [.workflowStepEnded], [.workflowStepFailed], [.failed],
    [.restarted], [.restartsExhausted], [.misuse], [.leaked], [.ended], [.restored], [.activated, .resigned], [],
  ]

  @Test("are those that it is called with, of all that happens", arguments: kinds)
  func each(_ kinds: [TreeEvent.Kind]) async {
    let all = await lines(nil)
    let asked = await lines(Set(kinds))
    #expect(asked.isEmpty == kinds.isEmpty, "Nothing of this kind happens, which proves nothing.")
    #expect(asked == all.filter { line in kinds.contains { line.hasPrefix("\($0) ") } })
  }

  @Test("are those of each handler, where several are added")
  func severalHandlers() {
    let journal = Journal()
    func handler(_ name: String) -> @Sendable (TreeEvent) -> Void { { journal.write("\(name) \($0.kind)") } }
    func lines(_ configuration: TreeConfiguration) -> [String] {
      let before = journal.lines.count
      let tree = Tree.launched(Scripted.RootRouter(), configuration)
      tree.end()
      return Array(journal.lines.dropFirst(before))
    }
    var configuration = TreeConfiguration(leakDetection: .off)
    configuration.addEventHandler(of: [.activated], handler("first"))
    #expect(configuration.eventKinds == [.activated])
    #expect(lines(configuration) == ["first activated"])
    configuration.addEventHandler(of: [.activated, .ended], handler("second"))
    #expect(configuration.eventKinds == [.activated, .ended])
    #expect(lines(configuration) == ["second activated", "first activated", "second ended"])
    configuration.addEventHandler(handler("third"))
    #expect(configuration.eventKinds == nil)
    let all = lines(configuration)
    #expect(all.filter { $0.hasPrefix("first") } == ["first activated"])
    #expect(all.filter { $0.hasPrefix("second") } == ["second activated", "second ended"])
    #expect(all.filter { $0.hasPrefix("third") }.count == 5)
    // A handler of all kinds stays one, whatever is added.
    configuration.addEventHandler(of: [.ended], handler("fourth"))
    #expect(configuration.eventKinds == nil)
    let last = lines(configuration)
    #expect(last.filter { $0.hasPrefix("third") }.count == 5)
    #expect(last.filter { $0.hasPrefix("fourth") } == ["fourth ended"])
  }

  @Test("say nothing about those who subscribe")
  func subscribers() {
    let root = Scripted.RootRouter()
    let journal = Journal()
    let tree = Tree(
      root: root, configuration: TreeConfiguration(eventKinds: [.loaded], onEvent: { journal.write("\($0.kind)") }))
    let events = StreamRecorder(tree.events.map(\.kind.description))
    tree.launch()
    tree.end()
    events.expect("attached", "activated", "loaded", "resigned", "ended")
    #expect(journal.lines == ["loaded"])
  }

  @Test("are the only ones that are made, and without a handler none are", arguments: [false, true])
  func others(hasHandler: Bool) {
    // A clock is asked for the time of each event; apart from that, for that of each activation and of the launch.
    let clock = AskedClock()
    let (root, child) = (Scripted.RootRouter(), Scripted.ChildRouter())
    var configuration = TreeConfiguration(clock: clock, leakDetection: .off)
    if hasHandler { configuration.addEventHandler(of: [.misuse]) { Issue.record("\($0)") } }
    let tree = Tree.launched(root, configuration)
    root.attachAndDetach(child)
    tree.end()
    #expect(clock.asked == 3)
  }

  /// The events that a handler for some kinds receives from a tree with events of every kind, in alphabetical order.
  private func lines(_ kinds: Set<TreeEvent.Kind>?) async -> [String] {
    let journal = Journal()
    let clock = TestClock()
    let configuration = TreeConfiguration(
      clock: clock, leakDetection: .after(.seconds(5)), eventKinds: kinds,
      onEvent: { journal.write("\($0.kind) \($0.path) \($0.duration.map { "\($0)" } ?? "-")") }, onMisuse: { _ in },
      onLeak: { _ in journal.write("leak") })
    let (root, child) = (Scripted.RootRouter(), Scripted.ChildRouter())
    let list = ChildList<SupervisedModel>(of: root) { _, model in
      SupervisedRouter(model.id, .never, SupervisedWorld())
    }
    let tree = Tree.launched(root, configuration)
    root.attachChild(child)
    root.attachChild(child)
    ScriptedWorker().start(child.interactor)
    child.interactor.task { try await clock.sleep(for: .seconds(60)) }
    child.interactor.task { throw Failure() }
    try? list.update([SupervisedModel(id: "row")])
    let workflow = Workflow<Scripted.Interactor>()
    workflow.onStep { item in (item, 1) }
      .onStep { item, _ -> (Scripted.Interactor, Int) in throw Failure() }
      .commit()
    try? await workflow.run(root.interactor)
    root.detachChild(child)
    var restoring = configuration
    restoring.leakDetection = .off
    let restored = try? Tree(
      root: Scripted.RootRouter(), restoring: tree.save(), coder: JSONStateCoder(), configuration: restoring)
    restored?.launch()
    restored?.end()
    await tree.shutdown()
    await clock.advanceSleeper(by: .seconds(5))
    await journal.wait(for: "leak")
    withExtendedLifetime(child) {}
    await failTwice(configuration)
    return journal.lines.filter { $0 != "leak" }.sorted()
  }

  /// A RIB fails, is restarted, and fails again.
  private func failTwice(_ configuration: TreeConfiguration) async {
    let clock = TestClock()
    var configuration = configuration
    configuration.clock = clock
    // Only the pause sleeps.
    configuration.leakDetection = .off
    let root = SupervisedRouter("root", .upTo(1, within: .seconds(60)), SupervisedWorld())
    root.interactor.answer = { _ in }
    let tree = Tree.launched(root, configuration)
    root.slot.route = "a"
    root.child("a")?.interactor.fail(Failure())
    await clock.advanceSleeper(by: .seconds(1))
    while root.child("a") == nil { await Task.yield() }
    root.child("a")?.interactor.fail(Failure())
    await tree.shutdown()
  }
}
