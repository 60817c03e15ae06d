// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol DispatchingRouting: Routing {
  /// Lets the rider cancel the search. A no-op if that is so already.
  func routeToCancelOrder()
}

protocol DispatchingPresentable: Presentable {
  func showOrdered(for time: OrderTime)
  func showSearch()
  func showNoTaxi(nextSearch pause: Duration)
  func show(_ assignment: Assignment)
}

protocol DispatchingListener: AnyObject {
  func dispatchingDidAssign(_ assignment: Assignment)
  func dispatchingDidCancel()
  func dispatchingDidFail(_ reason: String)
}

/// Requests a taxi, at the time for which it is ordered, and retries after a pause if none is free.
final class DispatchingInteractor: PresentableInteractor<any DispatchingPresentable>, DispatchingInteractable,
  Connectable, Saving
{
  struct SavedState: Codable, Sendable {
    enum Step: Codable, Sendable {
      /// The search is about to be requested, or was.
      case searching
      case pausing(until: OrderTime)
    }

    /// The number of searches.
    var searches = 0
    /// Nil before the first search.
    var step: Step?
  }

  var savedState = SavedState() { didSet { setNeedsSave() } }

  private static let searches = 4
  private static let pause = Duration.seconds(20)

  weak var router: (any DispatchingRouting)?
  weak var listener: (any DispatchingListener)?

  private let dispatchService: any DispatchService
  private let clock: any OrderClock
  private let remoteRider: RemoteRider?
  private let draft: OrderDraft
  private let key: RequestKey
  private let token: RIBCounter.Token

  init(
    presenter: any DispatchingPresentable, dispatchService: any DispatchService, clock: any OrderClock,
    remoteRider: RemoteRider?, draft: OrderDraft, key: RequestKey, ribCounter: RIBCounter
  ) {
    self.dispatchService = dispatchService
    self.clock = clock
    self.remoteRider = remoteRider
    self.draft = draft
    self.key = key
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override var treeSummary: String? {
    if savedState.step == nil, let time = draft.time { return "for \(clock.wallTime(of: time))" }
    return "search \(savedState.searches) of \(DispatchingInteractor.searches)"
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    if savedState.step == nil, let time = draft.time, clock.time < time { wait(until: time) } else { beginSearch() }
  }

  override func didFail(_ error: any Error, of work: BoundWork) { fail(error) }

  /// The rider can't cancel, and does not want another search.
  override func childDidFail(_ failure: ChildFailure) { listener?.dispatchingDidFail("\(failure.error)") }

  func cancelOrderDidCancel() { listener?.dispatchingDidCancel() }

  /// Waits without keeping the tree awake. The date is in the draft, and so in the saved route of this RIB. The dispatch
  /// service does not know of the order yet, so it is cancelled without a request.
  private func wait(until time: OrderTime) {
    presenter.showOrdered(for: time)
    remoteRider?.status.accept(.scheduled(time: time))
    let cancellations = remoteRider?.cancellations.subscribe(onNext: { self.listener?.dispatchingDidCancel() })
    cancellations?.disposeOnDeactivate(interactor: self)
    task {
      try await self.sleep(until: self.clock.wallTime(of: time))
      cancellations?.dispose()
      self.remoteRider?.status.accept(.searching)
      self.beginSearch()
    }
  }

  private func beginSearch() {
    presenter.showSearch()
    switch savedState.step {
    case nil: searchAgain()
    case .searching: search()
    case .pausing(let end): pause(until: end)
    }
    router?.routeToCancelOrder()
  }

  private func searchAgain() {
    savedState.searches += 1
    search()
  }

  private func search() {
    savedState.step = .searching
    let key = key.appending("search\(savedState.searches)")
    task {
      try await self.checkpoint()
      let assignment = try await self.dispatchService.requestTaxi(for: self.draft, key: key, sender: self.nodeID)
      if let assignment { self.accept(assignment) } else { self.searchLater() }
    }
  }

  private func accept(_ assignment: Assignment) {
    presenter.show(assignment)
    listener?.dispatchingDidAssign(assignment)
  }

  private func searchLater() {
    guard savedState.searches < DispatchingInteractor.searches else {
      listener?.dispatchingDidFail("no taxi is free")
      return
    }
    presenter.showNoTaxi(nextSearch: DispatchingInteractor.pause)
    pause(until: clock.time + DispatchingInteractor.pause)
  }

  private func pause(until end: OrderTime) {
    savedState.step = .pausing(until: end)
    run({ [clock] in try await clock.sleep(until: end) }) { _ in self.searchAgain() }
  }
}
