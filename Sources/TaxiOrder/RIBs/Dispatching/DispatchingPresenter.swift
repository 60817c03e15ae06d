internal import RIBs

final class DispatchingPresenter: Presenter<Narrator>, DispatchingPresentable {
  func showSearch() { viewController.line("Looking for a taxi") }

  func show(_ assignment: Assignment) { viewController.line("Taken by \(assignment.driver.name)") }
}
