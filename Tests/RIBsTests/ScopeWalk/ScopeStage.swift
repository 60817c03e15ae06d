// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// An actor that trees of the walk live on, and the world around them.
protocol ScopeStage: Actor {
  var world: ScopeWorld? { get set }
}

extension ScopeStage {
  /// Gives observers, whose closures are `Sendable`, access to the world. They are called where the actor runs.
  nonisolated var door: ScopeWorld.Door {
    { [weak self] body in
      guard let self else { return }
      self.assumeIsolated { if let world = $0.world { body(world) } }
    }
  }
}

/// An actor whose jobs a `ScopeDriver` runs.
actor DrivenStage: ScopeStage {
  private nonisolated let home: ScopeHome
  private nonisolated let away: ScopeAway
  private nonisolated let driver: ScopeDriver
  var world: ScopeWorld?

  init(seed: UInt64) {
    driver = ScopeDriver(seed: seed)
    home = ScopeHome(driver)
    away = ScopeAway(driver)
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { home.asUnownedSerialExecutor() }
  nonisolated var executors: DrivenExecutors { DrivenExecutors(home: home, offTree: away) }
  nonisolated var isHome: Bool { driver.isHome }
  nonisolated func runOne() -> Bool { driver.runOne(home, away) }
}

/// An actor as programs have them.
actor FreeStage: ScopeStage {
  var world: ScopeWorld?
}

/// An actor that runs where the main actor does.
actor MainStage: ScopeStage {
  var world: ScopeWorld?

  nonisolated var unownedExecutor: UnownedSerialExecutor { MainActor.sharedUnownedExecutor }
}
