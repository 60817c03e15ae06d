// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import Testing

/// Workers on interactors, to which anything happens in any callback.
@Suite("Workers to which anything happens in any callback", .folded(oneIn: 16))
struct WorkerWalkTests {
  private final class Walk {
    private var random: SplitMix
    private var interactors: [Scripted.Interactor] = []
    private var workers: [ScriptedWorker] = []
    /// Whether each worker's `didStart` was called, and not yet its `didStop`.
    private var isAtWork: [Bool] = []
    /// What each worker was started on.
    private var scopes: [Int?] = []
    private var depth = 0
    private(set) var faults: [String] = []
    private(set) var starts = 0

    init(seed: UInt64) {
      random = SplitMix(seed)
      interactors = (0..<3).map { _ in makeInteractor() }
      for index in 0..<6 {
        let worker = ScriptedWorker("\(index)")
        worker.onStart = { [unowned self] _ in began(index) }
        worker.onStop = { [unowned self] _ in stopped(index) }
        workers.append(worker)
        isAtWork.append(false)
        scopes.append(nil)
      }
    }

    private func makeInteractor() -> Scripted.Interactor {
      let interactor = Scripted.Interactor()
      interactor.onActive = { [unowned self] _ in act() }
      interactor.onResign = { [unowned self] _ in act() }
      return interactor
    }

    private func began(_ index: Int) {
      starts += 1
      if isAtWork[index] { faults.append("\(index) begins twice") }
      if !workers[index].isRunning { faults.append("\(index) begins and does not run") }
      isAtWork[index] = true
      act()
    }

    private func stopped(_ index: Int) {
      if !isAtWork[index] { faults.append("\(index) stops without having begun") }
      isAtWork[index] = false
      act()
    }

    func step(_ count: Int) {
      for _ in 0..<count {
        change()
        check()
      }
    }

    /// In a callback: something, in one of three.
    private func act() {
      guard depth < 4, Int.random(in: 0..<3, using: &random) == 0 else { return }
      depth += 1
      change()
      depth -= 1
    }

    private func change() {
      let interactor = Int.random(in: 0..<interactors.count, using: &random)
      let worker = Int.random(in: 0..<workers.count, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0...2: interactors[interactor].activate()
      case 3...4: interactors[interactor].deactivate()
      case 5...7: workers[worker].start(interactors[interactor])
      case 8: workers[worker].stop()
      default:
        guard depth == 0 else { return }
        // What is released may use the list, so it goes when the list is changed.
        let released = interactors[interactor]
        interactors[interactor] = makeInteractor()
        withExtendedLifetime(released) {}
      }
    }

    /// Between two changes, what runs is what is started on something active.
    private func check() {
      for (index, worker) in workers.enumerated() {
        if worker.isRunning != isAtWork[index] {
          faults.append("\(index): running \(worker.isRunning), received \(isAtWork[index])")
        }
        if worker.isRunning, !worker.isStarted { faults.append("\(index) runs and is not started") }
      }
      let active = interactors.filter(\.isActive).count
      if active == 0, isAtWork.contains(true) { faults.append("a worker runs and nothing is active") }
    }

    private func release() {
      // What is released may use the list, so it goes when the list is changed.
      let released = interactors
      interactors = []
      withExtendedLifetime(released) {}
    }

    func end() {
      depth = 4
      for interactor in interactors { interactor.activate() }
      for (index, worker) in workers.enumerated() where worker.isStarted && !worker.isRunning {
        faults.append("\(index) is started, everything is active, and it does not run")
      }
      for interactor in interactors { interactor.deactivate() }
      if isAtWork.contains(true) { faults.append("a worker runs at the end") }
      release()
      for (index, worker) in workers.enumerated() where worker.isStarted { faults.append("\(index) is still started") }
    }
  }

  @Test("run exactly while they are started and their interactor is active", arguments: 1...200 as ClosedRange<UInt64>)
  func walk(seed: UInt64) {
    let walk = Walk(seed: seed)
    withMisuseHandler({ _ in }) {
      walk.step(200)
      walk.end()
    }
    #expect(walk.faults.isEmpty, "seed \(seed)")
    #expect(walk.starts > 10, "seed \(seed)")
  }
}
