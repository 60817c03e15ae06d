// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The calling task, or the calling thread if it runs no task.
enum Caller: Hashable, Sendable {
  case task(Int)
  case thread(ObjectIdentifier)

  static var current: Caller {
    withUnsafeCurrentTask { task in task.map { .task($0.hashValue) } } ?? .thread(currentThread)
  }

  /// The calling thread, whether or not it runs a task.
  static var currentThread: ObjectIdentifier { ObjectIdentifier(Thread.current) }
}
