import Dispatch

/// Runs what it is handed on a dispatch queue, which one core at a time serves.
final class QueueExecutor: TaskExecutor {
  private let queue: DispatchQueue

  init(_ number: Int) { queue = DispatchQueue(label: "executor \(number)") }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
