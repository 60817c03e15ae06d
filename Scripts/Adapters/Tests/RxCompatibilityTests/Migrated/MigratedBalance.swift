import Foundation
import RIBs
import RxCompatibility

protocol BalanceStream: AnyObject {
  var balance: Observable<Int> { get }
}

final class Balances: BalanceStream {
  private let subject = BehaviorRelay<Int>(value: 0)

  var balance: Observable<Int> { subject.asObservable() }

  func update(to cents: Int) { subject.accept(cents) }
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
  private let amounts = PublishRelay<Int>()
  private let refresh: PublishRelay<Void> = .init()
  private let limit: BehaviorRelay<Int> = .init(value: 100)
  private let cancellables = DisposeBag()

  init(presenter: BalancePresentable, stream: BalanceStream) {
    self.stream = stream
    super.init(presenter: presenter)
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    stream.balance
      .distinctUntilChanged()
      .skip(1)
      .subscribe(onNext: { [weak self] cents in
        self?.presenter.show("balance \(cents)")
      })
      .disposeOnDeactivate(interactor: self)
    Observable.combineLatest(
      amounts
        .debounce(.milliseconds(300), scheduler: self), limit
    )
    .map { amount, limit in min(amount, limit) }
    .subscribe(onNext: { [weak self] amount in self?.presenter.show("amount \(amount)") })
    .disposed(by: cancellables)
    Observable.merge(
      refresh
        .flatMapLatest { [stream] in stream.balance.startWith(-1) }
        .take(3), amounts.asObservable()
    )
    .subscribe(onNext: { [weak self] in self?.presenter.show("refreshed \($0)") })
    .disposeOnDeactivate(interactor: self)
    let steps = [10, 20, 50].dropFirst().prefix(1)
    presenter.show("steps \(Array(steps))")
  }

  func didType(_ amount: Int) { amounts.accept(amount) }

  func didTapRefresh() { refresh.accept(()) }

  func didTapTopUp() { router?.routeToTopUp() }

  func topUpDidEnd(limit newLimit: Int) {
    limit.accept(newLimit)
    router?.detachTopUp()
  }
}
