import RIBs
import RIBsStore

@main
struct Eggs {
  static func main() async throws {
    let eggs = TreeDirectory("egg", in: try FileStore(directory: "eggs")) { (id: String) in
      Router(interactor: EggInteractor())
    }
    let running = Task { await eggs.run() }
    print(try await eggs.host(for: "breakfast").ended)
    running.cancel()
    await eggs.shutdown()
  }
}
