// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import RIBs
import Workloads

/// A server on SwiftNIO with a session for each connection, and clients of it: requests per second, by what a session is
/// and where it runs.
@main
struct Echo {
  /// What answers the requests of a connection.
  private enum Kind: String, CaseIterable {
    case actor = "an actor"
    case actorOnLoop = "an actor, in tasks on the event loop"
    case tree = "a tree"
    case treeOnLoop = "a tree, in tasks on the event loop"
  }

  private static let (connections, requests, rounds) = (16, 1_000, 5)

  static func main() async throws {
    var best: [Kind: Double] = [:]
    for _ in 0..<rounds {
      for kind in Kind.allCases { best[kind] = max(best[kind] ?? 0, try await rate(of: kind)) }
    }
    for kind in Kind.allCases {
      let (rate, ratio) = (best[kind] ?? 0, (best[kind] ?? 0) / (best[.actor] ?? 1))
      print("\(kind.rawValue): \(Int(rate)) requests/s, \(Int((ratio * 100).rounded())) % of an actor")
    }
  }

  /// Requests per second of all clients together.
  private static func rate(of kind: Kind) async throws -> Double {
    let (serverLoops, clientLoops) = (
      MultiThreadedEventLoopGroup(numberOfThreads: 1), MultiThreadedEventLoopGroup(numberOfThreads: 1)
    )
    let server = try await ServerBootstrap(group: serverLoops).bind(host: "127.0.0.1", port: 0) { channel in
      channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
    }
    let serving = Task {
      try await withThrowingDiscardingTaskGroup { group in
        try await server.executeThenClose { connections in
          for try await connection in connections { group.addTask { try await serve(connection, kind) } }
        }
      }
    }
    guard let address = server.channel.localAddress else { return 0 }
    let time = try await ContinuousClock().measure {
      try await withThrowingTaskGroup { group in
        for _ in 0..<connections { group.addTask { try await request(from: address, clientLoops) } }
        try await group.waitForAll()
      }
    }
    serving.cancel()
    _ = await serving.result
    try await serverLoops.shutdownGracefully()
    try await clientLoops.shutdownGracefully()
    return Double(connections * requests) / (time / .seconds(1))
  }

  private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

  private static func serve(_ connection: Connection, _ kind: Kind) async throws {
    let loop = LoopExecutor(connection.channel.eventLoop)
    switch kind {
    case .actor, .actorOnLoop:
      let session = Total()
      try await Task(executorPreference: kind == .actorOnLoop ? loop : nil) {
        try await answer(connection) { amount in await session.add(amount) }
      }.value
    case .tree, .treeOnLoop:
      let session = await TreeHost(configuration: TreeConfiguration(leakDetection: .off)) { SessionRouter() }
      // The executor is preferred once for the connection, not for each call.
      try await Task(executorPreference: kind == .treeOnLoop ? loop : nil) {
        try await answer(connection) { amount in
          try await session.perform { root in
            root.interactor.didCount(amount)
            return root.interactor.total.value
          }
        }
      }.value
      await session.shutdown()
    }
  }

  private static func answer(_ connection: Connection, _ add: (Int) async throws -> Int) async throws {
    try await connection.executeThenClose { incoming, outgoing in
      for try await request in incoming {
        let total = try await add(request.readableBytes)
        try await outgoing.write(ByteBuffer(integer: total))
      }
    }
  }

  /// A client that waits for each answer before its next request.
  private static func request(from address: SocketAddress, _ loops: MultiThreadedEventLoopGroup) async throws {
    let client = try await ClientBootstrap(group: loops).connect(to: address) { channel in
      channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
    }
    try await client.executeThenClose { incoming, outgoing in
      var answers = incoming.makeAsyncIterator()
      for number in 1...requests {
        try await outgoing.write(ByteBuffer(integer: UInt8(1)))
        guard let answer = try await answers.next(), answer.getInteger(at: 0, as: Int.self) == number else {
          throw WrongAnswer()
        }
      }
    }
  }

  private struct WrongAnswer: Error {}
}

/// The session without a tree.
private actor Total {
  private var total = 0

  func add(_ amount: Int) -> Int {
    total += amount
    return total
  }
}

/// Runs tasks on an event loop.
private final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  init(_ loop: any EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
