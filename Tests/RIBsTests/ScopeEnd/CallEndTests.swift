// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

/// An asynchronous call of a host at a moment, and what ends it then. The host is never dropped: the call holds it.
struct CallCase: Sendable, CustomTestStringConvertible {
  /// What the call is bound to.
  enum Scope: String, CaseIterable, Sendable {
    case root = "call of a host"
    case child = "call within a child"
    case worker = "call within a worker"
  }

  let scope: Scope
  let moment: WorkMoment
  let end: WorkEnd

  var testDescription: String { "\(scope.rawValue) | \(moment.rawValue) | \(end.rawValue)" }

  static let all: [CallCase] = Scope.allCases.flatMap { scope in
    [.unbegun, .suspended, .handled].flatMap { moment in
      ends(of: scope, at: moment).map { CallCase(scope: scope, moment: moment, end: $0) }
    }
  }

  private static func ends(of scope: Scope, at moment: WorkMoment) -> [WorkEnd] {
    WorkEnd.allCases.filter { end in
      switch end {
      case .endOfTree: true
      case .detach, .parentDetach: scope != .root
      // By hand, a root is left without an end of its tree.
      case .deactivation: scope != .root
      case .stop: scope == .worker
      // These come in a turn of their own, which follows that of the first step, or of the handler.
      case .cancellation, .timeout: moment != .unbegun
      case .shutdown: moment == .suspended
      case .drop, .supersession, .cancellationByKey, .disposal: false
      }
    }
  }
}

extension TaskOwner {
  fileprivate var scene: WorkScene? {
    ((self as? Scripted.Interactor)?.attachment ?? (self as? ScriptedWorker)?.attachment) as? WorkScene
  }
}

@Suite("An asynchronous call of a host whose scope ends", .folded)
struct CallEndTests {
  private let journal = Journal()
  private let answers = PendingResponses<String, Void>()
  private let clock = TestClock()
  private let caller = Shared<Task<String, Never>?>(nil)

  private func makeHost() async -> TreeHost<Scripted.RootRouter> {
    // Calls are named by their line; the work that ends a scope has a key.
    let configuration = TreeConfiguration(
      clock: clock, leakDetection: .off, eventKinds: [.taskStarted, .taskEnded, .taskFailed],
      onEvent: { [journal] event in
        if event.work?.hasPrefix("CallEndTests") == true { journal.write("\(event.kind)") }
      })
    return await TreeHost(configuration: configuration) { [journal, answers, caller, clock] in
      let scene = WorkScene(journal, answers)
      scene.cancelWork = { caller.value?.cancel() }
      scene.passTime = { clock.advance(by: .seconds(5)) }
      for interactor in [scene.root.interactor, scene.child.interactor] { interactor.attachment = scene }
      scene.worker.attachment = scene
      scene.root.attachment = scene
      scene.root.interactor.onFail = { [journal] _ in journal.write("didFail") }
      scene.root.interactor.onResign = { [weak root = scene.root] _ in root?.attachment = nil }
      return scene.root
    }
  }

  /// Ends the scope of a call, in a turn of the tree, or what comes from outside.
  private func end(_ which: CallCase, _ scene: WorkScene) { scene.end(by: which.end, WorkKind(form: .task), in: nil) }

  /// The closure of a call.
  private nonisolated(nonsending) func work(_ which: CallCase, _ scene: WorkScene?) async throws {
    journal.write("begun")
    try await answers.answer(to: "work")
    journal.write("returned")
    journal.write("handled")
    if which.moment == .handled, let scene { end(which, scene) }
  }

  /// Finds the owner of the work. For an end before the first step, it first starts the work that ends the scope.
  private func find(_ which: CallCase, _ root: Scripted.RootRouter) -> TaskOwner? {
    guard let scene = root.attachment as? WorkScene else { return nil }
    if which.moment == .unbegun {
      scene.root.interactor.task("end", overlap: .concurrent) { self.end(which, scene) }
    }
    return switch which.scope {
    case .root: scene.root.interactor
    case .child: scene.child.interactor
    case .worker: scene.worker
    }
  }

  /// Calls, and returns how the call ends.
  private func call(_ which: CallCase, _ host: TreeHost<Scripted.RootRouter>) async -> String {
    let timeout: Duration? = which.end == .timeout ? .seconds(5) : nil
    do {
      if which.scope == .root, which.moment != .unbegun {
        try await host.perform(timeout: timeout) { root in
          try await work(which, root.attachment as? WorkScene)
        }
      } else {
        try await host.perform(within: { root in find(which, root) }, timeout: timeout) { owner in
          try await work(which, owner.scene)
        }
      }
      return "answer"
    } catch {
      return "\(type(of: error))"
    }
  }

  private func possibleAnswers(_ which: CallCase) -> [String] {
    switch which.end {
    case .cancellation: [which.moment == .handled ? "answer" : "CancellationError"]
    // The caller is answered off the tree, perhaps before the handler has returned.
    case .timeout: which.moment == .handled ? ["answer", "TimedOut"] : ["TimedOut"]
    default: ["TreeEnded"]
    }
  }

  @Test(
    "never begins or continues after its end, is answered once as what it is, and no didFail receives it",
    arguments: CallCase.all)
  func ends(_ which: CallCase) async throws {
    let host = await makeHost()
    let calling = Task { await call(which, host) }
    caller.value = calling
    if which.moment != .unbegun {
      while !answers.questions.contains("work") { await Task.yield() }
      if which.end == .timeout { await clock.waitForSleeper() }
    }
    switch (which.moment, which.end) {
    case (.handled, _): answers.respond(with: ())
    case (.unbegun, _): break
    case (_, .shutdown):
      journal.write("end")
      await host.shutdown()
    default: try await host.perform { root in if let scene = root.attachment as? WorkScene { end(which, scene) } }
    }
    #expect(possibleAnswers(which).contains(await calling.value))
    let isTimedOut = which.end == .timeout && which.moment == .suspended
    // The work may end after the answer.
    if isTimedOut { await journal.wait(for: "taskFailed") }
    await host.shutdown()
    let before =
      switch which.moment {
      case .unbegun: [String]()
      case .suspended: ["begun"]
      default: ["begun", "returned", "handled"]
      }
    #expect(journal.lines == ["taskStarted"] + before + ["end", isTimedOut ? "taskFailed" : "taskEnded"])
  }
}
