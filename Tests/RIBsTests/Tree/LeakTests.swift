import Foundation
import RIBs
import Testing

/// Keeps what a test wants to leak.
private final class Keeper {
  var object: AnyObject?
}

@Suite("What stays alive of a RIB that has left its tree") @MainActor
struct LeakTests {
  private let journal = Journal()
  private let clock = ManualClock()
  private let keeper = Keeper()
  private let root = Scripted.RootRouter()

  private var configuration: TreeConfiguration {
    TreeConfiguration(
      clock: clock, leakDetection: .after(.seconds(5)),
      onLeak: { [journal] in journal.write("\($0.path) \($0.part) \($0.type) \($0.age)") })
  }

  private func launch() -> Tree {
    let tree = Tree(root: root, configuration: configuration)
    tree.launch()
    return tree
  }

  /// Lets the time pass after which leaks are looked for.
  private func pass(_ time: Duration = .seconds(5)) async {
    await clock.waitForSleeper()
    clock.advance(by: time)
  }

  /// Lets time pass until something is told.
  private func passUntil(_ isTold: (String) -> Bool) async {
    while !journal.lines.contains(where: isTold) {
      if clock.isAwaited { clock.advance(by: .seconds(5)) }
      await Task.yield()
    }
  }

  /// Leaks a router of a kind of its own and waits for that to be told: whatever is told goes before it.
  private func waitForAll() async {
    let last = Scripted.LeafRouter()
    root.attachChild(last)
    root.detachChild(last)
    await passUntil { $0.hasPrefix("Root/Leaf router LeafRouter") }
    withExtendedLifetime(last) {}
  }

  private func detachedChild() -> Scripted.ChildRouter {
    let child = Scripted.ChildRouter()
    root.attachChild(child)
    root.detachChild(child)
    return child
  }

  @Test("is told, if it is a router that was kept after it was detached")
  func routerKept() async {
    let tree = launch()
    keeper.object = detachedChild()
    await pass()
    await journal.wait(for: "Root/Child router ChildRouter 5.0 seconds")
    #expect(journal.lines.count == 1)
    tree.end()
  }

  @Test("is told, if it is an interactor that a closure has captured")
  func interactorKept() async {
    let tree = launch()
    var closure: (() -> Void)?
    do {
      let child = Scripted.ChildRouter()
      root.attachChild(child)
      closure = { [interactor = child.interactor] in _ = interactor.isActive }
      root.detachChild(child)
    }
    await pass()
    await journal.wait(for: "Root/Child interactor Interactor 5.0 seconds")
    #expect(journal.lines.count == 1)
    closure?()
    tree.end()
  }

  @Test("is told, if a parent keeps a child in a property")
  func childKept() async {
    let tree = launch()
    let (parent, child) = (Scripted.ChildRouter(), ProbeRouter("leaf"))
    root.attachChild(parent)
    parent.interactor.summary = "keeps"
    parent.attachChild(child)
    keeper.object = child
    parent.detachChild(child)
    await pass()
    await journal.wait(for: "Root/Child/Probe router ProbeRouter 5.0 seconds")
    #expect(journal.lines.count == 1)
    tree.end()
  }

  @Test("is told for the topmost router of what was kept, and not for what hangs on it")
  func subtree() async {
    let tree = launch()
    let (child, leaf) = (Scripted.ChildRouter(), Scripted.LeafRouter())
    child.attachChild(leaf)
    root.attachChild(child)
    root.detachChild(child)
    await pass()
    await journal.wait(for: "Root/Child router ChildRouter 5.0 seconds")
    await waitForAll()
    #expect(journal.lines.count == 2)
    withExtendedLifetime((child, leaf)) {}
    tree.end()
  }

  @Test("is told deep inside what was released")
  func deepInside() async {
    let tree = launch()
    do {
      let (child, leaf) = (Scripted.ChildRouter(), Scripted.LeafRouter())
      child.attachChild(leaf)
      root.attachChild(child)
      keeper.object = leaf.interactor
      root.detachChild(child)
    }
    await pass()
    await journal.wait(for: "Root/Child/Leaf interactor Interactor 5.0 seconds")
    #expect(journal.lines.count == 1)
    tree.end()
  }

  @Test("is told of a router that was released while it was active")
  func releasedWhileActive() async {
    let tree = launch()
    do {
      let parent = Router<Scripted.Interactor>(interactor: Scripted.Interactor())
      root.attachChild(parent)
      keeper.object = parent.interactor
      root.detachChild(parent)
    }
    await pass()
    await journal.wait(for: "Root/Interactor interactor Interactor 5.0 seconds")
    #expect(journal.lines.count == 1)
    tree.end()
  }

  @Test("is not told of one that is gone, attached again, or kept on purpose")
  func innocent() async {
    let tree = launch()
    _ = detachedChild()
    let again = detachedChild()
    let kept = detachedChild()
    kept.isKeptWhenDetached = true
    let under = Scripted.ChildRouter()
    kept.attachChild(under)
    root.attachChild(again)
    await waitForAll()
    #expect(journal.lines.count == 1)
    withExtendedLifetime((again, kept, under)) {}
    tree.end()
  }

  @Test("counts from the last time that it was detached")
  func detachedAgain() async {
    let tree = launch()
    let child = detachedChild()
    await clock.waitForSleeper()
    clock.advance(by: .seconds(4))
    root.attachChild(child)
    root.detachChild(child)
    // The timer that was set at the first time.
    clock.advance(by: .seconds(1))
    await clock.waitForSleeper()
    #expect(journal.lines.isEmpty)
    clock.advance(by: .seconds(5))
    await journal.wait(for: "Root/Child router ChildRouter 6.0 seconds")
    withExtendedLifetime(child) {}
    tree.end()
  }

