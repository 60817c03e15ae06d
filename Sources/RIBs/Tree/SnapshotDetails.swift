/// What is bound to a RIB of a snapshot, and what the RIB says of itself.
final class SnapshotDetails: Sendable {
  /// The tasks and workers as they were met, whose names are made when they are read; or else the names that were read.
  private enum Work {
    case met(tasks: [TaskOrigin], workers: [Worker.Type])
    case named(tasks: [String], workers: [String])
  }

  private let work: Work
  let subscriptions: Int
  let summary: String?

  private init(_ work: Work, subscriptions: Int, summary: String?) {
    self.work = work
    self.subscriptions = subscriptions
    self.summary = summary
  }

  func with(summary: String) -> SnapshotDetails {
    SnapshotDetails(work, subscriptions: subscriptions, summary: summary)
  }

  init(tasks: [TaskOrigin], workers: [Worker.Type], subscriptions: Int, summary: String?) {
    work = .met(tasks: tasks, workers: workers)
    self.subscriptions = subscriptions
    self.summary = summary
  }

  init(tasks: [String], workers: [String], subscriptions: Int, summary: String?) {
    work = .named(tasks: tasks, workers: workers)
    self.subscriptions = subscriptions
    self.summary = summary
  }

  var tasks: [String] {
    switch work {
    case .met(let tasks, _): tasks.map(\.name)
    case .named(let tasks, _): tasks
    }
  }

  var workers: [String] {
    switch work {
    case .met(_, let workers): workers.map { String(describing: $0) }
    case .named(_, let workers): workers
    }
  }
}
