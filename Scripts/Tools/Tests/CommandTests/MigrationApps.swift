// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Apps as teams wrote them for other runtimes. Their migrated files are in Scripts/Adapters, where they are compiled.
enum MigrationApps {
  /// Two RIBs for uber/RIBs-iOS and RxSwift.
  static let uber = [
    "MigratedOffers.swift": """
    import Foundation
    import RIBs
    import RxRelay
    import RxSwift

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
          .debounce(.milliseconds(300), scheduler: MainScheduler.instance)
          .distinctUntilChanged()
          .observeOn(MainScheduler.instance)
          .subscribe(onNext: { [weak self] text in self?.search(text) })
          .disposeOnDeactivate(interactor: self)
        offers
          .share(replay: 1, scope: .whileConnected)
          .takeUntil(closing)
          .subscribe(onNext: { [weak self] offers in
            self?.presenter.show(offers)
            self?.presenter.show(count: offers.count)
          })
          .disposed(by: disposeBag)
        Task { [weak self, service] in
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
          .disposed(by: disposeBag)
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

    """,
    "MigratedOffer.swift": """
    import RIBs
    @preconcurrency import RxSwift

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
          .subscribe(onNext: { [unowned self] tick in events.append("tick \\(tick)") })
          .disposeOnDeactivate(interactor: self)
      }

      func didTapBook() {
        service.book(offer)
          .observe(on: MainScheduler.instance)
          .subscribe(
            onSuccess: { [weak self] number in
              self?.events.append("booked \\(number)")
              Task {
                self?.listener?.offerDidEnd()
              }
            },
            onError: { [weak self] _ in self?.events.append("failed") }
          )
          .disposed(by: disposeBag)
      }
    }

    final class OfferClockWorker: Worker {
      let ticks = PublishSubject<Int>()

      override func didStart(_ interactorScope: InteractorScope) {
        super.didStart(interactorScope)
        Observable<Int>.interval(.seconds(60), scheduler: MainScheduler.asyncInstance)
          .subscribe(onNext: { [ticks] tick in ticks.onNext(tick) })
          .disposeOnStop(self)
      }
    }

    """,
  ]

  /// Two RIBs for ModernRIBs and Combine.
  static let modern = [
    "MigratedBalance.swift": """
    import Combine
    import Foundation
    import ModernRIBs

    protocol BalanceStream: AnyObject {
      var balance: AnyPublisher<Int, Never> { get }
    }

    final class Balances: BalanceStream {
      private let subject = CurrentValueSubject<Int, Never>(0)

      var balance: AnyPublisher<Int, Never> { subject.eraseToAnyPublisher() }

      func update(to cents: Int) { subject.send(cents) }
    }

    protocol BalanceRouting: Routing {
      func routeToTopUp()
      func detachTopUp()
    }

    protocol BalancePresentable: Presentable {
      func show(_ text: String)
    }

    final class BalanceInteractor: PresentableInteractor<BalancePresentable>, TopUpListener {
      weak var router: BalanceRouting?

      private let stream: BalanceStream
      private let amounts = PassthroughSubject<Int, Never>()
      private let refresh: PassthroughSubject<Void, Never> = .init()
      private let limit: CurrentValueSubject<Int, Never> = .init(100)
      private var cancellables = Set<AnyCancellable>()

      init(presenter: BalancePresentable, stream: BalanceStream) {
        self.stream = stream
        super.init(presenter: presenter)
      }

      override func didBecomeActive() {
        super.didBecomeActive()
        stream.balance
          .removeDuplicates()
          .dropFirst()
          .receive(on: DispatchQueue.main)
          .sink { [weak self] cents in
            self?.presenter.show("balance \\(cents)")
          }
          .cancelOnDeactivate(interactor: self)
        amounts
          .debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
          .combineLatest(limit)
          .map { amount, limit in min(amount, limit) }
          .sink(receiveValue: { [weak self] amount in self?.presenter.show("amount \\(amount)") })
          .store(in: &cancellables)
        refresh
          .map { [stream] in stream.balance.prepend(-1) }
          .switchToLatest()
          .prefix(3)
          .merge(with: amounts)
          .sink(receiveCompletion: { _ in }, receiveValue: { [weak self] in self?.presenter.show("refreshed \\($0)") })
          .cancelOnDeactivate(interactor: self)
        let steps = [10, 20, 50].dropFirst().prefix(1)
        presenter.show("steps \\(Array(steps))")
      }

      func didType(_ amount: Int) { amounts.send(amount) }

      func didTapRefresh() { refresh.send() }

      func didTapTopUp() { router?.routeToTopUp() }

      func topUpDidEnd(limit newLimit: Int) {
        limit.send(newLimit)
        router?.detachTopUp()
      }
    }

    """,
    "MigratedTopUp.swift": """
    import ModernRIBs
    import Combine

    protocol TopUpListener: AnyObject {
      func topUpDidEnd(limit: Int)
    }

    protocol TopUpDependency: Dependency {
      var limits: AnyPublisher<Int, Never> { get }
    }

    final class TopUpComponent: Component<TopUpDependency> {
      var limits: AnyPublisher<Int, Never> { dependency.limits }
    }

    protocol TopUpBuildable: Buildable {
      func build(withListener listener: TopUpListener) -> Routing
    }

    final class TopUpBuilder: Builder<TopUpDependency>, TopUpBuildable {
      func build(withListener listener: TopUpListener) -> Routing {
        let component = TopUpComponent(dependency: dependency)
        let interactor = TopUpInteractor(limits: component.limits)
        interactor.listener = listener
        return Router<TopUpInteractor>(interactor: interactor)
      }
    }

    final class TopUpInteractor: Interactor {
      weak var listener: TopUpListener?
      private let limits: AnyPublisher<Int, Never>
      private var limit = 0

      init(limits: AnyPublisher<Int, Never>) {
        self.limits = limits
      }

      override func didBecomeActive() {
        super.didBecomeActive()
        Publishers.CombineLatest(limits, limits.first())
          .sink { [weak self] newest, first in self?.limit = max(newest, first) }
          .cancelOnDeactivate(interactor: self)
      }

      func didTapDone() {
        Task {
          listener?.topUpDidEnd(limit: limit)
        }
      }
    }

    """,
  ]
}
