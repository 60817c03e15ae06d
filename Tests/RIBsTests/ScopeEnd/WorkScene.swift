// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsLists
import RIBsTesting

/// A RIB with a parent and a worker, whose work writes each of its parts to a journal.
final class WorkScene {
  let journal: Journal
  /// What work asks where it suspends.
  let answers: PendingResponses<String, Void>
  let root = Scripted.RootRouter()
  let parent = Scripted.ChildRouter()
  let child = Scripted.ChildRouter()
  let worker = ScriptedWorker()
  /// What the operation does last on the tree.
  var onReturned: () -> Void = {}
  /// What the handler of the work does last.
  var onHandled: () -> Void = {}
  /// Releases the only reference to the tree.
  var dropTree: () -> Void = {}
  /// Cancels the work alone.
  lazy var cancelWork: () -> Void = { [unowned self] in handle?.cancel() }
  /// The timeout of the work.
  var timeout: Duration?
  /// Moves the tree's clock past the timeout.
  var passTime: () -> Void = {}
  private(set) var workflowRun: (any Disposable)?
  private(set) var handle: BoundWork.Handle?
  private var list: ChildList<SceneModel>?
  private var pager: Pager<Int>?
  private var isReplacingPage = false
  private var slot: ChildSlot<Int>?

  init(_ journal: Journal = Journal(), _ answers: PendingResponses<String, Void> = PendingResponses()) {
    self.journal = journal
    self.answers = answers
    parent.expectsReattachment = true
    child.expectsReattachment = true
    child.interactor.onFail = { [journal] _ in journal.write("didFail") }
    worker.onFail = { [journal] _ in journal.write("didFail") }
    worker.start(child.interactor)
    parent.attachChild(child)
    root.attachChild(parent)
  }

  private func handled() {
    journal.write("handled")
    onHandled()
  }

  // MARK: Starting

  func start(_ kind: WorkKind) {
    switch kind.form {
    case .task, .workerTask: startTask(of: owner(of: kind), kind.overlap, kind.hasCaptureList)
    case .run, .workerRun: startRun(of: owner(of: kind), kind.overlap)
    case .preparing: startPreparing(kind.overlap)
    case .slices: startSlices()
    case .firstStep: startFirstStep(kind.hasCaptureList)
    case .secondStep: startSecondStep(kind.hasCaptureList)
    case .listUpdate: startListUpdate()
    case .page: startPage()
    case .pause: startPause()
    }
  }

  private func owner(of kind: WorkKind) -> TaskOwner { kind.isOfWorker ? worker : child.interactor }

  private nonisolated(nonsending) func work() async throws {
    journal.write("begun")
    try await answers.answer(to: "work")
    journal.write("returned")
    onReturned()
  }

  private func startTask(of owner: TaskOwner, _ overlap: BoundWork.OverlapPolicy?, _ hasCaptureList: Bool) {
    switch (overlap, hasCaptureList) {
    case (nil, false):
      handle = owner.task(timeout: timeout) {
        try await self.work()
        self.handled()
      }
    case (nil, true):
      handle = owner.task(timeout: timeout) { [self] in
        try await work()
        handled()
      }
    case (let overlap?, false):
      handle = owner.task("key", overlap: overlap, timeout: timeout) {
        try await self.work()
        self.handled()
      }
    case (let overlap?, true):
      handle = owner.task("key", overlap: overlap, timeout: timeout) { [self] in
        try await work()
        handled()
      }
    }
  }

  /// What runs off the tree.
  private var awayWork: @Sendable () async throws -> Void {
    { [journal, answers] in
      journal.write("begun")
      try await answers.answer(to: "work")
      journal.write("returned")
    }
  }

  private func startRun(of owner: TaskOwner, _ overlap: BoundWork.OverlapPolicy?) {
    if let overlap {
      handle = owner.run("key", overlap: overlap, timeout: timeout, awayWork) { self.handled() }
    } else {
      handle = owner.run(timeout: timeout, awayWork) { self.handled() }
    }
  }

  private func startPreparing(_ overlap: BoundWork.OverlapPolicy?) {
    if let overlap {
      handle = child.attach("key", overlap: overlap, preparing: { [awayWork] in try await prepare(awayWork) }) { _ in
        self.handled()
      }
    } else {
      handle = child.attach(preparing: { [awayWork] in try await prepare(awayWork) }) { _ in self.handled() }
    }
  }

