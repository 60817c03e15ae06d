import RIBsTesting
import Testing

@testable import chat

struct FeedDouble: Feed {
  let headlines = PendingResponses<Int, String>()
  func headline(after count: Int) async throws -> String { try await headlines.answer(to: count) }
}

struct FeedLost: Error {}

struct NewsTests {
  let test = TestTree(recording: [.attachments, .failures])
  let feed = FeedDouble()

  @Test("continues after its last headline when the feed has failed")
  func restart() {
    let room = test.launch { [feed] in RoomRouter(feed: feed) }
    room.routeToNews()
    test.settle()
    feed.headlines.respond(with: "rain")
    test.settle()
    feed.headlines.fail(with: FeedLost())
    test.advance(by: .seconds(2))
    #expect(feed.headlines.questions == [1])
    feed.headlines.respond(with: "sun")
    test.settle()
    #expect(room.interactor.messages.map(\.text) == ["rain", "sun"])
    test.expect(
      """
      Room attached
      Room/News attached
      Room/News failed: FeedLost()
      Room/News detached
      Room/News attached
      Room/News restarted 1 of 3 with its saved state
      """)
    test.finish()
  }

  @Test("ends after three restarts within a minute, and the room stays")
  func limit() {
    let room = test.launch { [feed] in RoomRouter(feed: feed) }
    room.routeToNews()
    for _ in 1...4 {
      test.settle()
      feed.headlines.fail(with: FeedLost())
      test.advance(by: .seconds(6))
    }
    test.skip()
    #expect(room.text == "present: \nroom: there is no more news\n")
    test.expectTree("Room")
    test.finish()
  }
}
