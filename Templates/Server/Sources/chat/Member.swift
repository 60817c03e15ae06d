import RIBs
import RIBsLists

struct Member: Codable, Equatable, Identifiable, Sendable {
  let id: String
  var messages = 0
}

protocol MemberListener: AnyObject {
  func memberDidFallSilent(_ name: String)
}

final class MemberInteractor: Interactor {
  private let name: String
  private weak var listener: (any MemberListener)?

  init(name: String, listener: any MemberListener) {
    self.name = name
    self.listener = listener
  }

  override var ribLabel: String? { name }

  override func didBecomeActive() {
    super.didBecomeActive()
    didPost()
  }

  func didPost() {
    task("silence", overlap: .cancelPrevious) {
      try await self.treeClock.sleep(for: .seconds(300))
      self.listener?.memberDidFallSilent(self.name)
    }
  }
}

final class MemberRouter: Router<MemberInteractor>, ModelRouting {
  func didUpdate(to member: Member, from previous: Member) { interactor.didPost() }
}
