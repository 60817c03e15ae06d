// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsLists
import RIBsStore
import RIBsTesting
import Testing

// Version 1 of a program has a RIB Order in each kind of place. The other versions have renamed it.

private class StatefulInteractor: Interactor, Saving {
  var savedState = 0 { didSet { setNeedsSave() } }
}

private final class OrderInteractor: StatefulInteractor {}
private final class PurchaseInteractor: StatefulInteractor {}
private final class NamedInteractor: StatefulInteractor {
  override class var savedNames: SavedNames { SavedNames("Order") }
}

private class LineRouter<Subject: StatefulInteractor>: Router<Subject>, ModelRouting {
  func didUpdate(to model: ShopRow, from previous: ShopRow) {}
}
private final class OrderRouter: LineRouter<OrderInteractor> {}
private final class PurchaseRouter: LineRouter<PurchaseInteractor> {}
private final class NamedRouter: LineRouter<PurchaseInteractor> {
  override class var savedNames: SavedNames { SavedNames("Order") }
}
private final class FormerRouter: LineRouter<PurchaseInteractor> {
  override class var savedNames: SavedNames { SavedNames(former: ["Item", "Order"]) }
}

private struct ShopRow: Identifiable, Codable, Equatable { var id: Int }

private enum ShopPlace: String, CaseIterable { case slot, stack, list, code }

private class ShopRouter: Router<Interactor> {
  let place: ShopPlace
  /// Builds the RIB that version 1 calls Order.
  let make: () -> any ModelRouting<ShopRow>

  private(set) lazy var slot = ChildSlot<Int>(of: self) { router, _ in router.make() }
  private(set) lazy var stack = ChildStack<Int>(of: self, covered: .kept) { router, _ in router.make() }
  private(set) lazy var list = ChildList<ShopRow>(of: self) { router, _ in router.make() }

  override var savedChildren: [SavedChildren] {
    [slot.saved(as: "slot"), stack.saved(as: "stack"), list.saved(as: "list")]
  }

  init(_ place: ShopPlace, _ make: @escaping () -> any ModelRouting<ShopRow>) {
    self.place = place
    self.make = make
    super.init(interactor: Interactor())
  }

  override func didLoad() {
    super.didLoad()
    if place == .code { attachChild(make()) }
  }

  func fill() throws {
    switch place {
    case .slot: slot.route = 1
    case .stack: stack.push(1)
    case .list: try list.update([ShopRow(id: 1)])
    case .code: break
    }
  }

  var states: [Int] { children.compactMap { (($0 as? RouterNode)?.interactable as? StatefulInteractor)?.savedState } }
}

private final class ShopWithoutOrderRouter: ShopRouter {
  override class var savedNames: SavedNames { SavedNames("Shop", removed: ["Order"]) }
}

@Suite("A saved RIB whose class was renamed") @MainActor
struct SavedNamesTests {
  /// What version 1 has saved.
  private func saved(_ place: ShopPlace) throws -> String {
    let shop = ShopRouter(place) { OrderRouter(interactor: OrderInteractor()) }
    let tree = Tree.launched(shop)
    try shop.fill()
    ((shop.children.first as? RouterNode)?.interactable as? StatefulInteractor)?.savedState = 7
    return try tree.document()
  }

  /// Launches another version with what version 1 has saved.
  private func restore(_ saved: String, _ shop: any Routing) throws -> (tree: Tree, untaken: [String]) {
    let tree = try Tree.restoring(shop, from: saved)
    let untaken = StreamRecorder(tree.events.filter { $0.kind == .restored }.map(\.untaken))
    tree.launch()
    return (tree, untaken.values.flatMap { $0 })
  }

  @Test(
    "keeps its state under its old name, which its router or its interactor says, or takes it over from a former name",
    arguments: ShopPlace.allCases)
  private func renamed(_ place: ShopPlace) throws {
    let saved = try saved(place)
    let versions: [(name: String, make: () -> any ModelRouting<ShopRow>)] = [
      // An earlier version finds what it had.
      ("Order", { NamedRouter(interactor: PurchaseInteractor()) }),
      ("Order", { LineRouter<NamedInteractor>(interactor: NamedInteractor()) }),
      ("Former", { FormerRouter(interactor: PurchaseInteractor()) }),
    ]
    for version in versions {
      let shop = ShopRouter(place, version.make)
      let (tree, untaken) = try restore(saved, shop)
      #expect(shop.states == [7] && untaken.isEmpty)
      #expect(try tree.document() == saved.replacing("\"Order\"", with: "\"\(version.name)\""))
    }
  }

