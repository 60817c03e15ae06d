// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("A slot", .folded)
struct ChildSlotTests {
  private let test = TestTree(recording: [])

  @Test("does nothing when an equal route is set, also inside the attaching and the building of that route")
  func equal() {
    let parent = test.launchContainers()
    parent.onBuild = { router, child in
      router.slot.route = child.name
      child.interactor.onActive = { _ in router.slot.route = "a" }
    }
    parent.slot.route = "a"
    parent.slot.route = "a"
    test.expect("build a", "a active true", "a didLoad")
    test.finish(parent)
  }

  @Test("attaches the child of its route, replaces it, and shows its callbacks no route without its child")
  func halfState() {
    let parent = test.launchContainers()
    parent.onBuild = { router, child in
      let look = { [unowned router, test] (moment: String) in
        let name = (router.slot.child as? ProbeRouter)?.name
        test.transcript.write("\(moment): \(router.slot.route ?? "none") \(name ?? "none")")
      }
      look("building")
      child.interactor.onActive = { _ in look("activating") }
      child.interactor.onResign = { _ in look("resigning") }
      child.onDeinit = { look("releasing") }
    }
    parent.slot.route = "a"
    parent.slot.route = "b"
    test.expect(
      """
      build a
      building: none none
      a active true
      activating: a a
      a didLoad

      build b
      building: a a
      a resigns true
      resigning: b b
      a deinit
      releasing: b b
      a gone
      b active true
      activating: b b
      b didLoad
      """)
    parent.slot.route = nil
    test.expect("b resigns true", "resigning: none none", "b deinit", "releasing: none none", "b gone")
    test.finish(parent)
  }

  @Test("that is set again in a callback follows when the callback has returned, and leaves out what came to nothing")
  func setInside() {
    let parent = test.launchContainers()
    parent.onBuild = { router, child in
      if child.name == "a" { child.interactor.onResign = { _ in router.slot.route = "c" } }
      if child.name == "c" { child.interactor.onActive = { _ in router.slot.route = "d" } }
    }
    parent.slot.route = "a"
    test.skip()
    parent.slot.route = "b"
    #expect(parent.slot.route == "d")
    #expect(parent.childNames == ["d"])
    test.expect(
      """
      build b
      a resigns true
      build c
      b deinit
      b gone
      a deinit
      a gone
      c active true
      build d
      c didLoad
      c resigns true
      c deinit
      c gone
      d active true
      d didLoad
      """)
    test.finish(parent)
  }

  @Test("that its builder sets is the last one", arguments: ["b", nil])
  func setInBuilder(route: String?) {
    let parent = test.launchContainers()
    parent.onBuild = { router, child in if child.name == "a" { router.slot.route = route } }
    parent.slot.route = "a"
    #expect(parent.slot.route == route)
    #expect(parent.childNames == (route.map { [$0] } ?? []))
    test.skip()
    parent.onBuild = { _, _ in }
    test.finish(parent)
  }

  @Test("goes through ten thousand routes, each set by the child of the one before, without a deep stack")
  func chain() async {
    let count = await SmallStage(stackSize: 128 * 1_024).run { _ in
      let parent = ContainerRouter(in: TestTree(recording: []).transcript)
      parent.start()
      parent.onBuild = { router, child in
        guard let number = Int(child.name), number < 10_000 else { return }
        child.interactor.onActive = { _ in router.slot.route = "\(number + 1)" }
      }
      parent.slot.route = "1"
      return parent.slot.route.flatMap { Int($0) }
    }
    #expect(count == 10_000)
  }

  @Test("in a slot in a slot, twenty thousand deep, is released without a deep stack")
  func deep() async {
    let counts = await SmallStage(stackSize: 128 * 1_024).run { _ in
      let population = Population()
      func build() -> Int {
        let top = Scripted.ChildRouter()
        var last = top
        for number in 0..<20_000 {
          let slot = ChildSlot<Bool>(of: last) { _, _ in Scripted.ChildRouter() }
          slot.route = true
          last.attachment = slot
          last.onLoad = { [tracked = Tracked(number, in: population)] _ in _ = tracked }
          if let next = slot.child as? Scripted.ChildRouter { last = next }
        }
        return withExtendedLifetime(top) { population.count }
      }
      return [build(), population.count]
    }
    #expect(counts == [20_000, 0])
  }

  @Test("holds nothing when its child was detached while it became active")
  func detachedWhileAttached() {
    let parent = test.launchContainers()
    parent.onBuild = { router, child in
      child.interactor.onActive = { [unowned child] _ in router.detachChild(child) }
    }
    parent.slot.route = "a"
    #expect(parent.slot.route == nil)
    #expect(parent.childNames.isEmpty)
    test.expect("build a", "a active true", "a resigns true", "a deinit", "a gone")
    test.finish(parent)
  }

  @Test("holds nothing when the tree ends while the old child resigns, which is reported")
  func treeEndsInside() throws {
    let parent = test.launchContainers()
    parent.slot.route = "a"
    try #require(parent.slot.child as? ProbeRouter).interactor.onResign = { _ in self.test.tree?.end() }
    parent.slot.route = "b"
    #expect(test.takeMisuses().map(\.kind) == [.treeEnded])
    #expect(parent.slot.route == nil)
    #expect(parent.childNames.isEmpty)
    test.skip()
    test.finish()
  }

  @Test("that outlives its router holds nothing, and does nothing")
  func routerGoes() {
    var parent: ContainerRouter? = ContainerRouter(in: test.transcript)
    parent?.start()
    parent?.slot.route = "a"
    let slot = parent?.slot
    withExtendedLifetime(parent) { test.skip() }
    parent = nil
    test.expect("a resigns true", "parent resigns true", "a deinit", "a gone", "parent gone")
    #expect(slot?.child == nil)
    slot?.route = "b"
    #expect(slot?.route == nil)
    test.expect()
  }

  @Test("takes a test double for a child")
  func double() {
    let parent = test.launchContainers()
    let child = RoutingDouble()
    parent.slot = ChildSlot(of: parent) { _, _ in child }
    parent.slot.route = "a"
    #expect(child.interactable.isActive)
    #expect(parent.slot.child === child)
    parent.slot.route = nil
    #expect(!child.interactable.isActive)
    test.finish(parent)
  }
}
