// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import TestSupport
import Testing

/// Works in every way that bound work can be done, and counts without a lock.
private final class BusyInteractor: Interactor {
  let ticks = BehaviorRelay(value: 0)
  private(set) var count = 0

  override func didBecomeActive() {
    super.didBecomeActive()
    ticks.subscribe(onNext: { [unowned self] _ in self.count += 1 }).disposeOnDeactivate(interactor: self)
    task { [weak self] in
      for _ in 0..<3 {
        await Task.yield()
        self?.tick()
      }
    }
    task {
      await withTaskGroup(of: Int.self) { group in
        for number in 0..<3 { group.addTask { await compute(number) } }
        for await _ in group { self.tick() }
      }
    }
    task { for await _ in self.ticks.values { self.count += 1 } }
    for number in 0..<3 {
      run({ await compute(number) }) { [weak self] _ in self?.tick() }
    }
  }

  func tick() { ticks.accept(ticks.value + 1) }
}

private final class BusyRouter: Router<BusyInteractor> {
  init() { super.init(interactor: BusyInteractor()) }

  /// Attaches a child, or detaches it.
  func flip() {
    if let child = children.first { detachChild(child) } else { attachChild(BusyRouter()) }
  }
}

@Suite("Many hosts")
struct ManyHostsTests {
  private static let number = ProcessInfo.processInfo.environment["RIBS_TEST_HOSTS"].flatMap { Int($0) } ?? 500

  @Test("run concurrent work, serve readers and calls that come, go and are cancelled, and are ended in any way")
  func many() async {
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<Self.number {
        if number >= 64 { await group.next() }
        group.addTask { await Self.session(number).value }
      }
    }
  }

  /// - Returns: a task that waits for the end of the tree, after the host was released.
  private static func session(_ number: Int) async -> Task<Void, Never> {
    let configuration = TreeConfiguration(name: "session-\(number)", leakDetection: .off)
    let host = await TreeHost(configuration: configuration) { BusyRouter() }
    let end = Gate()
    host.onEnd { _ in end.open() }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        var last = -1
        for await tick in host.values({ $0.interactor.ticks.asObservable().settled(in: $0.interactor) }) {
          #expect(tick > last)
          last = tick
          if tick > 5 { break }
        }
      }
      group.addTask { for await event in host.events() where event.kind == .taskEnded { break } }
      group.addTask {
        for await snapshot in host.snapshots() {
          #expect(snapshot.nodes.count <= 2)
          if snapshot.nodes.count != 1 { break }
        }
      }
      for step in 0..<4 {
        group.addTask {
          do {
            try await host.perform { root in
              root.interactor.tick()
              root.flip()
            }
          } catch {
            #expect(error is TreeEnded && number % 4 < 2 || error is CancellationError && number % 4 >= 2)
          }
        }
        group.addTask {
          let call = Task {
            try await host.perform { root in
              root.interactor.tick()
              await Task.yield()
              root.flip()
              return root.interactor.count
            }
          }
          if step == 0 { call.cancel() }
          if case .failure(let error) = await call.result {
            #expect(error is TreeEnded || error is CancellationError && step == 0)
          }
        }
        group.addTask {
          do {
            try await host.perform(within: { ($0.children.first as? BusyRouter)?.interactor }) { child in
              child.tick()
              await Task.yield()
              child.tick()
            }
          } catch {
            // Half of the callers are cancelled.
            #expect(error is TreeEnded || error is CancellationError && number % 4 >= 2)
          }
        }
      }
      switch number % 4 {
      case 0: for _ in 0..<2 { group.addTask { #expect(await host.shutdown().unfinishedTasks.isEmpty) } }
      case 1: group.addTask { try? await host.perform { $0.interactor.endTree() } }
      case 2: group.cancelAll()
      default:
        // Some readers leave on their own.
        for _ in 0..<8 {
          await #expect(throws: Never.self) {
            try await host.perform { root in for _ in 0..<4 { root.interactor.tick() } }
          }
        }
        try? await host.perform { $0.flip() }
        group.cancelAll()
      }
    }
    if number % 4 < 2 { #expect(await host.shutdown().unfinishedTasks.isEmpty) }
    // The others are dropped with all that still runs in them.
    return Task { await end.pass() }
  }
}
