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

  @Test(
    "of any length is built and released on a stack of 128 KiB, also when each router keeps its child in a property",
    arguments: [false, true])
  func depth(keepsChild: Bool) async {
    let counts = await SmallStage(stackSize: 128 << 10).run { _ in
      let census = Census()
      var counts: [Int] = []
      var tree: Tree?
      do {
        let root = LinkRouter(census)
        root.grow(to: Self.depth, keepsChild: keepsChild)
        tree = Tree(root: root)
        weak let weakRoot = root
        tree?.launch()
        counts.append(census.active)
        withExtendedLifetime(root) {}
        guard let child = weakRoot?.children.first as? LinkRouter else { return counts }
        weakRoot?.detachChild(child)
        counts.append(census.active)
        weakRoot?.attachChild(child)
        counts.append(census.active)
      }
      counts.append(tree?.snapshot().nodes.count ?? 0)
      tree?.end()
      counts.append(census.active)
      tree = nil
      return counts + [census.routers, census.interactors]
    }
    let depth = Self.depth
    #expect(counts == [depth, 1, depth, depth, 0, 0, 0])
  }
}

/// How many objects of a chain live, and how many interactors are active.
final class Census {
  var routers = 0
  var interactors = 0
  var active = 0
}

final class LinkRouter: Router<LinkInteractor> {
  /// Of any type but that of this class: Swift itself releases a list of objects of one class in a loop.
  private var child: (any Routing)?

  init(_ census: Census) {
    super.init(interactor: LinkInteractor(census))
    census.routers += 1
  }

  deinit { interactor.census.routers -= 1 }

  func grow(to depth: Int, keepsChild: Bool) {
    var last = self
    for _ in 1..<depth {
      let child = LinkRouter(interactor.census)
      last.attachChild(child)
      if keepsChild { last.child = child }
      last = child
    }
  }
}

final class LinkInteractor: Interactor {
  let census: Census

  init(_ census: Census) {
    self.census = census
    super.init()
    census.interactors += 1
  }

  deinit { census.interactors -= 1 }

  override func didBecomeActive() {
    super.didBecomeActive()
    census.active += 1
  }

  override func willResignActive() {
    super.willResignActive()
    census.active -= 1
  }
}
