import RIBsStore
import Testing

@testable import chat

struct RoomsTests {
  @Test("are restored by the next process, and looking creates none")
  func restart() async throws {
    let store = MemoryStore()
    let first = openRooms(in: store, feed: FeedDouble())
    try await first.perform(on: "tea") { room in room.interactor.post("hello", by: "mara") }
    _ = await first.shutdown()

    let second = openRooms(in: store, feed: FeedDouble())
    let text = try await second.perform(onExisting: "tea") { room in room.text }
    #expect(text == "present: mara\nmara: hello\n")
    #expect(try await second.perform(onExisting: "coffee") { room in room.text } == nil)
    _ = await second.shutdown()
  }
}
