internal import RIBs

/// The screen of a program that has none: it knows which views are shown, the last in front.
final class RootViewController: LoggedInViewControllable {
  private(set) var shown: [any ViewControllable] = []

  func present(_ view: any ViewControllable) { shown.append(view) }

  func dismiss(_ view: any ViewControllable) { shown.removeAll { $0 === view } }
}
