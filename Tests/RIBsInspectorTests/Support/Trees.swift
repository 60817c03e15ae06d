// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RIBs
import RIBsLists
import TestSupport

/// RIBs for trees in inspector tests.
final class RootInteractor: Interactor {
  override var treeSummary: String? { "at home" }
}

final class RootRouter: Router<RootInteractor> {
  private var leaves: [LeafRouter] = []

  init() { super.init(interactor: RootInteractor()) }

  func attachLeaf() {
    let leaf = LeafRouter(interactor: Interactor())
    attachChild(leaf)
    leaves.append(leaf)
  }

  func detachLeaf() { if let leaf = leaves.popLast() { detachChild(leaf) } }

  /// Attaches a leaf and detaches it: five events, each time.
  func change(times: Int = 1) {
    for _ in 0..<times {
      attachLeaf()
      detachLeaf()
    }
  }
}

extension TreeConfiguration {
  static func inspected(by inspector: any TreeObserver) -> TreeConfiguration {
    TreeConfiguration(leakDetection: .off, inspector: inspector)
  }
}

extension TreeHost where Root == RootRouter {
  /// A tree that an inspector observes, and that is shut down when the test has ended.
  static func inspected(by inspector: any TreeObserver) async -> TreeHost {
    let host = await TreeHost(configuration: .inspected(by: inspector)) { RootRouter() }
    atEnd { await host.shutdown() }
    return host
  }

  func attachLeaves(_ count: Int) async throws {
    try await perform { root in for _ in 0..<count { root.attachLeaf() } }
  }

  func change(times: Int = 1) async throws { try await perform { $0.change(times: times) } }
}

extension TreeHost {
  /// Blocks the tree on a thread of its own until a semaphore is signaled.
  ///
  /// - Returns: the call that blocks it, when it has begun.
  func block(
    until end: DispatchSemaphore, fileID: StaticString = #fileID, line: UInt = #line
  ) async -> Task<Void, any Error> {
    let isBlocked = Gate()
    let call = Task(executorPreference: OwnThread()) {
      try await self.perform(fileID: fileID, line: line) { _ in
        isBlocked.open()
        end.wait()
      }
    }
    await isBlocked.pass()
    return call
  }
}

final class LeafRouter: Router<Interactor> {}

/// Work that sleeps.
final class AuctionInteractor: Interactor {
  /// The name of the work in snapshots and events.
  static let work = "close (Trees.swift:\(#line + 4))"

  func close(after seconds: Int64) {
    let time = wallTime + .seconds(seconds)
    task("close", overlap: .concurrent) { try await self.sleep(until: time) }
  }
}

struct Row: Identifiable, Equatable, Sendable {
  let id: String
}

final class RowRouter: Router<Interactor>, ModelRouting {
  func didUpdate(to row: Row, from previous: Row) {}
}
