internal import RIBs

protocol RootRouting: Routing {}

/// Reports how the order went to whoever runs the program.
final class RootInteractor: Interactor, RootInteractable {
  weak var router: (any RootRouting)?

  private let report: (OrderOutcome) -> Void
  private let presence: Census.Presence

  init(report: @escaping (OrderOutcome) -> Void, census: Census) {
    self.report = report
    presence = Census.Presence(in: census)
    super.init()
  }

  func loggedInDidFinish(_ outcome: OrderOutcome) { report(outcome) }
}
