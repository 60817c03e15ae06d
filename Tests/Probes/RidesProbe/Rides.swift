import Foundation
import RIBs
import RIBsInspector
import RIBsStore

protocol RideListener: AnyObject { func rideDidEnd() }

final class RideInteractor: Interactor {
  private let arrival: WallTime
  private weak var listener: (any RideListener)?

  init(arrival: WallTime, listener: any RideListener) {
    self.arrival = arrival
    self.listener = listener
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    task {  // cancelled when the ride is detached
      try await self.sleep(until: self.arrival)
      self.listener?.rideDidEnd()
    }
  }
}

final class SessionInteractor: Interactor, Saving, RideListener {
  weak var router: SessionRouter?
  var savedState = 0 { didSet { setNeedsSave() } }
  override var treeSummary: String? { "\(savedState) rides" }

  func order() { router?.ride.begin(with: wallTime + .seconds(600)) }  // unless there is a ride

  func rideDidEnd() {
    savedState += 1
    router?.ride.route = nil  // detaches the ride
  }
}

final class SessionRouter: Router<SessionInteractor> {
  lazy var ride = ChildSlot<WallTime>(of: self) { router, arrival in
    Router(interactor: RideInteractor(arrival: arrival, listener: router.interactor))
  }
  override var savedChildren: [SavedChildren] { [ride.saved(as: "ride")] }

  init() {
    super.init(interactor: SessionInteractor())
    interactor.router = self
  }
}

@main
struct Rides {
  static func main() async throws {
    let sessions = TreeDirectory("session", in: try FileStore(directory: "sessions")) { (user: String) in
      SessionRouter()
    }
    try await sessions.perform(on: "mara") { session in session.interactor.order() }  // returns when it is saved
    print(try await sessions.host(for: "mara").snapshot().text())
    fflush(nil)  // otherwise a pipe prints the tree only when the process exits
    await sessions.run()
  }
}
