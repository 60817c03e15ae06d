import Hummingbird

@main
struct Chat {
  static func main() async throws {
    let rooms = Rooms()
    let port = Environment().get("PORT", as: Int.self) ?? 8080
    let server = Application(
      router: routes(of: rooms),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)))
    try await server.runService()  // until Ctrl-C or SIGTERM
    await rooms.shutdown()
  }
}
