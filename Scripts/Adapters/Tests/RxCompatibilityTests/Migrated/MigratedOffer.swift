import RIBs
import RxCompatibility

protocol OfferListener: AnyObject {
  func offerDidEnd()
}

protocol OfferDependency: Dependency {
  var service: OfferServicing { get }
}

final class OfferComponent: Component<OfferDependency> {
  var service: OfferServicing { dependency.service }
}

protocol OfferBuildable: Buildable {
  func build(withListener listener: OfferListener, offer: Offer) -> Routing
}

final class OfferBuilder: Builder<OfferDependency>, OfferBuildable {
  func build(withListener listener: OfferListener, offer: Offer) -> Routing {
    let component = OfferComponent(dependency: dependency)
    let interactor = OfferInteractor(offer: offer, service: component.service)
    interactor.listener = listener
    return Router<OfferInteractor>(interactor: interactor)
  }
}

final class OfferInteractor: Interactor {
  weak var listener: OfferListener?
  private(set) var events: [String] = []
  private let offer: Offer
  private let service: OfferServicing
  private let worker = OfferClockWorker()
  private let disposeBag = DisposeBag()

  init(offer: Offer, service: OfferServicing) {
    self.offer = offer
    self.service = service
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    worker.start(self)
    worker.ticks
      .subscribe(onNext: { [unowned self] tick in events.append("tick \(tick)") })
      .disposeOnDeactivate(interactor: self)
  }

  func didTapBook() {
    service.book(offer)
      .observe(on: MainScheduler.instance)
      .subscribe(
        onSuccess: { [weak self] number in
          self?.events.append("booked \(number)")
          self?.task {
            self?.listener?.offerDidEnd()
          }
        },
        onFailure: { [weak self] _ in self?.events.append("failed") }
      )
      .disposeOnDeactivate(interactor: self)
  }
}

final class OfferClockWorker: Worker {
  let ticks = PublishSubject<Int>()

  override func didStart(_ interactorScope: InteractorScope) {
    super.didStart(interactorScope)
    Observable<Int>.interval(.seconds(60), scheduler: self)
      .subscribe(onNext: { [ticks] tick in ticks.onNext(tick) })
      .disposeOnStop(self)
  }
}
