internal import RIBs

protocol DispatchingRouting: Routing {}

protocol DispatchingPresentable: Presentable {
  func showSearch()
  func show(_ assignment: Assignment)
}

protocol DispatchingListener: AnyObject {
  func dispatchingDidAssign(_ assignment: Assignment)
  func dispatchingDidFail(_ reason: String)
}

/// Asks for a taxi, and waits for one to take the order.
final class DispatchingInteractor: PresentableInteractor<any DispatchingPresentable>, DispatchingInteractable {
  weak var listener: (any DispatchingListener)?

  private let dispatchService: any DispatchService
  private let draft: OrderDraft
  private let presence: Census.Presence

  init(
    presenter: any DispatchingPresentable, dispatchService: any DispatchService, draft: OrderDraft, census: Census
  ) {
    self.dispatchService = dispatchService
    self.draft = draft
    presence = Census.Presence(in: census)
    super.init(presenter: presenter)
  }

  override var treeSummary: String? { "looking for a taxi" }

  override func didBecomeActive() {
    super.didBecomeActive()
    presenter.showSearch()
    run({ [dispatchService, draft, nodeID] in
      try await dispatchService.requestTaxi(for: draft, sender: nodeID)
    }) { assignment in
      self.presenter.show(assignment)
      self.listener?.dispatchingDidAssign(assignment)
    }
  }

  override func didFail(_ error: any Error) { listener?.dispatchingDidFail("\(error)") }
}