  @Test(
    "refuses the restore in a container, with the path and both ways out", arguments: [ShopPlace.slot, .stack, .list])
  private func refused(_ place: ShopPlace) throws {
    let saved = try saved(place)
    let shop = ShopRouter(place) { PurchaseRouter(interactor: PurchaseInteractor()) }
    let error = #expect(throws: SavedTree.RestoreError.self) { try restore(saved, shop) }
    #expect(
      error.map { "\($0)" } == """
        Shop/Order: Order is saved in "\(place.rawValue)", and its route or model builds Purchase. If Order was renamed, \
        override savedNames in Purchase with SavedNames("Order"). If Order no longer exists, add it to the removed names of \
        the parent: SavedNames(removed: ["Order"]).
        """)
    #expect(!shop.interactor.isActive)
  }

  @Test("is kept where code attaches another RIB, reported, and taken by a RIB of that name")
  func kept() throws {
    let saved = try saved(.code)
    let shop = ShopRouter(.code) { PurchaseRouter(interactor: PurchaseInteractor()) }
    let (tree, untaken) = try restore(saved, shop)
    #expect(shop.states == [0] && untaken == ["Shop/Order"])
    let both = try tree.document()
    #expect(both.contains("\"rib\":\"Order\",\"v\":1,\"state\":7") && both.contains("\"rib\":\"Purchase\""))
    // In the next process too, and in that of the version that has the RIB.
    let again = ShopRouter(.code) { PurchaseRouter(interactor: PurchaseInteractor()) }
    let (second, untakenAgain) = try restore(both, again)
    #expect(try second.document() == both && untakenAgain == ["Shop/Order"])
    let downgraded = ShopRouter(.code) { OrderRouter(interactor: OrderInteractor()) }
    _ = try restore(both, downgraded)
    #expect(downgraded.states == [7])
  }

  @Test("is discarded where its parent says that it no longer exists", arguments: ShopPlace.allCases)
  private func removed(_ place: ShopPlace) throws {
    let saved = try saved(place)
    let shop = ShopWithoutOrderRouter(place) { PurchaseRouter(interactor: PurchaseInteractor()) }
    let (tree, untaken) = try restore(saved, shop)
    #expect(shop.states == [0] && untaken.isEmpty)
    #expect(try !tree.document().contains("\"Order\""))
  }

  @Test("keeps the state of an interactor that saves none any more, and a container that is not listed any more")
  func rest() throws {
    final class BareRouter: Router<Interactor> {
      override class var savedNames: SavedNames { SavedNames("Shop") }
      override func didLoad() {
        super.didLoad()
        attachChild(LampRouter(interactor: LampInteractor()))
      }
    }
    let saved = try saved(.slot).replacing("{\"rib\":\"Shop\"", with: "{\"rib\":\"Shop\",\"v\":2,\"state\":[5]")
    let bare = BareRouter(interactor: Interactor())
    let (tree, untaken) = try restore(saved, bare)
    #expect(untaken == ["Shop", "Shop \"list\"", "Shop \"slot\"", "Shop \"stack\"", "Shop/Order"])
    let next = try tree.document()
    #expect(
      next.contains("\"v\":2,\"state\":[5]")
        && next.contains("{\"in\":0,\"at\":\"slot\",\"rib\":\"Order\",\"v\":1,\"state\":7"))
    // The version that lists the containers has all of it again.
    let shop = ShopRouter(.slot) { OrderRouter(interactor: OrderInteractor()) }
    let (_, rest) = try restore(next, shop)
    #expect(shop.slot.route == 1 && shop.states == [7] && rest == ["Shop", "Shop/Lamp"])
  }

  @Test("refuses the restore of a root of another name")
  func root() throws {
    final class KioskRouter: Router<Interactor> {}
    let error = #expect(throws: SavedTree.RestoreError.self) {
      try Tree.restoring(KioskRouter(interactor: Interactor()), from: saved(.slot))
    }
    #expect(error.map { "\($0)" }?.contains("override savedNames in Kiosk with SavedNames(\"Shop\")") == true)
  }
}
