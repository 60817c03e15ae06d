// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension BoundWork {
  /// The handle of bound work that was requested: whether it was started, whether it runs, and how to cancel it.
  ///
  /// `task`, `run` and `attach(preparing:)` return one. Bound work ends with its scope whether or not the handle is
  /// kept. The handle belongs to the tree, like everything that it was returned to.
  ///
  /// ```swift
  /// final class UploadInteractor: Interactor {
  ///   private var upload: BoundWork.Handle?
  ///
  ///   func start() { upload = task { try await Task.sleep(for: .seconds(60)) } }
  ///
  ///   func stop() { upload?.cancel() }
  /// }
  /// ```
  public struct Handle: Disposable, CustomStringConvertible {
    /// The outcome of the request.
    public let start: Start
    private let task: BoundTask?

    init(_ task: BoundTask?, _ start: Start) {
      self.start = start
      self.task = start == .ignored || start == .inactive ? nil : task
    }

    /// The identity of the work, which its events carry; nil while it is queued, and if it was not started.
    public var id: BoundWork.ID? { task.flatMap { $0.isCounted ? $0.work.id : nil } }

    /// Whether the work is queued or running. Cancelled work runs until its operation returns.
    public var isRunning: Bool { task?.hasEnded == false }

    /// Whether the work has ended, or was never started.
    public var hasEnded: Bool { !isRunning }

    /// Cancels the work. Work that has not begun never does; the result of work that has begun is discarded. A no-op if
    /// it has ended.
    public func cancel() { task?.cancel(.requested) }

    /// Cancels the work.
    public func dispose() { cancel() }

    /// The outcome of the request: `started`.
    public var description: String { "\(start)" }
  }
}

extension BoundWork {
  /// The outcome of a request to start bound work. It is decided before the request returns and before any task exists.
  public enum Start: Hashable, Sendable {
    /// The work was started.
    case started
    /// Nothing was started: work with that key is running.
    case ignored
    /// The work starts when the earlier work with that key has ended.
    case queued
    /// The work was started, and the earlier work with that key was cancelled.
    case replaced
    /// Nothing was started: the interactor is not active, belongs to no tree, or its tree is ending.
    case inactive
  }
}

extension BoundWork {
  /// The error of bound work that took longer than its timeout.
  public struct TimedOut: Error, Hashable, CustomStringConvertible {
    /// The timeout.
    public let timeout: Duration
    /// What the tree was busy with, if a call from outside was not begun within the timeout; nil if the work had begun.
    public let tree: ShutdownReport?

    /// Creates the error, for tests of code that handles it.
    public init(timeout: Duration) { self.init(timeout: timeout, tree: nil) }

    init(timeout: Duration, tree: ShutdownReport?) {
      self.timeout = timeout
      self.tree = tree
    }

    /// The timeout in words, with advice.
    public var description: String {
      if let tree { return "The call was not begun within \(timeout), and will not be. \(tree)" }
      return "Bound work was cancelled because it took longer than \(timeout). Set a longer timeout, or make the work "
        + "faster."
    }
  }
}
