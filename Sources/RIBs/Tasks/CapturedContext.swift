// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The context in which work was requested: its task-local values and its priority. Runs code in it later, on the tree.
///
/// The context is that of a Swift task, which is created when the work is requested and waits until `run(_:)`. The code
/// runs as its only step, inside the calling job: Swift has no other way to restore task-local values, or to run code
/// without those of the caller.
final class CapturedContext {
  /// The code that is to run. A separate object, which the Swift task may retain longer.
  fileprivate final class Call: TreeConfined {
    fileprivate var body: (() -> Void)?

    func make() {
      let body = body
      self.body = nil
      body?()
    }
  }

  private let call = Call()
  private let starter: TaskStarter
  /// The job of the Swift task, until it runs.
  private var job: UnownedJob?

  init(_ context: BoundWork.Context, on actor: any Actor, _ starter: TaskStarter) {
    self.starter = starter
    let box = IsolationBox(call)
    job = starter.make { executor in context.task(on: executor) { CapturedContext.make(box, on: actor) } }.job
  }

  // Runs the job of discarded work, which then does nothing, so that the Swift task ends and is released.
  deinit { runJob() }

  /// Runs code in the context, synchronously. Called once, on the tree's actor.
  func run(_ body: () -> Void) {
    withoutActuallyEscaping(body) { body in
      call.body = body
      runJob()
      // Without a job the code runs in the context of the caller.
      call.make()
    }
  }

  /// Called by the Swift task, whose job runs on the actor.
  private static func make(_ box: IsolationBox, on actor: any Actor) {
    actor.assumeIsolated { $0.with(box) { (call: Call) in call.make() } }
  }

  private func runJob() {
    if let job = job.take() { starter.runAtOnce(job) }
  }
}
