import RIBs

/// RIBs for trees that are looked at.
final class RootInteractor: Interactor {
  override var treeSummary: String? { "at home" }
}

final class RootRouter: Router<RootInteractor> {
  private var leaves: [LeafRouter] = []

  init() { super.init(interactor: RootInteractor()) }

  func attachLeaf() {
    let leaf = LeafRouter(interactor: Interactor())
    attachChild(leaf)
    leaves.append(leaf)
  }

  func detachLeaf() { if let leaf = leaves.popLast() { detachChild(leaf) } }
}

final class LeafRouter: Router<Interactor> {}
