// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting

/// A tree of the walk, with its observers.
final class ScopeTree {
  let tree: Tree
  let root: ScopeRouter
  /// What the handler of the configuration was called with.
  let handled: ScopeEvents?
  /// What the subscribers were called with.
  let subscribed: ScopeEvents?
  let name: String
  private let token: ScopeLedger.Token

  init(root: ScopeRouter, in world: ScopeWorld) {
    let ledger = world.ledger
    let name = "t\(ledger.nextNumber())"
    self.name = name
    self.root = root
    token = ScopeLedger.Token("tree", ledger)
    let choice = world.random.below(4)
    handled = choice == 1 || choice == 3 ? ScopeEvents("\(name) onEvent", ledger) : nil
    subscribed = choice >= 2 ? ScopeEvents("\(name) events", ledger) : nil
    tree = Tree(root: root, configuration: ScopeTree.configuration(handled, in: world))
    guard let subscribed else { return }
    _ = tree.events.subscribe(
      onNext: { event in
        subscribed.note(event)
        world.act(.subscriber)
      },
      onCompleted: { subscribed.complete() })
  }

  func note(isLaunched: Bool, in world: ScopeWorld) {
    handled?.refuse(!isLaunched)
    subscribed?.refuse(!isLaunched)
    if isLaunched {
      world.observers.append((handled, subscribed))
    }
  }

  private static func configuration(_ handled: ScopeEvents?, in world: ScopeWorld) -> TreeConfiguration {
    let (ledger, door) = (world.ledger, world.door)
    // Work with a context of its own has no handler for misuse outside a tree, which stops debug builds.
    let mayTrap = _isDebugAssertConfiguration()
    let acts = world.random.below(2) == 0
    var configuration = TreeConfiguration(
      clock: world.clock, leakDetection: world.random.below(4) == 0 ? .after(.seconds(5)) : .off,
      inspector: TestTree.inspector, workContext: world.random.below(2) == 0 || mayTrap ? .inherited : .own(),
      onMisuse: { misuse in
        ledger.trace("misuse \(misuse)")
        if acts { door? { $0.act(.misuse) } }
      },
      onLeak: { _ in },
      onFailure: { failure in
        ledger.didReport(failure.error)
        if acts { door? { $0.act(.failure) } }
      })
    if let handled {
      configuration.onEvent = { event in
        handled.note(event)
        if acts { door? { $0.act(.onEvent) } }
      }
    }
    if world.random.below(2) == 0 { configuration.saving = ScopeSaving(ledger: ledger) }
    if world.random.below(3) == 0 {
      configuration.aroundWork = { _, start in
        door? { $0.act(.aroundWork) }
        start()
        door? { $0.act(.aroundWork) }
      }
    }
    configuration.onEnd = { _ in
      handled?.didCallOnEnd()
      if acts { door? { $0.act(.onEnd) } }
    }
    configuration.executors = world.executors
    return configuration
  }
}
