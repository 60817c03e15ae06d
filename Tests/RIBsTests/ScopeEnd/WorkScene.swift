import TestSupport
import RIBs
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
  private(set) var workflowRun: (any Disposable)?
  private var handle: WorkHandle?

  init(_ journal: Journal = Journal(), _ answers: PendingResponses<String, Void> = PendingResponses()) {
    self.journal = journal
    self.answers = answers
    parent.expectsReattachment = true
    child.expectsReattachment = true
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
    case .task: startTask(kind.overlap, kind.hasCaptureList)
    case .run: startRun(kind.overlap)
    case .preparing: startPreparing(kind.overlap)
    case .slices: startSlices()
    case .workerTask: startWorkerTask(kind.overlap, kind.hasCaptureList)
    case .workerRun: startWorkerRun(kind.overlap)
    case .firstStep: startFirstStep(kind.hasCaptureList)
    case .secondStep: startSecondStep(kind.hasCaptureList)
    }
  }

  private nonisolated(nonsending) func work() async throws {
    journal.write("begun")
    try await answers.answer(to: "work")
    journal.write("returned")
    onReturned()
  }

  private func startTask(_ overlap: OverlapPolicy?, _ hasCaptureList: Bool) {
    let interactor = child.interactor
    switch (overlap, hasCaptureList) {
    case (nil, false):
      handle = interactor.task {
        try await self.work()
        self.handled()
      }
    case (nil, true):
      handle = interactor.task { [self] in
        try await work()
        handled()
      }
    case (let overlap?, false):
      handle = interactor.task("key", overlap: overlap) {
        try await self.work()
        self.handled()
      }
    case (let overlap?, true):
      handle = interactor.task("key", overlap: overlap) { [self] in
        try await work()
        handled()
      }
    }
  }

  private func startWorkerTask(_ overlap: OverlapPolicy?, _ hasCaptureList: Bool) {
    switch (overlap, hasCaptureList) {
    case (nil, false):
      handle = worker.task {
        try await self.work()
        self.handled()
      }
    case (nil, true):
      handle = worker.task { [self] in
        try await work()
        handled()
      }
    case (let overlap?, false):
      handle = worker.task("key", overlap: overlap) {
        try await self.work()
        self.handled()
      }
    case (let overlap?, true):
      handle = worker.task("key", overlap: overlap) { [self] in
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

  private func startRun(_ overlap: OverlapPolicy?) {
    if let overlap {
      handle = child.interactor.run("key", overlap: overlap, awayWork) { self.handled() }
    } else {
      handle = child.interactor.run(awayWork) { self.handled() }
    }
  }

  private func startWorkerRun(_ overlap: OverlapPolicy?) {
    if let overlap {
      handle = worker.run("key", overlap: overlap, awayWork) { self.handled() }
    } else {
      handle = worker.run(awayWork) { self.handled() }
    }
  }

  private func startPreparing(_ overlap: OverlapPolicy?) {
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
        .onStep { [self] child in
          try await work()
          return (child, ())
        }
        .onStep { [self] child, _ in (child, handled()) }
        .commit()
    } else {
      workflow
        .onStep { child in
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
        .onStep { [self] child, _ in
          try await work()
          return (child, handled())
        }
        .commit()
    } else {
      first
        .onStep { child, _ in
          try await self.work()
          return (child, self.handled())
        }
        .commit()
    }
    workflowRun = workflow.subscribe(child.interactor)
  }

  /// Starts other work of the same name, which ends when it is answered.
  func startPredecessor(of kind: WorkKind) {
    if kind.isOfWorker {
      worker.task("key", overlap: .concurrent) { try? await self.answers.answer(to: "before") }
    } else {
      child.interactor.task("key", overlap: .concurrent) { try? await self.answers.answer(to: "before") }
    }
  }

  // MARK: Ending

  func end(by end: WorkEnd, _ kind: WorkKind, in tree: Tree?) {
    journal.write("end")
    switch end {
    case .detach: parent.detachChild(child)
    case .parentDetach: root.detachChild(parent)
    case .deactivation: child.interactor.deactivate()
    case .endOfTree: tree?.end()
    case .drop: dropTree()
    case .cancellation: handle?.cancel()
    case .cancellationByKey: if kind.isOfWorker { worker.cancel("key") } else { child.interactor.cancel("key") }
    case .disposal: workflowRun?.dispose()
    case .stop: worker.stop()
    case .supersession:
      if kind.isOfWorker {
        worker.task("key", overlap: .cancelPrevious) { self.journal.write("successor") }
      } else {
        child.interactor.task("key", overlap: .cancelPrevious) { self.journal.write("successor") }
      }
    }
  }
}

@concurrent
private func prepare(_ work: @Sendable () async throws -> Void) async throws -> sending Scripted.LeafRouter {
  try await work()
  return Scripted.LeafRouter()
}
