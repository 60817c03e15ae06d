import RIBs
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
@MainActor
struct EventTests {
  @Test("tell all that happens, with ids, parents, paths, times and durations")
  func transcript() async {
    let clock = ManualClock()
    let (root, child, leaf) = (Scripted.RootRouter(), Scripted.ChildRouter(), Scripted.LeafRouter())
    let tree = Tree(root: root, configuration: TreeConfiguration(clock: clock, onMisuse: { _ in }))
    var lines: [String] = []
    let subscription = tree.events.subscribe(
      onNext: { lines.append($0.text) }, onCompleted: { lines.append("completed") })
    child.attachChild(leaf)
    tree.launch()
    clock.advance(by: .seconds(1))
    root.attachChild(child)
    root.attachChild(child)
    let gate = Gate()
    child.interactor.task { await gate.pass() }
    clock.advance(by: .seconds(2))
    root.detachChild(child)
    await Task.yield()
    clock.advance(by: .seconds(4))
    root.attachChild(child)
    await tree.shutdown()
    lines.removeAll { $0.contains("taskEnded") }
    #expect(
      lines == [
        "0.0 attached #1<- Root", "0.0 activated #1<- Root", "0.0 loaded #1<- Root",
        "1.0 attached #2<#1 Root/Child", "1.0 activated #2<#1 Root/Child", "1.0 loaded #2<#1 Root/Child",
        "1.0 activated #3<#2 Root/Child/Leaf", "1.0 loaded #3<#2 Root/Child/Leaf",
        "1.0 misuse #1<- Root", "1.0 taskStarted #2<#1 Root/Child work",
        "3.0 resigned #3<#2 Root/Child/Leaf lasted 2.0", "3.0 resigned #2<#1 Root/Child lasted 2.0",
        "3.0 detached #2<#1 Root/Child lasted 2.0",
        "7.0 attached #4<#1 Root/Child", "7.0 activated #4<#1 Root/Child", "7.0 activated #5<#4 Root/Child/Leaf",
        "7.0 resigned #5<#4 Root/Child/Leaf lasted 0.0", "7.0 resigned #4<#1 Root/Child lasted 0.0",
        "7.0 resigned #1<- Root lasted 7.0", "7.0 ended -<- Root", "completed",
      ])
    subscription.dispose()
  }

  @Test("tell how long work lasted, and where it was started")
  func work() async {
    let clock = ManualClock()
    let journal = Journal()
    let root = Scripted.RootRouter()
    let tree = Tree(
      root: root,
      configuration: TreeConfiguration(
        clock: clock,
        onEvent: { event in
          guard let work = event.work else { return }
          journal.write("\(event.kind) \(work) \(event.duration.map { "\($0 / .seconds(1))" } ?? "-")")
        }))
    tree.launch()
    let line: UInt = #line + 1
    root.interactor.task { clock.advance(by: .seconds(3)) }
    await journal.wait(for: "taskEnded EventTests.swift:\(line) 3.0")
    #expect(journal.lines.first == "taskStarted EventTests.swift:\(line) -")
    await tree.shutdown()
  }

  @Test("are not made when nobody asks for them")
  func unobserved() {
    // A clock is asked for the time of each event; unobserved, only for that of each activation and of the launch.
    let clock = AskedClock()
    let (root, child) = (Scripted.RootRouter(), Scripted.ChildRouter())
    let tree = Tree(root: root, configuration: TreeConfiguration(clock: clock, leakDetection: .off))
    tree.launch()
    root.attachChild(child)
    root.detachChild(child)
    tree.end()
    #expect(clock.asked == 3)
  }

  @Test("read as one line each, whatever was thrown")
  @MainActor
  func lines() async {
    struct Torn: Error, CustomStringConvertible { let description = "torn\nin \u{2028}two" }
    let (clock, journal) = (ManualClock(), Journal())
    let root = Scripted.RootRouter()
    let tree = Tree(
      root: root,
      configuration: TreeConfiguration(
        clock: clock, leakDetection: .off, onEvent: { [journal] in journal.write("\($0)") }, onMisuse: { _ in }))
    tree.launch()
    let line = #line + 1
    root.interactor.task("upload", overlap: .enqueue) { throw Torn() }
    clock.advance(by: .milliseconds(61_005))
    await journal.wait(
      for: "61.005 Root taskFailed upload (EventTests.swift:\(line)) after 61.005s: torn\\nin \\u{2028}two")
    root.detachChild(Scripted.ChildRouter())
    tree.end()
    #expect(
      journal.lines == [
        "0.000 Root attached", "0.000 Root activated", "0.000 Root loaded",
        "0.000 Root taskStarted upload (EventTests.swift:\(line))",
        "61.005 Root taskFailed upload (EventTests.swift:\(line)) after 61.005s: torn\\nin \\u{2028}two",
        "61.005 Root misuse notAChild: Child can't be detached: it is not a child of this router.",
        "61.005 Root resigned after 61.005s", "61.005 Root ended",
      ])
  }
}
