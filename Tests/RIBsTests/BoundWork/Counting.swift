// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RIBs
import Synchronization

/// How bound work can be written.
enum Form: String, CaseIterable, Sendable {
  case plain, weakSelf, strongSelf, captured
  case taskGroup, throwingTaskGroup, cancellationHandler, taskLocal
  case method, methodReference, asyncLet, asyncStream, streamValues, continuation
  case deferred, nonisolatedCallee, otherActor, throwing

  /// Those that leave the actor without a task executor preference (Swift 6.3).
  static let defective: [Form] = [
    .weakSelf, .strongSelf, .captured, .taskGroup, .throwingTaskGroup, .cancellationHandler, .taskLocal,
  ]
}

enum Mark { @TaskLocal static var value = 0 }

/// Counts without a lock from many tasks at once, and notices each step that is not taken on its actor.
final class Counting: Interactor {
  let form: Form
  let tasks: Int
  let rounds: Int
  /// How many steps were taken elsewhere than at home.
  let strays: StrayCount
  /// Where the tasks are started without the cure, if they are.
  var uncured: QueueActor?
  private let finished: AsyncStream<Void>.Continuation
  private(set) var count = 0
  private(set) var errors = 0
  private var running: Int
  private var home: (any Actor)?

  init(_ form: Form, tasks: Int = 16, rounds: Int, strays: StrayCount, finished: AsyncStream<Void>.Continuation) {
    self.form = form
    self.tasks = tasks
    self.rounds = rounds
    self.strays = strays
    self.finished = finished
    running = tasks
  }

  /// Takes note of the actor by the one form that is at home without help, then starts the others.
  func begin() {
    if uncured != nil { return start() }
    task {
      self.home = #isolation
      self.start()
    }
  }

  override func didFail(_ error: any Error, of work: BoundWork) { errors += 1 }

  func step() {
    if let home { home.preconditionIsolated() }
    strays.check()
    let seen = count
    count = seen + 1
  }

  private func end() {
    running -= 1
    if running == 0 { finished.finish() }
  }

  private func bind(_ operation: nonisolated(nonsending) @escaping () async throws -> Void) {
    if let uncured {
      let work = Uncured(operation)
      Task { try await uncured.runWithoutCure(work) }
    } else {
      task(operation)
    }
  }

  private func start() { for _ in 0..<tasks { startOne() } }

  private func startOne() {
    let rounds = rounds
    switch form {
    case .plain:
      bind {
        for _ in 0..<rounds {
          self.step()
          await Task.yield()
        }
        self.end()
      }
    case .weakSelf:
      bind { [weak self] in
        for _ in 0..<rounds {
          self?.step()
          await Task.yield()
        }
        self?.end()
      }
    case .strongSelf:
      bind { [self] in
        for _ in 0..<rounds {
          step()
          await Task.yield()
        }
        end()
      }
    case .captured:
      bind { [counter = self] in
        for _ in 0..<rounds {
          counter.step()
          await Task.yield()
        }
        counter.end()
      }
    case .taskGroup, .throwingTaskGroup, .cancellationHandler, .taskLocal: startNested()
    default: startOther()
    }
  }

  private func startNested() {
    let rounds = rounds
    switch form {
    case .taskGroup:
      bind {
        await withTaskGroup(of: Int.self) { group in
          group.addTask { await compute(1) }
          for _ in 1..<rounds {
            self.step()
            await Task.yield()
          }
          for await _ in group { self.step() }
        }
        self.end()
      }
    case .throwingTaskGroup:
      bind {
        try await withThrowingTaskGroup(of: Int.self) { group in
          group.addTask { await compute(1) }
          for _ in 1..<rounds {
            self.step()
            await Task.yield()
          }
          for try await _ in group { self.step() }
        }
        self.end()
      }
    case .cancellationHandler:
      bind {
        await withTaskCancellationHandler {
          for _ in 0..<rounds {
            self.step()
            await Task.yield()
          }
        } onCancel: {
        }
        self.end()
      }
    default:
      bind {
        await Mark.$value.withValue(7) {
          for _ in 0..<rounds {
            if Mark.value == 7 { self.step() }
            await Task.yield()
          }
        }
        self.end()
      }
    }
  }

  private func startOther() {
    let rounds = rounds
    switch form {
    case .method: bind { await self.reload() }
    case .methodReference: bind(reload)
    case .asyncLet:
      bind {
        for _ in 0..<rounds {
          async let value = compute(1)
          self.step()
          _ = await value
        }
        self.end()
      }
    case .asyncStream:
      bind {
        let (numbers, source) = AsyncStream<Int>.makeStream()
        DispatchQueue.global().async {
          for number in 0..<rounds { source.yield(number) }
          source.finish()
        }
        for await _ in numbers { self.step() }
        self.end()
      }
    case .streamValues:
      bind {
        let relay = BehaviorRelay(value: 1)
        for await value in relay.values {
          self.step()
          if value == rounds { break }
          relay.accept(value + 1)
        }
        self.end()
      }
    case .continuation:
      bind {
        for _ in 0..<rounds {
          await withCheckedContinuation { continuation in
            self.step()
            DispatchQueue.global().async { continuation.resume() }
          }
        }
        self.end()
      }
    case .deferred:
      bind {
        for _ in 0..<rounds {
          defer { self.step() }
          await Task.yield()
        }
        self.end()
      }
    case .otherActor:
      bind {
        for round in 0..<rounds {
          _ = await Busy.shared.echo(round)
          self.step()
        }
        self.end()
      }
    case .nonisolatedCallee:
      bind {
        for round in 0..<rounds {
          _ = await compute(round)
          self.step()
        }
        self.end()
      }
    default:
      bind {
        for round in 0..<rounds {
          do { try await throwFailure(round) } catch { self.step() }
        }
        self.end()
        try await throwFailure(rounds)
      }
    }
  }

  private func reload() async {
    for _ in 0..<rounds {
      step()
      await Task.yield()
    }
    end()
  }
}

/// Counts the steps that were not taken where they should have been.
final class StrayCount: Sendable {
  private let isHome: @Sendable () -> Bool
  private let number = Atomic(0)

  init(isHome: @escaping @Sendable () -> Bool) { self.isHome = isHome }

  var value: Int { number.load(ordering: .sequentiallyConsistent) }

  func check() { if !isHome() { number.add(1, ordering: .sequentiallyConsistent) } }
}

/// An actor that all trees call.
private actor Busy {
  static let shared = Busy()

  func echo(_ number: Int) -> Int { number }
}

/// Runs wherever it likes.
@concurrent
func compute(_ number: Int) async -> Int {
  await Task.yield()
  return number
}

@concurrent
private func throwFailure(_ number: Int) async throws { throw Failure() }