  private func startSlices() {
    handle = child.attachChildren(for: ["begun", "returned"], inSlicesOf: .zero) { part in
      self.journal.write(part)
      return Scripted.LeafRouter()
    } finished: {
      self.handled()
    }
  }

  private func startFirstStep(_ hasCaptureList: Bool) {
    let workflow = Workflow<Scripted.Interactor>()
    if hasCaptureList {
      workflow
        .onStep(timeout: timeout) { [self] child in
          try await work()
          return (child, ())
        }
        .onStep { [self] child, _ in (child, handled()) }
        .commit()
    } else {
      workflow
        .onStep(timeout: timeout) { child in
          try await self.work()
          return (child, ())
        }
        .onStep { child, _ in (child, self.handled()) }
        .commit()
    }
    workflowRun = workflow.subscribe(child.interactor)
  }

  private func startSecondStep(_ hasCaptureList: Bool) {
    let workflow = Workflow<Scripted.Interactor>()
    let first = workflow.onStep { child in
      self.journal.write("first step")
      try await self.answers.answer(to: "first step")
      return (child, ())
    }
    if hasCaptureList {
      first
        .onStep(timeout: timeout) { [self] child, _ in
          try await work()
          return (child, handled())
        }
        .commit()
    } else {
      first
        .onStep(timeout: timeout) { child, _ in
          try await self.work()
          return (child, self.handled())
        }
        .commit()
    }
    workflowRun = workflow.subscribe(child.interactor)
  }

  private func startListUpdate() {
    let list = ChildList<SceneModel>(of: child) { [weak self] _, _ in
      self?.handled()
      return SceneRouter()
    }
    self.list = list
    list.setNeedsUpdate {
      self.journal.write("begun")
      self.journal.write("returned")
      return [SceneModel(id: 1)]
    }
  }

  private func startPage() {
    let pager = Pager<Int>(of: child.interactor) { batch in
      if self.isReplacingPage {
        self.journal.write("successor")
        batch.cancel()
      } else {
        try await self.work()
        batch.complete([1], isLast: true)
      }
    }
    self.pager = pager
    // A request that is cancelled later leaves the loaded page.
    pager.state.asObservable().filter { if case .loaded = $0 { true } else { false } }.take(1)
      .subscribe(onNext: { _ in self.handled() })
      .disposeOnDeactivate(interactor: child.interactor)
    pager.loadMore()
  }

  /// Starts the pause after which a slot builds a child anew.
  private func startPause() {
    var isRestart = false
    let restarts = Restarts.upTo(3, within: .seconds(600), after: .exponential(from: .seconds(1), jitter: 0))
    let slot = ChildSlot<Int>(of: child, restarts: restarts) { [weak self] _, _ in
      if isRestart { self?.handled() }
      return Scripted.LeafRouter()
    }
    self.slot = slot
    slot.route = 1
    isRestart = true
    (slot.child as? Scripted.LeafRouter)?.interactor.fail(Failure())
  }

  /// Starts other work of the same name, which ends when it is answered.
  func startPredecessor(of kind: WorkKind) {
    owner(of: kind).task("key", overlap: .concurrent) { try? await self.answers.answer(to: "before") }
  }

  // MARK: Ending

  func end(by end: WorkEnd, _ kind: WorkKind, in tree: Tree?) {
    journal.write("end")
    switch end {
    case .detach: parent.detachChild(child)
    case .parentDetach: root.detachChild(parent)
    case .deactivation: child.interactor.deactivate()
    case .endOfTree: if let tree { tree.end() } else { child.interactor.endTree() }
    case .shutdown: break
    case .drop: dropTree()
    case .cancellation: cancelWork()
    case .cancellationByKey: owner(of: kind).cancel("key")
    case .timeout: passTime()
    case .disposal:
      workflowRun?.dispose()
      pager?.dispose()
      slot?.route = nil
    case .stop: worker.stop()
    case .supersession where kind.form == .page:
      isReplacingPage = true
      pager?.reload()
    case .supersession:
      owner(of: kind).task("key", overlap: .cancelPrevious) { self.journal.write("successor") }
    }
  }
}

private struct SceneModel: Identifiable, Equatable {
  let id: Int
}

private final class SceneRouter: Scripted.Router, ModelRouting {
  func didUpdate(to model: SceneModel, from previous: SceneModel) {}
}

@concurrent
private func prepare(_ work: @Sendable () async throws -> Void) async throws -> sending Scripted.LeafRouter {
  try await work()
  return Scripted.LeafRouter()
}
