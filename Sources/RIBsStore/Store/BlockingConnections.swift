// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Foundation
internal import RIBs

/// Connections to a database whose library blocks, each with a thread of its own, for a store of yours.
///
/// **Number.** The first call opens a connection, and another one is opened when a call waits for 5 ms for a connection that
/// is in use, or the calls of a second wait for 50 ms together. One that is rarely in use is closed again, unless it is the
/// last. The last thread serves urgent calls only: a renewal of a lease must not wait behind calls that all wait for the same.
///
/// **Failures.** A call that fails with an error that may pass is repeated, before all others, on the same or a new
/// connection, until the timeout has passed since it was made. So its outcome may be unknown, and calls must be such that
/// they can be repeated. All functions of a `TreeStore` can.
///
/// ```swift
/// final class Database {
///   func run(_ statement: String) throws -> [String] { [statement] }
/// }
/// struct Closed: Error {}
/// let connections = BlockingConnections<Database>(
///   timeout: .seconds(4), idleAfter: .seconds(10), timedOut: Closed(), closed: Closed(),
///   failing: { _ in .final }, opening: { Database() })
/// connections.addThreads(4)
/// print(try await connections.perform { database in try database.run("SELECT 1") })
/// await connections.close()
/// ```
public final class BlockingConnections<Connection: AnyObject>: Sendable {
  private let settings: ConnectionSettings
  // Not generic, as the threads, because a generic class of another package is not specialized.
  private let calls = CallQueue()

  /// Creates connections without threads: calls wait until there are some.
  ///
  /// - Parameters:
  ///   - timeout: how long a call is tried.
  ///   - idleAfter: a connection that was in use for less than a twentieth of this time is closed, because a server has a
  ///     limited number for all processes.
  ///   - timedOut: the error of a call that was not begun in time.
  ///   - closed: the error of a call after `close()`.
  ///   - failing: what an error says, on any thread.
  ///   - open: opens a connection, on the thread that will use it. Its errors are those of the call that needs it.
  ///   - didLose: called with a connection that is lost, on its thread, before it is released.
  public init(
    timeout: Duration, idleAfter: Duration, timedOut: any Error, closed: any Error,
    failing: @escaping @Sendable (any Error) -> ConnectionFailure,
    opening open: @escaping @Sendable () throws -> Connection,
    losing didLose: @escaping @Sendable (Connection) -> Void = { _ in }
  ) {
    settings = ConnectionSettings(
      timeout: timeout.boundedTimeout, idleAfter: idleAfter.boundedTimeout, timedOut: timedOut, closed: closed,
      failing: failing, open: open,
      didLose: { didLose(BlockingConnections.connection($0)) })
  }

  deinit { calls.close(throwing: settings.closed) }

  /// Adds threads, each for one connection. With more than one, the last one is kept free for urgent calls.
  public func addThreads(_ count: Int) {
    for _ in 0..<max(count, 0) {
      calls.begin()
      Thread.detachNewThread { [settings, calls] in ConnectionThread(settings, calls).serve() }
    }
  }

  /// The connection that `open` has made.
  @inlinable
  static func connection(_ object: AnyObject) -> Connection {
    guard let connection = object as? Connection else { fatalError("A connection has another type.") }
    return connection
  }

  /// Runs a closure with a connection on its thread, and returns when it has returned.
  ///
  /// - Parameters:
  ///   - isUrgent: whether the call is answered before all others, because a lease may be about to end.
  ///   - body: may be called several times, after errors that may pass.
  /// - Throws: the last error of `body`, or of opening the connection.
  @inlinable
  public func perform<Value: Sendable>(
    isUrgent: Bool = false, _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      append(isUrgent: isUrgent, body) { continuation.resume(with: $0) }
    }
  }

  /// Runs a closure with a connection on its thread.
  ///
  /// - Parameters:
  ///   - isUrgent: whether the call is answered before all others.
  ///   - body: may be called several times, after errors that may pass.
  ///   - answer: called once, on the thread, with what `perform(isUrgent:_:)` returns or throws.
  @inlinable
  public func append<Value: Sendable>(
    isUrgent: Bool = false, _ body: @escaping @Sendable (Connection) throws -> Value,
    answer: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    append(
      isUrgent: isUrgent,
      running: { object in
        let value = try body(BlockingConnections.connection(object))
        return { answer(.success(value)) }
      }, failing: { answer(.failure($0)) })
  }

  @usableFromInline
  func append(
    isUrgent: Bool, running run: @escaping @Sendable (AnyObject) throws -> @Sendable () -> Void,
    failing fail: @escaping @Sendable (any Error) -> Void
  ) {
    calls.append(CallQueue.Call(isUrgent: isUrgent, deadline: .now + settings.timeout, run: run, fail: fail))
  }

  /// Closes the connections, and ends the threads, when the calls that were made before are answered. Later calls fail.
  public func close() async {
    await withCheckedContinuation { continuation in
      calls.close(throwing: settings.closed) { continuation.resume() }
    }
  }
}

