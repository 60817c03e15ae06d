// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

/// A router whose stack keeps covered children, and returns the children that a test gives it.
private final class KeepingRouter: Router<Scripted.Interactor> {
  var made: [Int: Router<Scripted.Interactor>] = [:]
  lazy var stack: ChildStack<Int>? = ChildStack(of: self, covered: .kept) { router, route in
    router.made[route] ?? Scripted.LeafRouter()
  }

  init() { super.init(interactor: Scripted.Interactor()) }

  /// Pushes a child, and then another one, which covers it.
  func pushCovered() throws -> Scripted.LeafRouter {
    stack?.push(1)
    let covered = try #require(stack?.child as? Scripted.LeafRouter)
    stack?.push(2)
    return covered
  }
}

@Suite("A child that a stack keeps while it is covered", .folded)
struct KeptChildTests {
  private let test = TestTree(recording: [])

  /// Lets an owner of a stack do something beside a root, and expects that nothing keeps it.
  private func expectRelease(_ body: (Scripted.RootRouter, KeepingRouter) throws -> Void) rethrows {
    weak var released: KeepingRouter?
    let root = test.launch(Scripted.RootRouter())
    do {
      let owner = KeepingRouter()
      released = owner
      try body(root, owner)
    }
    #expect(released == nil)
    test.skip()
    test.finish()
  }

  @Test("is not held by a stack that can't attach it, when that is reported")
  func refused() {
    let owner = test.launch(KeepingRouter())
    let child = Scripted.ChildRouter()
    owner.attachChild(child)
    child.interactor.deactivate()
    owner.made = [1: owner]
    let grandchild = Scripted.ChildRouter()
    grandchild.attachChild(Scripted.LeafRouter())
    let subscription = test.tree?.events.subscribe(onNext: { event in
      // Looks through all that owns the child.
      if event.kind == .misuse, child.children.isEmpty { child.attachChild(grandchild) }
    })
    owner.stack?.push(1)
    subscription?.dispose()
    #expect(test.takeMisuses().map(\.kind) == [.cycle])
    #expect(child.children.count == 1)
    owner.made = [:]
    test.skip()
    test.finish()
  }

  @Test("leaves the stack when other code attaches it, its route gets another child, and it may outlive the stack")
  func stackReleased() throws {
    let root = test.launch(Scripted.RootRouter())
    let owner = KeepingRouter()
    root.attachChild(owner)
    let kept = try owner.pushCovered()
    kept.expectsReattachment = true
    root.attachChild(kept)
    owner.stack?.pop()
    #expect(owner.stack?.child !== kept && owner.stack?.child != nil)
    #expect(root.children.contains { $0 === kept })
    let stack = owner.stack
    owner.stack = nil
    withExtendedLifetime(stack) {}
    _ = consume stack
    root.detachChild(kept)
    #expect(root.children.count == 1)
    test.skip()
    test.finish()
  }

  @Test("can't be given its owner as a child, wherever it is attached", arguments: [false, true])
  func circle(isAttached: Bool) throws {
    try expectRelease { root, owner in
      let kept = try owner.pushCovered()
      if isAttached { root.attachChild(kept) }
      let misuses = recordMisuses { kept.attachChild(owner) }
      #expect(misuses.map(\.kind) == (isAttached ? [] : [.cycle]))
      if isAttached { root.detachChild(kept) }
    }
  }

  @Test("leaves the stack when it is launched as the root of a tree")
  func launched() throws {
    try expectRelease { root, owner in
      root.attachChild(owner)
      let kept = try owner.pushCovered()
      root.detachChild(owner)
      let other = TestTree(recording: [])
      other.launch(kept)
      kept.attachChild(owner)
      other.finish()
    }
  }

  @Test("is not kept if a callback has attached the owner below it")
  func ownerBelow() {
    expectRelease { root, owner in
      let (lower, upper) = (Scripted.LeafRouter(), Scripted.LeafRouter())
      lower.expectsReattachment = true
      owner.made = [1: lower, 2: upper]
      root.attachChild(owner)
      owner.stack?.push(1)
      let subscription = test.tree?.events.subscribe(onNext: { [weak owner, weak lower, weak root] event in
        guard event.kind == .detached, let owner, let lower, let root, owner.interactor.isActive else { return }
        root.detachChild(owner)
        lower.attachChild(owner)
      })
      owner.stack?.push(2)
      subscription?.dispose()
      owner.made = [:]
    }
  }

  @Test("can't be its owner, also if it is covered before it is attached")
  func ownChild() {
    expectRelease { root, owner in
      let first = Scripted.LeafRouter()
      owner.made = [1: first]
      root.attachChild(owner)
      owner.stack?.push(1)
      owner.made[2] = owner
      // The owner is on top while the first child resigns, and covered when that has resigned.
      first.interactor.onResign = { [weak owner] _ in owner?.stack?.push(3) }
      owner.stack?.push(2)
      #expect(owner.stack?.routes == [1, 2, 3])
      owner.made = [:]
      root.detachChild(owner)
    }
  }
}
