import Hummingbird
import RIBsStore

@main
struct Chat {
  static func main() async throws {
    let rooms = openRooms(in: try FileStore(directory: "rooms"))
    let port = Environment().get("PORT", as: Int.self) ?? 8080
    let server = Application(
      router: routes(of: rooms),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)))
    let running = Task { await rooms.run() }
    try await server.runService()  // until Ctrl-C or SIGTERM
    running.cancel()
    print(await rooms.shutdown(timeout: .seconds(10)))
  }
}
