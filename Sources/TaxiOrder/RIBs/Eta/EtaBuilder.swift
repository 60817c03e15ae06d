internal import RIBs

protocol EtaDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var taxiStateStream: any TaxiStateStream { get }
}

/// Adds nothing to the dependencies of Eta.
final class EtaComponent: Component<any EtaDependency> {}

protocol EtaBuildable: Buildable {
  func build() -> any EtaRouting
}

/// Builds the display of the remaining time.
final class EtaBuilder: Builder<any EtaDependency>, EtaBuildable {
  func build() -> any EtaRouting {
    let component = EtaComponent(dependency: dependency)
    let interactor = EtaInteractor(
      presenter: EtaPresenter(viewController: component.dependency.narrator),
      taxiStateStream: component.dependency.taxiStateStream, census: component.dependency.census)
    return EtaRouter(interactor: interactor)
  }
}
