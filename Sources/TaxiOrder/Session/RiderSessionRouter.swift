// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// The root of a rider's session in a server.
public final class RiderSessionRouter: Router<RiderSessionInteractor> {
  private let rootBuilder: any RootBuildable

  /// The app, with one RIB for each screen.
  private lazy var app = ChildSlot<App>(of: self) { router, _ in
    let (root, linkHandler) = router.rootBuilder.build()
    router.linkHandler = linkHandler
    return root
  }

  private enum App: String, Codable {
    case root
  }

  /// Orders a taxi; nil before the session is active.
  private(set) weak var linkHandler: (any LinkHandler)?

  init(interactor: RiderSessionInteractor, rootBuilder: any RootBuildable) {
    self.rootBuilder = rootBuilder
    super.init(interactor: interactor)
    interactor.router = self
  }

  /// The containers of the session, for a tree that is saved.
  public override var savedChildren: [SavedChildren] { [app.saved(as: "app")] }

  func begin() { app.begin(with: .root) }
}
