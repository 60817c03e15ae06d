// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("A RIB below another", .folded)
struct DescendantTests {
  private typealias RoomRouter = LabelTests.RoomRouter
  final class LobbyInteractor: Interactor {}
  final class NewsInteractor: Interactor {}

  /// A chat with rooms at two depths.
  static func chat() -> Scripted.RootRouter {
    let chat = Scripted.RootRouter()
    let lobby = Router(interactor: LobbyInteractor())
    for name in ["swift", "tea"] { lobby.attachChild(RoomRouter(name)) }
    (lobby.children.last as? RoomRouter)?.attachChild(Router(interactor: NewsInteractor()))
    chat.attachChild(lobby)
    chat.attachChild(RoomRouter("tea"))
    return chat
  }

  @Test("is found by type and label in a call, and its result leaves the tree")
  func found() async throws {
    let host = await TreeHost { DescendantTests.chat() }
    let label = try await host.perform { chat in
      try chat.descendant(RoomRouter.self, labeled: "swift").interactor.ribLabel
    }
    #expect(label == "swift")
    let isActive = try await host.perform(within: { chat in
      try chat.descendant(Router<NewsInteractor>.self).interactor
    }) { news in news.isActive }
    #expect(isActive)
    let tea = try await host.perform { chat in
      let lobby: Router<LobbyInteractor> = try chat.descendant()
      return try lobby.descendant(RoomRouter.self, labeled: "tea").nodeID
    }
    #expect(tea != nil)
    _ = await host.shutdown()
  }

  @Test("is an error that says what is there, if there is none or more than one")
  func errors() async throws {
    let host = await TreeHost { DescendantTests.chat() }
    func message(_ look: @escaping @Sendable (Scripted.RootRouter) throws -> Void) async throws -> String {
      try await host.perform { chat in
        do { try look(chat) } catch let error as RouterNode.DescendantError { return "\(error.reason): \(error)" }
        return "found"
      }
    }
    let messages = [
      try await message { _ = try $0.descendant(RoomRouter.self, labeled: "rust") },
      try await message { _ = try $0.descendant(RoomRouter.self) },
      try await message { _ = try $0.descendant(RoomRouter.self, labeled: "tea") },
      try await message { _ = try $0.descendant(Scripted.RootRouter.self) },
      try await message { _ = try $0.descendant(Router<NewsInteractor>.self).descendant(RoomRouter.self) },
    ]
    #expect(
      messages == [
        "missing: There is no Room rust below Root. There is: Root/Lobby/Room swift, Root/Lobby/Room tea, Root/Room tea.",
        "ambiguous: There are 3 RIBs Room below Root: Root/Lobby/Room swift, Root/Lobby/Room tea, Root/Room tea. "
          + "Pass a label, or look below one of them.",
        "ambiguous: There are 2 RIBs Room tea below Root: Root/Lobby/Room tea, Root/Room tea. "
          + "Pass a label, or look below one of them.",
        "missing: There is no Root below Root. There is: Root/Lobby, Root/Room tea.",
        "missing: There is no Room below Root/Lobby/Room tea/News, which has no children.",
      ])
    _ = await host.shutdown()
  }

  @Test("lists at most 16 RIBs in its error, and is found among ten thousand on a small stack")
  @MainActor
  func many() throws {
    let root = Scripted.RootRouter()
    let lobbies = (0..<10_000).map { _ in Router(interactor: LobbyInteractor()) }
    root.attachChain(lobbies + [RoomRouter("last")])
    for _ in 0..<20 { root.attachChild(Router(interactor: NewsInteractor())) }
    let tree = Tree.launched(root)
    #expect(try root.descendant(RoomRouter.self).interactor.ribLabel == "last")
    let error = #expect(throws: RouterNode.DescendantError.self) {
      _ = try root.descendant(Router<NewsInteractor>.self)
    }
    #expect(error?.count == 20)
    #expect(error?.found.map(\.description) == Array(repeating: "Root/News", count: 16))
    #expect(error?.description.contains("Root/News, and 4 more. Pass a label") == true)
    tree.end()
  }
}
