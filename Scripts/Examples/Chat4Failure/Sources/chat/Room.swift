import RIBs
import RIBsLists

struct Message: Codable, Equatable, Sendable {
  let author: String
  let text: String
}

final class RoomInteractor: Interactor, Saving, MemberListener, NewsListener {
  struct SavedState: Codable, Sendable {
    var messages: [Message] = []
  }

  weak var router: RoomRouter?
  var savedState = SavedState() { didSet { setNeedsSave() } }

  var messages: [Message] { savedState.messages }
  override var treeSummary: String? { "\(messages.count) messages" }

  func post(_ text: String, by author: String) {
    append(Message(author: author, text: text))
    router?.memberDidPost(author)
  }

  func memberDidFallSilent(_ name: String) {
    router?.detachMember(name)
    append(Message(author: "room", text: "\(name) has left"))
  }

  func newsDidArrive(_ headline: String) { append(Message(author: "news", text: headline)) }

  override func childDidFail(_ failure: ChildFailure) {
    guard router?.isNews(failure) == true else { return super.childDidFail(failure) }
    append(Message(author: "room", text: "there is no more news"))
  }

  private func append(_ message: Message) {
    savedState.messages = (savedState.messages + [message]).suffix(100)
  }
}

enum NewsRoute: String, Codable, Sendable { case attached }

final class RoomRouter: Router<RoomInteractor> {
  private lazy var members = ChildList<Member>(of: self) { router, member in
    MemberRouter(interactor: MemberInteractor(name: member.id, listener: router.interactor))
  }
  private lazy var news = ChildSlot<NewsRoute>(
    of: self, restarts: .upTo(3, within: .seconds(60), after: .exponential(from: .seconds(1)))
  ) { router, _ in
    Router(interactor: NewsInteractor(feed: router.feed, listener: router.interactor))
  }
  override var savedChildren: [SavedChildren] { [members.saved(as: "members"), news.saved(as: "news")] }

  private let feed: any Feed

  init(feed: any Feed) {
    self.feed = feed
    super.init(interactor: RoomInteractor())
    interactor.router = self
  }

  var memberNames: [String] { members.models.map(\.id) }

  /// What a client sees.
  var text: String {
    let lines = interactor.messages.map { "\($0.author): \($0.text)\n" }
    return "present: \(memberNames.joined(separator: ", "))\n" + lines.joined()
  }

  func memberDidPost(_ name: String) {
    let messages = members.models.first { $0.id == name }?.messages ?? 0
    members.updateOrAppend(Member(id: name, messages: messages + 1))
  }

  func detachMember(_ name: String) { members.remove(id: name) }

  func routeToNews() { news.route = .attached }

  func detachNews() { news.route = nil }

  func isNews(_ failure: Interactor.ChildFailure) -> Bool { news.route(of: failure) != nil }
}
