internal import RIBs

final class OrderPresenter: Presenter<Narrator>, OrderPresentable {
  func willEnter(_ state: OrderState) { viewController.tell(.transition(state)) }
  func didEnter(_ state: OrderState) { viewController.tell(.stage(state)) }
}