  @Test("is told when what was kept on purpose has gone without its interactor")
  func keptThenGone() async {
    let tree = launch()
    var kept: Scripted.ChildRouter? = detachedChild()
    kept?.isKeptWhenDetached = true
    let interactor = kept?.interactor
    await waitForAll()
    #expect(journal.lines.count == 1)
    kept = nil
    _ = detachedChild()
    await passUntil { $0.hasPrefix("Root/Child interactor Interactor") }
    #expect(journal.lines.count == 2)
    withExtendedLifetime(interactor) {}
    tree.end()
  }

  @Test("names the work that does not end and may hold it")
  func work() async {
    let gate = Gate()
    let tree = Tree(
      root: root,
      configuration: TreeConfiguration(
        clock: clock, leakDetection: .after(.seconds(5)), onLeak: { [journal] in journal.write("\($0.work)") }))
    tree.launch()
    let line = #line + 4
    do {
      let child = Scripted.ChildRouter()
      child.interactor.onActive = { interactor in
        interactor.task {
          await gate.passStubbornly()
          _ = interactor
        }
      }
      root.attachChild(child)
      await Task.yield()
      root.detachChild(child)
    }
    await pass()
    await journal.wait(for: "[\"LeakTests.swift:\(line)\"]")
    gate.open()
    await tree.shutdown()
  }

  @Test("is also an event of the tree")
  func event() async {
    let tree = Tree(
      root: root,
      configuration: TreeConfiguration(
        clock: clock, leakDetection: .after(.seconds(5)),
        onEvent: { [journal] in
          if let leak = $0.leak { journal.write("\($0.kind) \($0.path) \(leak.part) \($0.duration ?? .zero)") }
        }, onLeak: { _ in }))
    tree.launch()
    let child = detachedChild()
    await pass()
    await journal.wait(for: "leaked Root/Child router 5.0 seconds")
    withExtendedLifetime(child) {}
    tree.end()
  }

  @Test("is not told of the root while the tree is held, and is when it is not")
  func rootKept() async {
    let root = root
    do {
      let tree = launch()
      tree.end()
      await clock.waitForSleeper()
      clock.advance(by: .seconds(5))
      for _ in 0..<100 { await Task.yield() }
      #expect(journal.lines.isEmpty)
    }
    await passUntil { $0.hasPrefix("Root router RootRouter") }
    #expect(journal.lines.count == 1)
    withExtendedLifetime(root) {}
  }

  @Test("is told after its host has been shut down")
  func host() async throws {
    final class Leaky: @unchecked Sendable { var router: AnyObject? }
    let leaky = Leaky()
    let host = await TreeHost(configuration: configuration) {
      let root = Scripted.RootRouter()
      leaky.router = root
      return root
    }
    await host.shutdown()
    await pass()
    await journal.wait(for: "Root router RootRouter 5.0 seconds")
    #expect(journal.lines.count == 1)
    leaky.router = nil
  }

  @Test("is looked for by one timer, however many leave")
  func oneTimer() async {
    let tree = launch()
    for _ in 0..<100 { _ = detachedChild() }
    await clock.waitForSleeper()
    for _ in 0..<100 { _ = detachedChild() }
    for _ in 0..<10 { await Task.yield() }
    #expect(clock.sleeperCount == 1)
    tree.end()
  }

  @Test("is not looked for when that is off")
  func off() async {
    let tree = Tree(root: root, configuration: TreeConfiguration(clock: clock, leakDetection: .off))
    tree.launch()
    let child = detachedChild()
    for _ in 0..<10 { await Task.yield() }
    #expect(!clock.isAwaited)
    tree.end()
    withExtendedLifetime(child) {}
  }

  @Test("does not keep an actor that owns the tree")
  func actorNotKept() async {
    actor Owner {
      private var tree: Tree?
      private let journal: Journal

      init(journal: Journal) { self.journal = journal }

      func launch(_ configuration: TreeConfiguration) {
        let root = Scripted.RootRouter()
        tree = Tree(root: root, configuration: configuration)
        tree?.launch()
        let child = Scripted.ChildRouter()
        root.attachChild(child)
        root.detachChild(child)
      }

      deinit { journal.write("owner gone") }
    }
    do {
      let owner = Owner(journal: journal)
      await owner.launch(configuration)
    }
    await journal.wait(for: "owner gone")
    await pass()
  }

  @Test("is nothing, after many honest detaches at addresses that are used again and again")
  func honest() async {
    let tree = launch()
    let count = ProcessInfo.processInfo.environment["RIBS_THOROUGH"] == nil ? 20_000 : 1_000_000
    for number in 0..<count {
      let child = detachedChild()
      if number % 3 == 0 {
        root.attachChild(child)
        root.detachChild(child)
      }
      if number % 10_000 == 9_999 { await pass() }
    }
    await waitForAll()
    #expect(journal.lines.count == 1)
    tree.end()
  }

  @Test("tells what it is, where it was and what to do")
  func text() async {
    let tree = Tree(
      root: root,
      configuration: TreeConfiguration(
        clock: clock, leakDetection: .after(.seconds(5)), onLeak: { [journal] in journal.write($0.description) }))
    tree.launch()
    keeper.object = detachedChild()
    await pass()
    await journal.wait(
      for:
        "RIBs: Root/Child: ChildRouter is still alive 5.0 seconds after its RIB has resigned for good. Look for a property that was not set to nil, and for a closure that captures it; set isKeptWhenDetached if it is kept on purpose."
    )
    tree.end()
  }
}
