// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// A disposable that acts when it is disposed of, and when it is released.
final class ScopeDisposable: Disposable {
  private let moment: ScopeMoment
  private let release: ScopeMoment
  private let world: ScopeWorld
  private let token: ScopeLedger.Token
  private var isDisposed = false

  init(_ moment: ScopeMoment, _ release: ScopeMoment, in world: ScopeWorld) {
    self.moment = moment
    self.release = release
    self.world = world
    token = ScopeLedger.Token("disposable", world.ledger)
  }

  deinit {
    world.ledger.expect(world.isHome, "a disposable is released off its tree")
    world.act(release)
  }

  func dispose() {
    guard !isDisposed else { return }
    isDisposed = true
    world.ledger.expect(world.isHome, "a disposable is disposed of off its tree")
    world.act(moment)
  }
}
