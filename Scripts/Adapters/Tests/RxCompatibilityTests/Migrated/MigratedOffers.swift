import Foundation
import RIBs
import RxCompatibility

// The search of an app with offers, and one of the offers.

struct Offer: Equatable, Sendable {
  let name: String
}

protocol OfferServicing: Sendable {
  func all() async -> [Offer]
  func offers(matching text: String) -> Single<[Offer]>
  func book(_ offer: Offer) -> Single<Int>
}

protocol OffersRouting: Routing {
  func routeToOffer(_ offer: Offer)
  func detachOffer()
}

protocol OffersListener: AnyObject {
  func offersDidClose()
}

protocol OffersPresentable: Presentable {
  func show(_ offers: [Offer])
  func show(count: Int)
}

final class OffersInteractor: PresentableInteractor<OffersPresentable>, OfferListener {
  weak var router: OffersRouting?
  weak var listener: OffersListener?

  private let service: OfferServicing
  private let text = PublishSubject<String>()
  private let closing = PublishSubject<Void>()
  private let offers = BehaviorRelay<[Offer]>(value: [])
  private let disposeBag = DisposeBag()

  init(presenter: OffersPresentable, service: OfferServicing) {
    self.service = service
    super.init(presenter: presenter)
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    text
      .debounce(.milliseconds(300), scheduler: self)
      .distinctUntilChanged()
      .observe(on: MainScheduler.instance)
      .subscribe(onNext: { [weak self] text in self?.search(text) })
      .disposeOnDeactivate(interactor: self)
    offers
      .share(replay: 1)
      .take(until: closing)
      .subscribe(onNext: { [weak self] offers in
        self?.presenter.show(offers)
        self?.presenter.show(count: offers.count)
      })
      .disposed(by: disposeBag)
    task { [weak self, service] in
      let all = await service.all()
      self?.offers.accept(all)
    }
  }

  func didType(_ text: String) { self.text.onNext(text) }

  func didClose() {
    closing.onNext(())
    listener?.offersDidClose()
  }

  private func search(_ text: String) {
    service.offers(matching: text)
      .subscribe(onSuccess: { [weak self] found in self?.offers.accept(found) })
      .disposeOnDeactivate(interactor: self)
  }

  func didSelect(_ offer: Offer) { router?.routeToOffer(offer) }

  func offerDidEnd() { router?.detachOffer() }
}

final class OffersRouter: Router<OffersInteractor>, OffersRouting {
  private let offerBuilder: OfferBuildable
  private var offer: Routing?

  init(interactor: OffersInteractor, offerBuilder: OfferBuildable) {
    self.offerBuilder = offerBuilder
    super.init(interactor: interactor)
    interactor.router = self
  }

  func routeToOffer(_ offer: Offer) {
    detachOffer()
    let router = offerBuilder.build(withListener: interactor, offer: offer)
    self.offer = router
    attachChild(router)
  }

  func detachOffer() {
    guard let offer else { return }
    detachChild(offer)
    self.offer = nil
  }
}
