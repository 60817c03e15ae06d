// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import RIBsStore

@Suite("Connections to a database whose library blocks", .timeLimit(.minutes(15)), .tearsDown)
struct BlockingConnectionsTests {
  private enum Failure: Error { case final, passing, lost, timedOut, closed }

  private final class Connection {
    let number: Int
    private let server: Server

    init(_ number: Int, _ server: Server) { (self.number, self.server) = (number, server) }

    deinit { server.state.withLock { $0.open -= 1 } }
  }

  private final class Server: Sendable {
    struct State {
      /// The connections.
      var (opened, open, lost): (Int, Int, [Int]) = (0, 0, [])
      /// What the next attempts to connect, and then the next calls, throw.
      var (refusals, failures): ([Failure], [Failure]) = ([], [])
      /// On which connections calls were tried.
      var attempts: [Int] = []
    }

    let state = Mutex(State())

    private func connect() throws -> Connection {
      let number = try state.withLock { state in
        if !state.refusals.isEmpty { throw state.refusals.removeFirst() }
        state.opened += 1
        state.open += 1
        return state.opened
      }
      return Connection(number, self)
    }

    /// A call.
    func run(on connection: Connection) throws -> Int {
      try state.withLock { state in
        state.attempts.append(connection.number)
        if !state.failures.isEmpty { throw state.failures.removeFirst() }
        return connection.number
      }
    }

    func connections(
      _ threads: Int, timeout: Duration = .seconds(60), idleAfter: Duration = .seconds(60)
    ) -> BlockingConnections<Connection> {
      let connections = BlockingConnections<Connection>(
        timeout: timeout, idleAfter: idleAfter, timedOut: Failure.timedOut, closed: Failure.closed,
        failing: { error in
          switch error as? Failure {
          case .passing: ConnectionFailure(isPassing: true, losesConnection: false)
          case .lost: ConnectionFailure(isPassing: true, losesConnection: true)
          default: .final
          }
        },
        opening: { try self.connect() },
        losing: { lost in self.state.withLock { $0.lost.append(lost.number) } })
      connections.addThreads(threads)
      atEnd { await connections.close() }
      return connections
    }
  }

  @Test("are opened by calls, shared by those that take turns, and closed at the end")
  func one() async throws {
    let server = Server()
    let connections = server.connections(3)
    #expect(server.state.withLock { $0.opened } == 0)
    for _ in 0..<20 { #expect(try await connections.perform { $0.number } == 1) }
    await connections.close()
    #expect(server.state.withLock { $0.open } == 0)
    await #expect(throws: Failure.closed) { try await connections.perform { $0.number } }
  }

  @Test("are several when calls wait, and one thread is left for urgent calls")
  func several() async throws {
    let server = Server()
    let connections = server.connections(3)
    let (gate, journal) = (DispatchSemaphore(value: 0), Journal())
    let calls = (0..<4).map { _ in
      Task {
        try await connections.perform { connection in
          journal.write("runs")
          gate.wait()
          return connection.number
        }
      }
    }
    await journal.wait(for: "runs", count: 2)
    #expect(try await connections.perform(isUrgent: true) { $0.number } == 3)
    for _ in calls { gate.signal() }
    var numbers: Set<Int> = []
    for call in calls { numbers.insert(try await call.value) }
    #expect(numbers.isSuperset(of: [1, 2]) && numbers.isSubset(of: [1, 2, 3]))
    await connections.close()
    #expect(server.state.withLock { $0.open } == 0)
  }

  @Test("repeat calls after errors that may pass, on another connection if theirs is lost")
  func repeating() async throws {
    let server = Server()
    server.state.withLock { ($0.refusals, $0.failures) = ([.passing], [.passing, .lost]) }
    let connections = server.connections(1)
    #expect(try await connections.perform { try server.run(on: $0) } == 2)
    #expect(server.state.withLock { $0.attempts } == [1, 1, 2])
    #expect(server.state.withLock { $0.lost } == [1])
    server.state.withLock { $0.failures = [.final] }
    await #expect(throws: Failure.final) { try await connections.perform { try server.run(on: $0) } }
    #expect(server.state.withLock { $0.attempts } == [1, 1, 2, 2])
  }

  @Test("repeat no call after its timeout, and then it has the last error")
  func timeout() async throws {
    let server = Server()
    let connections = server.connections(1, timeout: .milliseconds(50))
    server.state.withLock { $0.failures = Array(repeating: .passing, count: 1_000) }
    let failure = await #expect(throws: Failure.self) { try await connections.perform { try server.run(on: $0) } }
    #expect(failure == .passing || failure == .timedOut)
    server.state.withLock { $0.failures = [] }
    var answer: Int?
    while answer == nil { answer = try? await connections.perform { try server.run(on: $0) } }
    #expect(answer == 1)
  }

  @Test("are closed when they are rarely in use, except the last")
  func idle() async throws {
    let server = Server()
    let connections = server.connections(3, idleAfter: .milliseconds(20))
    let calls = (0..<2).map { _ in
      Task {
        try await connections.perform { _ in
          // Until the other one is opened.
          while server.state.withLock({ $0.opened }) < 2 {}
        }
      }
    }
    for call in calls { try await call.value }
    while server.state.withLock({ $0.open }) > 1 { await Task.yield() }
    try await Task.sleep(for: .milliseconds(60))
    #expect(server.state.withLock { $0.open } == 1)
    #expect(try await connections.perform { $0.number } <= 2)
  }

  @Test("are needed when a call waits for 5 ms, or those of a second for 50 ms together")
  func patience() {
    var queue = CallQueue.State()
    (queue.threads, queue.connections) = (3, 1)
    var now = ContinuousClock.now
    func put() {
      queue.put(.init(isUrgent: false, time: now, deadline: now, run: { _ in {} }, fail: { _ in }), isFirst: false)
    }
    // Each call waits for 3 ms, and is answered at once. 16 have waited for 48 ms.
    for count in 1...17 {
      put()
      now += .milliseconds(3)
      #expect(!queue.needsConnection(at: now), "\(count)")
      let call = queue.take(at: now)
      #expect(call != nil)
      queue.running -= 1
    }
    #expect(queue.needsConnection(at: now))
    now += .seconds(1)
    put()
    let call = queue.take(at: now)
    #expect(call != nil)
    queue.running -= 1
    #expect(!queue.needsConnection(at: now))
    put()
    #expect(!queue.needsConnection(at: now + .microseconds(4_999)))
    #expect(queue.needsConnection(at: now + .milliseconds(5)))
  }
}
