import RIBsTesting
import Testing

@testable import chat

struct RoomTests {
  let test = TestTree(recording: [.attachments])
  let room = RoomRouter()

  @Test("has a child for each member who has posted")
  func members() {
    test.launch(room)
    room.interactor.post("hello", by: "mara")
    room.interactor.post("hi mara", by: "jonas")
    room.interactor.post("how are you?", by: "mara")
    test.expect("Room attached", "Room/Member mara attached", "Room/Member jonas attached")
    #expect(room.memberNames == ["mara", "jonas"])
    test.finish()
  }

  @Test("says that a member has left who is silent for five minutes")
  func silence() {
    test.launch(room)
    room.interactor.post("hello", by: "mara")
    test.advance(by: .seconds(299))
    room.interactor.post("still here", by: "mara")
    test.advance(by: .seconds(299))
    #expect(room.memberNames == ["mara"])
    test.advance(by: .seconds(1))
    #expect(room.memberNames == [])
    #expect(room.interactor.messages.last == Message(author: "room", text: "mara has left"))
    test.expect("Room attached", "Room/Member mara attached", "Room/Member mara detached")
    test.finish()
  }
}
