import RIBs

protocol TopUpListener: AnyObject {
  func topUpDidEnd(limit: Int)
}

protocol TopUpDependency: Dependency {
  var limits: Observable<Int> { get }
}

final class TopUpComponent: Component<TopUpDependency> {
  var limits: Observable<Int> { dependency.limits }
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
  private let limits: Observable<Int>
  private var limit = 0

  init(limits: Observable<Int>) {
    self.limits = limits
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    Observable.combineLatest(limits, limits.take(1))
      .subscribe(onNext: { [weak self] newest, first in self?.limit = max(newest, first) })
      .disposeOnDeactivate(interactor: self)
  }

  func didTapDone() {
    task { [self] in
      listener?.topUpDidEnd(limit: limit)
    }
  }
}
