// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// Workers and asynchronous work. The walk says when a piece of work continues, one at a time.
extension ModelWorld {
  // MARK: Workers

  final class Worker {
    let number: Int
    weak var scope: Node?
    var isStarted = false
    var isRunning = false
    var isStopping = false
    /// Whether it begins again when it has stopped.
    var beginsAgain = false

    init(_ number: Int) { self.number = number }
  }

  func start(_ worker: Worker, on node: Node) {
    if worker.isStarted {
      if let scope = worker.scope, scope !== node { refuse(.workerStarted, at: scope) }
      return
    }
    worker.isStarted = true
    worker.scope = node
    node.workers.started.append(worker)
    if node.acceptsWork { begin(worker, on: node) }
  }

  func begin(_ worker: Worker, on node: Node) {
    guard !worker.isRunning, node.workers.started.contains(where: { $0 === worker }),
      !node.workers.running.contains(where: { $0 === worker })
    else { return }
    node.workers.running.append(worker)
    run(worker)
  }

  private func run(_ worker: Worker) {
    if worker.isStopping {
      worker.beginsAgain = true
    } else if worker.isStarted {
      worker.isRunning = true
      record(.workerStarted, nodes[worker.number])
    }
  }

  func stop(_ worker: Worker) {
    guard worker.isStarted, let node = worker.scope else { return }
    worker.isStarted = false
    for list in [\Node.workers.started, \.workers.running, \.workers.ended] {
      node[keyPath: list].removeAll { $0 === worker }
    }
    halt(worker)
    if !worker.isStarted { worker.scope = nil }
  }

  func halt(_ worker: Worker) {
    worker.beginsAgain = false
    guard worker.isRunning else { return }
    (worker.isRunning, worker.isStopping) = (false, true)
    record(.workerStopped, nodes[worker.number])
    worker.isStopping = false
    if worker.beginsAgain, worker.scope != nil { run(worker) }
  }

  // MARK: Work that waits

  /// A child that is being prepared, or a workflow.
  final class Pending {
    /// The items of the steps of a workflow; the parent of a child that is prepared.
    let items: [Node]
    let isWorkflow: Bool
    var step = 0
    var phase = WorkPhase.waiting
    /// The activation that it is bound to; nil if it waits for its item to be active.
    private var activity: Int?

    init(_ items: [Node], isWorkflow: Bool) {
      self.items = items
      self.isWorkflow = isWorkflow
    }

    var item: Node { items[step] }
    var isBound: Bool { activity != nil }
    var isLost: Bool { activity.map { $0 != item.activity } ?? false }

    func enter() { activity = item.acceptsWork ? item.activity : nil }

    /// The program no longer waits for it. A step that runs is not interrupted.
    func dispose() {
      guard isWorkflow else { return }
      switch phase {
      case .waiting: phase = .disposed
      case .working: phase = .disposedWorking
      case .disposedWorking, .completed, .failed, .disposed: break
      }
    }
  }

  func prepareChild(of node: Node) {
    guard node.acceptsWork else { return refuse(.taskWhileInactive, at: node) }
    guard node.isInTree else { return refuse(.taskOutsideTree, at: node) }
    guard !hasEnded else { return refuse(.taskWhileInactive, at: node) }
    append(Pending([node], isWorkflow: false))
  }

  func startWorkflow(_ items: [Node]) {
    var next: Node? = items[0]
    while let node = next, !node.isInTree { next = node.parent }
    guard next != nil else { return refuse(.taskOutsideTree, at: items[0]) }
    guard !hasEnded else { return refuse(.taskWhileInactive, at: items[0]) }
    append(Pending(items, isWorkflow: true))
  }

  private func append(_ work: Pending) {
    pending.append(work)
    work.enter()
  }

  /// What happens between two turns: work begins, unless its scope has ended.
  func settle() {
    for work in pending where work.phase == .waiting {
      if !work.isBound, !hasEnded { work.enter() }
      if work.isLost {
        work.phase = .failed
      } else if work.isBound {
        work.phase = .working
      } else if hasEnded {
        work.phase = .failed
      }
    }
  }

  /// Lets a piece of work continue that has begun.
  func finish(_ work: Pending) {
    guard work.phase == .working || work.phase == .disposedWorking else { return }
    if work.isWorkflow { finishStep(of: work) } else { finishPreparing(work) }
  }

  private func finishPreparing(_ work: Pending) {
    work.phase = work.isLost ? .failed : .completed
    guard !work.isLost else { return }
    let child = addNode()
    record(.built, child)
    if !work.isLost { attach(child, to: work.item) }
  }

  private func finishStep(of work: Pending) {
    record(.stepped, work.item)
    if work.phase == .disposedWorking {
      work.phase = .disposed
    } else if work.isLost {
      work.phase = .failed
    } else if work.step == work.items.count - 1 {
      work.phase = .completed
    } else {
      work.step += 1
      work.phase = .waiting
      work.enter()
    }
  }
}

/// How far a piece of work is.
enum WorkPhase {
  /// It has not begun, or waits for its item to be active.
  case waiting
  /// It has begun, and waits for the walk.
  case working
  /// It was disposed of then.
  case disposedWorking
  case completed, failed, disposed
}
