internal import RIBs

protocol EtaDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var taxiStateStream: any TaxiStateStream { get }
}

/// Eta adds nothing to what its parent provides.
final class EtaComponent: Component<any EtaDependency> {}

protocol EtaBuildable: Buildable {
  func build() -> any EtaRouting
}

/// Builds how long the rider has to wait, and to sit.
final class EtaBuilder: Builder<any EtaDependency>, EtaBuildable {
  func build() -> any EtaRouting {
    let component = EtaComponent(dependency: dependency)
    let interactor = EtaInteractor(
      presenter: EtaPresenter(viewController: component.dependency.narrator),
      taxiStateStream: component.dependency.taxiStateStream, census: component.dependency.census)
    return EtaRouter(interactor: interactor)
  }
}
