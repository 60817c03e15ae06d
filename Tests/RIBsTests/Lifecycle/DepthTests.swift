// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Testing

@Suite("A chain of RIBs", .serialized)
struct DepthTests {
  /// Far past where recursion would overflow: some hundred levels.
  #if DEBUG
    static let depth = 10_000
  #else
    static let depth = 1_000_000
  #endif

  /// How many interactors of a chain are alive, and how many of them are active.
  private final class Census {
    var alive = 0
    var active = 0
  }

  private static func chain(_ census: Census, keepsChild: Bool) -> Scripted.ChildRouter {
    let routers = (0..<depth).map { _ in
      let router = Scripted.ChildRouter()
      census.alive += 1
      router.interactor.onActive = { _ in census.active += 1 }
      router.interactor.onResign = { _ in census.active -= 1 }
      router.interactor.onDeinit = { census.alive -= 1 }
      return router
    }
    for (parent, child) in zip(routers, routers.dropFirst()) {
      parent.attachChild(child)
      // Of any type but that of this class: Swift itself releases a list of objects of one class in a loop.
      if keepsChild { parent.attachment = child }
    }
    return routers[0]
  }

  @Test(
    "of any length is built and released on a stack of 128 KiB, also when each router keeps its child in a property",
    arguments: [false, true])
  func depth(keepsChild: Bool) async {
    let counts = await SmallStage(stackSize: 128 << 10).run { _ in
      let census = Census()
      var counts: [Int] = []
      var tree: Tree?
      do {
        let root = Self.chain(census, keepsChild: keepsChild)
        tree = Tree(root: root)
        weak let weakRoot = root
        tree?.launch()
        counts.append(census.active)
        withExtendedLifetime(root) {}
        guard let child = weakRoot?.children.first else { return counts }
        weakRoot?.detachChild(child)
        counts.append(census.active)
        weakRoot?.attachChild(child)
        counts.append(census.active)
      }
      counts.append(tree?.snapshot().nodes.count ?? 0)
      tree?.end()
      counts.append(census.active)
      tree = nil
      return counts + [census.alive]
    }
    let depth = Self.depth
    #expect(counts == [depth, 1, depth, depth, 0, 0])
  }
}
