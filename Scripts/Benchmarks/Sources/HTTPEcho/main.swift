// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import NIOCore
import NIOHTTP1
import NIOPosix

// Answers HTTP requests on one connection, with a session that is an actor or a tree, so that the instructions of a
// request can be counted: HTTPEcho actor|tree COUNT. The client is a loop of system calls on the main thread, which adds
// next to nothing.
guard CommandLine.arguments.count == 3, let count = Int(CommandLine.arguments[2]) else {
  fatalError("HTTPEcho actor|tree COUNT")
}
let isTree = CommandLine.arguments[1] == "tree"
let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
let server = try ServerBootstrap(group: loops)
  .childChannelInitializer { channel in
    channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.configureHTTPServerPipeline()
      let connection = try Connection(wrappingChannelSynchronously: channel)
      Task { try await serve(connection, isTree: isTree) }
    }
  }
  .bind(host: "127.0.0.1", port: 0).wait()
guard let port = server.localAddress?.port else { fatalError("The server has no port.") }
let client = Client(port: UInt16(port))
for number in 1...count where client.request() != number { fatalError("A wrong answer.") }
exit(0)
