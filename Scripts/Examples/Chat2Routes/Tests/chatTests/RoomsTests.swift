import RIBs
import Testing

@testable import chat

struct RoomsTests {
  @Test("open one room for requests that arrive at the same time")
  func concurrency() async throws {
    let rooms = Rooms()
    async let one = rooms.room("tea")
    async let other = rooms.room("tea")
    #expect(await one === other)
    #expect(await rooms.existing("coffee") == nil)
    try await one.perform { root in root.interactor.post("hello", by: "mara") }
    #expect(try await other.perform { root in root.text } == "present: mara\nmara: hello\n")
    await rooms.shutdown()
  }
}
