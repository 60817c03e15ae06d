import Foundation
import RIBs
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

  @Test("run concurrent work, and are shut down or dropped")
  func many() async {
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<Self.number {
        if number >= 64 { await group.next() }
        group.addTask { await Self.session(number) }
      }
    }
  }

  private static func session(_ number: Int) async {
    // How long ten thousand of them take to end is for the machine to say.
    let host = await TreeHost(configuration: TreeConfiguration(leakDetection: .off)) { BusyRouter() }
    await withTaskGroup(of: Void.self) { group in
      for step in 0..<6 {
        group.addTask {
          do {
            try await host.perform { root in
              root.interactor.tick()
              if step.isMultiple(of: 2) { root.flip() }
            }
          } catch {
            #expect(error is TreeEnded && number.isMultiple(of: 4))
          }
        }
      }
      group.addTask { #expect(await host.snapshot().nodes.count <= 2) }
      if number.isMultiple(of: 4) { group.addTask { #expect(await host.shutdown().unfinishedTasks.isEmpty) } }
    }
    // Every second of the others is dropped with all that still runs in it.
    if number.isMultiple(of: 2) { #expect(await host.shutdown().unfinishedTasks.isEmpty) }
  }
}
