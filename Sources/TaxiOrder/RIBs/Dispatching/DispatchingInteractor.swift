internal import RIBs

protocol DispatchingRouting: Routing {}

protocol DispatchingPresentable: Presentable {
  func showSearch()
  func showNoTaxi(nextSearch pause: Duration)
  func show(_ assignment: Assignment)
}

protocol DispatchingListener: AnyObject {
  func dispatchingDidAssign(_ assignment: Assignment)
  func dispatchingDidCancel()
  func dispatchingDidFail(_ reason: String)
}

/// Requests a taxi, and retries after a pause if none is free.
final class DispatchingInteractor: PresentableInteractor<any DispatchingPresentable>, DispatchingInteractable {
  private static let searches = 4
  private static let pause = Duration.seconds(20)

  weak var router: (any DispatchingRouting)?
  weak var listener: (any DispatchingListener)?

  private let dispatchService: any DispatchService
  private let clock: any Clock<Duration>
  private let draft: OrderDraft
  private var searches = 0
  private let token: RIBCounter.Token

  init(
    presenter: any DispatchingPresentable, dispatchService: any DispatchService, clock: any Clock<Duration>,
    draft: OrderDraft, ribCounter: RIBCounter
  ) {
    self.dispatchService = dispatchService
    self.clock = clock
    self.draft = draft
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override var treeSummary: String? { "search \(searches) of \(DispatchingInteractor.searches)" }

  override func didBecomeActive() {
    super.didBecomeActive()
    presenter.showSearch()
    search()
  }

  override func didFail(_ error: any Error, of work: BoundWork) { listener?.dispatchingDidFail("\(error)") }

  func cancelOrderDidCancel() { listener?.dispatchingDidCancel() }
  func cancelOrderDidFail(_ reason: String) { listener?.dispatchingDidFail(reason) }

  private func search() {
    searches += 1
    run({ [dispatchService, draft, nodeID] in
      try await dispatchService.requestTaxi(for: draft, sender: nodeID)
    }) { assignment in
      if let assignment { self.accept(assignment) } else { self.searchLater() }
    }
  }

  private func accept(_ assignment: Assignment) {
    presenter.show(assignment)
    listener?.dispatchingDidAssign(assignment)
  }

  private func searchLater() {
    guard searches < DispatchingInteractor.searches else {
      listener?.dispatchingDidFail("no taxi is free")
      return
    }
    presenter.showNoTaxi(nextSearch: DispatchingInteractor.pause)
    run({ [clock] in try await clock.sleep(for: DispatchingInteractor.pause) }) { _ in self.search() }
  }
}
