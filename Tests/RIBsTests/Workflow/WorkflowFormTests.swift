// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import Testing

/// The ways to write a step that loses its actor without countermeasures (Swift 6.3), and the usual way.
enum StepForm: CaseIterable, Sendable {
  case plain, weakSelf, strongSelf, captured, taskGroup, cancellationHandler, taskLocal, method, stream
}

/// Counts without a lock in concurrent steps of many workflows.
final class SteppingInteractor: Interactor {
  private let form: StepForm
  private let rounds: Int
  private let strays: StrayCount
  private(set) var count = 0

  init(_ form: StepForm, rounds: Int, strays: StrayCount) {
    self.form = form
    self.rounds = rounds
    self.strays = strays
  }

  /// Counts up in each of three steps, two of them concurrent, of sixteen workflows in the tree.
  func begin(finished: AsyncStream<Void>.Continuation) {
    for workflow in makeWorkflows(finished) { workflow.subscribe(self).disposeOnDeactivate(interactor: self) }
  }

  /// Does the same on an actor, outside any tree.
  func begin(finished: AsyncStream<Void>.Continuation, isolation: isolated any Actor) {
    for workflow in makeWorkflows(finished) {
      workflow.subscribe(self, isolation: isolation).disposeOnDeactivate(interactor: self)
    }
  }

  private func makeWorkflows(_ finished: AsyncStream<Void>.Continuation) -> [Workflow<SteppingInteractor>] {
    (0..<16).map { _ in
      let workflow = Workflow<SteppingInteractor>()
      let shared = workflow.onStep { [self] item in
        await count(item)
        return (item, ())
      }
      for _ in 0..<2 { addStep(to: shared).onStep { item, _ in (item, finished.yield(())) }.commit() }
      return workflow
    }
  }

  private func step() {
    strays.check()
    let seen = count
    count = seen + 1
  }

  private func count(_ item: SteppingInteractor) async {
    for _ in 0..<rounds {
      item.step()
      await Task.yield()
    }
  }

  private func countStep(_ item: SteppingInteractor, _: Void) async -> (SteppingInteractor, Void)? {
    await count(item)
    return (item, ())
  }

  private typealias Steps<Value> = Step<SteppingInteractor, SteppingInteractor, Value>

  private func addStep(to shared: Steps<Void>) -> Steps<Void> {
    let rounds = rounds
    switch form {
    case .plain:
      return shared.onStep { item, _ in
        for _ in 0..<rounds {
          item.step()
          await Task.yield()
        }
        return (item, ())
      }
    case .weakSelf:
      return shared.onStep { [weak self] item, _ in
        for _ in 0..<rounds {
          self?.step()
          await Task.yield()
        }
        return (item, ())
      }
    case .strongSelf:
      return shared.onStep { [self] item, _ in
        for _ in 0..<rounds {
          step()
          await Task.yield()
        }
        return (item, ())
      }
    case .captured:
      return shared.onStep { [counter = self] item, _ in
        for _ in 0..<rounds {
          counter.step()
          await Task.yield()
        }
        return (item, ())
      }
    case .method: return shared.onStep(countStep)
    case .stream:
      return shared.onStep { item, _ in
        for _ in 0..<rounds { item.step() }
        return await BehaviorRelay(value: (item, ())).first()
      }
    default: return addNestingStep(to: shared)
    }
  }

  private func addNestingStep(to shared: Steps<Void>) -> Steps<Void> {
    let rounds = rounds
    switch form {
    case .taskGroup:
      return shared.onStep { item, _ in
        await withTaskGroup(of: Int.self) { group in
          group.addTask { await compute(1) }
          for _ in 1..<rounds {
            item.step()
            await Task.yield()
          }
          for await _ in group { item.step() }
        }
        return (item, ())
      }
    case .cancellationHandler:
      return shared.onStep { item, _ in
        await withTaskCancellationHandler {
          for _ in 0..<rounds {
            item.step()
            await Task.yield()
          }
        } onCancel: {
        }
        return (item, ())
      }
    default:
      return shared.onStep { item, _ in
        await Mark.$value.withValue(7) {
          for _ in 0..<rounds {
            item.step()
            await Task.yield()
          }
        }
        return (item, ())
      }
    }
  }
}

@Suite("Every form of a workflow's step", .folded)
struct WorkflowFormTests {
  private static let rounds = 200
  private static let total = 16 * 3 * rounds

  @Test("runs on the actor of a host, and loses no count", arguments: StepForm.allCases)
  func host(_ form: StepForm) async throws {
    let (finished, finish) = AsyncStream<Void>.makeStream()
    let host = await TreeHost {
      Router(interactor: SteppingInteractor(form, rounds: Self.rounds, strays: StrayCount { true }))
    }
    try await host.perform { root in root.interactor.begin(finished: finish) }
    await self.wait(for: 32, in: finished)
    #expect(try await host.perform { root in root.interactor.count } == Self.total)
    await host.shutdown()
  }

  @Test(
    "runs on the main actor, in a tree and outside, and loses no count", arguments: StepForm.allCases, [true, false])
  @MainActor
  func mainActor(_ form: StepForm, isInTree: Bool) async {
    let (finished, finish) = AsyncStream<Void>.makeStream()
    let strays = StrayCount { MainQueue.isCurrent }
    let interactor = SteppingInteractor(form, rounds: Self.rounds, strays: strays)
    let tree = isInTree ? Tree(root: Router(interactor: interactor)) : nil
    if let tree {
      tree.launch()
      interactor.begin(finished: finish)
    } else {
      interactor.activate()
      interactor.begin(finished: finish, isolation: MainActor.shared)
    }
    #expect(interactor.count == 0)
    await self.wait(for: 32, in: finished)
    #expect(interactor.count == Self.total)
    #expect(strays.value == 0)
    if let tree { await tree.shutdown() } else { interactor.deactivate() }
  }

  private func wait(for number: Int, in stream: AsyncStream<Void>) async {
    var iterator = stream.makeAsyncIterator()
    for _ in 0..<number { _ = await iterator.next() }
  }
}
