import RIBs
import RIBsLists

struct Message: Codable, Equatable, Sendable {
  let author: String
  let text: String
}

final class RoomInteractor: Interactor, MemberListener {
  weak var router: RoomRouter?
  private(set) var messages: [Message] = []

  override var treeSummary: String? { "\(messages.count) messages" }

  func post(_ text: String, by author: String) {
    messages.append(Message(author: author, text: text))
    router?.memberDidPost(author)
  }

  func memberDidFallSilent(_ name: String) {
    router?.detachMember(name)
    messages.append(Message(author: "room", text: "\(name) has left"))
  }
}

final class RoomRouter: Router<RoomInteractor> {
  private lazy var members = ChildList<Member>(of: self) { router, member in
    MemberRouter(interactor: MemberInteractor(name: member.id, listener: router.interactor))
  }

  init() {
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
    var models = members.models
    if let index = models.firstIndex(where: { $0.id == name }) {
      models[index].messages += 1
    } else {
      models.append(Member(id: name, messages: 1))
    }
    update(models)
  }

  func detachMember(_ name: String) { update(members.models.filter { $0.id != name }) }

  private func update(_ models: [Member]) {
    try? members.update(models)  // throws only if two members have one name
  }
}
