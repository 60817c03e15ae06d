// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import Testing

@Suite("Observers of a tree that change it")
struct EventOrderTests {
  @Test("receive all events in one order, when the handler of the configuration changes the tree")
  @MainActor
  func order() {
    final class Keeper { weak var root: Scripted.RootRouter? }
    let (keeper, handled, received) = (Keeper(), Journal(), Journal())
    let root = Scripted.RootRouter()
    keeper.root = root
    let box = MainBox(keeper)
    let tree = Tree(
      root: root,
      configuration: TreeConfiguration(
        leakDetection: .off,
        onEvent: { event in
          handled.write("\(event)")
          guard event.kind == .activated, event.parent == nil else { return }
          MainActor.assumeIsolated { (box.content as? Keeper)?.root?.attachChild(Scripted.ChildRouter()) }
        }))
    let subscriptions = (0..<2).map { _ in tree.events.subscribe(onNext: { received.write("\($0)") }) }
    tree.launch()
    tree.end()
    #expect(handled.lines.count == 9)
    #expect(received.lines == handled.lines.flatMap { [$0, $0] })
    for subscription in subscriptions { subscription.dispose() }
  }

  @Test("may be actors that end their tree in an isolated deinit")
  func isolatedDeinit() async {
    let journal = Journal()
    do {
      let owner = Owner()
      await owner.launch(journal.configuration)
    }
    await journal.wait(for: "ended Root")
    #expect(journal.lines.contains("resigned Root/Child"))
    #expect(!journal.lines.contains { $0.hasPrefix("error") })
  }
}

/// Holds an object of the main actor.
@MainActor
private final class MainBox {
  let content: AnyObject

  init(_ content: AnyObject) { self.content = content }
}

@available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
private actor Owner {
  private var tree: Tree?

  func launch(_ configuration: TreeConfiguration) {
    let root = Scripted.RootRouter()
    root.attachChild(Scripted.ChildRouter())
    tree = Tree(root: root, configuration: configuration)
    tree?.launch()
  }

  isolated deinit { tree?.end() }
}
