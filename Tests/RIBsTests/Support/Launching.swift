// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting

extension Tree {
  /// A tree with this root, launched on the calling actor.
  static func launched(
    _ root: any Routing, _ configuration: TreeConfiguration = TreeConfiguration(),
    isolation: isolated any Actor = #isolation
  ) -> Tree {
    let tree = Tree(root: root, configuration: configuration)
    tree.launch(isolation: isolation)
    return tree
  }
}

extension Routing {
  /// Makes the router active by hand, outside a tree.
  func start() {
    interactable.activate()
    load()
  }
}

extension RouterNode {
  /// Attaches the first of some routers, after each of the others was attached to the one before it.
  func attachChain(_ routers: [any Routing]) {
    for (parent, child) in zip(routers, routers.dropFirst()).reversed() { parent.attachChild(child) }
    routers.first.map(attachChild)
  }

  func attachAndDetach(_ child: any Routing) {
    attachChild(child)
    detachChild(child)
  }
}

extension TestClock {
  /// Lets time pass once a task sleeps.
  func advanceSleeper(by duration: Duration) async {
    await waitForSleeper()
    advance(by: duration)
  }
}