/// What an error of a call says about repeating it, and about its connection.
public struct ConnectionFailure: Hashable, Sendable {
  /// The call fails again, on each connection.
  public static let final = ConnectionFailure(isPassing: false, losesConnection: false)

  /// Whether the same call may succeed soon.
  public let isPassing: Bool
  /// Whether other calls need another connection.
  public let losesConnection: Bool

  /// Creates a failure.
  public init(isPassing: Bool, losesConnection: Bool) {
    (self.isPassing, self.losesConnection) = (isPassing, losesConnection)
  }
}

private struct ConnectionSettings: Sendable {
  let timeout: Duration
  let idleAfter: Duration
  let timedOut: any Error
  let closed: any Error
  let failing: @Sendable (any Error) -> ConnectionFailure
  let open: @Sendable () throws -> AnyObject
  let didLose: @Sendable (AnyObject) -> Void
}

/// The thread of a connection: answers calls, and connects again when the connection is lost.
private final class ConnectionThread {
  private let settings: ConnectionSettings
  private let calls: CallQueue
  private var connection: AnyObject?
  /// When to decide whether the connection is needed, and how long calls have run on it since the last time.
  private var (reviewTime, useTime) = (ContinuousClock.now, Duration.zero)
  private var failures = 0

  init(_ settings: ConnectionSettings, _ calls: CallQueue) {
    (self.settings, self.calls) = (settings, calls)
  }

  func serve() {
    let signal = DispatchSemaphore(value: 0)
    loop: while true {
      if connection != nil, ContinuousClock.now >= reviewTime { review() }
      switch connection == nil ? calls.nextWithoutConnection(signal) : calls.next(signal, before: reviewTime) {
      case .call(let call): answer(call)
      case .timeout: continue
      case .closed: break loop
      }
    }
    if connection != nil { close() }
    calls.end()
  }

  private func close() {
    connection = nil
    calls.didClose()
  }

  /// Closes the connection if others can do its work. Another process may need it: a server has a limited number.
  private func review() {
    if useTime < settings.idleAfter / 20, calls.closesUnlessLast() { connection = nil }
    (useTime, reviewTime) = (.zero, .now + settings.idleAfter)
  }

  private func answer(_ call: CallQueue.Call) {
    guard ContinuousClock.now < call.deadline else {
      calls.didRun(call)
      return call.fail(settings.timedOut)
    }
    do {
      let answer = try run(call)
      calls.didRun(call)
      answer()
    } catch {
      calls.didRun(call)
      didFail(call, error)
    }
  }

  private func didFail(_ call: CallQueue.Call, _ error: any Error) {
    let failure = settings.failing(error)
    if failure.losesConnection, let connection {
      settings.didLose(connection)
      close()
    }
    guard failure.isPassing else { return call.fail(error) }
    if ContinuousClock.now < call.deadline { calls.putBack(call) } else { call.fail(error) }
    failures += 1
    // The first attempt is at once: after a restart of the server, each connection is lost only once.
    if failures > 1 {
      calls.wake()
      Thread.sleep(forTimeInterval: min(0.01 * pow(2, Double(failures)), 1) * .random(in: 0.5...1))
    }
  }

  private func run(_ call: CallQueue.Call) throws -> @Sendable () -> Void {
    let connection = try opened()
    let start = ContinuousClock.now
    let answer = try call.run(connection)
    useTime += start.duration(to: .now)
    failures = 0
    return answer
  }

  private func opened() throws -> AnyObject {
    if let connection { return connection }
    let opened = try settings.open()
    calls.didOpen()
    connection = opened
    (useTime, reviewTime) = (.zero, .now + settings.idleAfter)
    return opened
  }
}
