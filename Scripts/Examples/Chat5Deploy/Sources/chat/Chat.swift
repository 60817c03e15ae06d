import ArgumentParser
import HTTPTrees
import PostgreSQLStore
import RIBsStore
import TreeService

@main
struct Chat: AsyncParsableCommand {
  @OptionGroup var server: ServerArguments

  func run() async throws {
    let (options, logger) = (server.options, server.logger("chat"))
    let (store, _) = try await server.openStore(for: "chat") { url, timeout in
      try await PostgreSQLStore(url, timeout: timeout)
    }
    // All clients may read and write. Without a rule, each request is refused.
    let access = Access(read: Access.anyone, change: Access.anyone)
    let http = HTTPTrees(options, access: access, logger: logger)
    let rooms = openRooms(
      in: store.map { http.health.observing($0) }, feed: FileFeed(path: "news.txt"), configuration: options.directory,
      onEvent: { event in http.health.record(event) })
    let responder = http.responder { router in addRoutes(of: rooms, to: http.trees(router)) }
    try await http.run(responder, TreeService(rooms, timeout: options.shutdown / 2, logger: logger))
  }
}
