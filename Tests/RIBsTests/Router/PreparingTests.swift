// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

@Suite("A child that is prepared", .folded)
struct PreparingTests {
  /// A child that says what becomes of it, wherever that is.
  private static func build(_ name: String, _ journal: Journal) -> Scripted.ChildRouter {
    let child = Scripted.ChildRouter()
    child.interactor.onActive = { _ in journal.write("\(name) active") }
    child.interactor.onDeinit = { journal.write("\(name) gone") }
    return child
  }

  @Test("is built off the tree, connected on it, and then attached with all that is below it")
  func built() async {
    let home = QueueActor()
    let journal = Journal()
    await home.launch {
      let root = Scripted.RootRouter()
      root.interactor.onActive = { [unowned root] _ in
        let admission = root.attach(
          preparing: {
            journal.write("built at home: \(home.isCurrent)")
            let top = Self.build("top", journal)
            top.attachChild(Self.build("below", journal))
            return top
          }
        ) { child in
          journal.write("connected at home: \(home.isCurrent), active: \(child.interactor.isActive)")
        }
        #expect(admission.start == .started)
      }
      return root
    }
    await journal.wait(for: "below active")
    journal.expect("built at home: false", "connected at home: true, active: false", "top active", "below active")
    await home.shutdown()
    #expect(journal.lines.suffix(2).sorted() == ["below gone", "top gone"])
  }

  @Test(
    "is discarded, and never attached, when the scope has ended meanwhile, also if it is active again",
    arguments: [false, true], [false, true])
  func late(isActiveAgain: Bool, isDeaf: Bool) {
    let test = TestTree(recording: [])
    let journal = Journal()
    let delays = PendingResponses<String, Void>(respectsCancellation: !isDeaf)
    let (root, parent) = (test.launch(Scripted.RootRouter()), Scripted.ChildRouter())
    parent.expectsReattachment = true
    root.attachChild(parent)
    parent.attach(
      preparing: {
        try? await delays.answer(to: "late")
        return Self.build("late", journal)
      }
    ) { _ in journal.write("connected") }
    test.settle()
    #expect(delays.questions == ["late"])
    root.detachChild(parent)
    if isActiveAgain { root.attachChild(parent) }
    test.settle()
    if isDeaf {
      delays.respond(with: ())
      test.settle()
    }
    #expect(journal.lines == ["late gone"])
    #expect(test.runningWork.isEmpty)
    #expect(parent.children.isEmpty)
    withExtendedLifetime(parent) { test.finish() }
  }

  /// Where a child is detached again.
  enum Detaching: CaseIterable { case connected, loaded, nextTurn }

  @Test("is released on the tree, wherever it is detached", arguments: Detaching.allCases)
  func released(_ detaching: Detaching) async {
    let journal = Journal()
    let home = QueueActor()
    let count = 200
    await home.launch(TreeConfiguration(leakDetection: .off)) {
      let root = Scripted.RootRouter()
      root.interactor.onActive = { [unowned root] interactor in
        interactor.task {
          for _ in 0..<count { prepare(under: root, detaching, home, journal) }
          guard detaching == .nextTurn else { return }
          while journal.lines.count < count {
            for child in root.children { root.detachChild(child) }
            await Task.yield()
          }
        }
      }
      return root
    }
    while journal.lines.count < count { await Task.yield() }
    #expect(journal.lines.allSatisfy { $0 == "on the tree" })
    await home.shutdown()
  }

  private func prepare(
    under root: Scripted.RootRouter, _ detaching: Detaching, _ home: QueueActor, _ journal: Journal
  ) {
    root.attach(preparing: { [weak home] in
      let child = Scripted.ChildRouter()
      child.interactor.onDeinit = { journal.write(home?.isCurrent == true ? "on the tree" : "off the tree") }
      return child
    }) { child in
      switch detaching {
      case .connected: root.interactor.task { root.detachChild(child) }
      case .loaded: child.onLoad = { child in root.detachChild(child) }
      case .nextTurn: break
      }
    }
  }

  @Test("that can't be built fails as other work does")
  func failure() {
    let test = TestTree(recording: .tasks)
    let root = test.launch(Scripted.RootRouter())
    root.interactor.onFail = { test.transcript.write("didFail: \($0)") }
    root.attach(
      "detail", overlap: .concurrent, preparing: { () throws -> sending Scripted.ChildRouter in throw Failure() })
    test.settle()
    test.expect("Root task detail started\nRoot task detail failed: Failure\ndidFail: Failure")
    #expect(root.children.isEmpty)
    root.attach("detail", overlap: .concurrent, preparing: { Self.build("another", Journal()) })
    test.settle()
    #expect(root.children.count == 1)
    test.skip()
    test.finish()
  }

  @Test("is not begun without an active interactor in a tree, and that is reported")
  func refused() {
    let journal = Journal()
    func attach(to router: RouterNode) -> [Misuse.Kind] {
      misuses {
        #expect(router.attach(preparing: { Self.build("none", journal) }).start == .inactive)
        #expect(
          router.attach("key", overlap: .enqueue, preparing: { Self.build("none", journal) }).start == .inactive)
        #expect(router.attachChildren(for: 0..<3) { _ in Scripted.LeafRouter() }.start == .inactive)
      }
    }
    let (inactive, double) = (Scripted.RootRouter(), InteractableDouble())
    double.activate()
    #expect(attach(to: inactive) == [.taskWhileInactive, .taskWhileInactive, .taskWhileInactive])
    inactive.interactor.activate()
    #expect(attach(to: inactive) == [.taskOutsideTree, .taskOutsideTree, .taskOutsideTree])
    #expect(attach(to: Router<any Interactable>(interactor: double)) == Array(repeating: .taskOutsideTree, count: 3))
    #expect(inactive.children.isEmpty)
    #expect(journal.lines.isEmpty)
  }
}
