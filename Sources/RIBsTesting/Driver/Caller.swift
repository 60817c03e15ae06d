internal import Foundation

/// Who calls: a task, or a thread that runs none.
enum Caller: Hashable, Sendable {
  case task(Int)
  case thread(ObjectIdentifier)

  static var current: Caller {
    withUnsafeCurrentTask { task in task.map { .task($0.hashValue) } } ?? .thread(currentThread)
  }

  /// The thread that calls, whatever it runs.
  static var currentThread: ObjectIdentifier { ObjectIdentifier(Thread.current) }
}
