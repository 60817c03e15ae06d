import RIBs
import Testing

@Suite("A list of many kinds")
struct ChildKindsTests {
  private let log = Log()

  private func makeRouter() -> MixedRouter {
    let kinds = ChildKinds<MixedRouter>()
    kinds.register(Row.self) { router, row in RowRouter(row.id, router.log) }
    kinds.register(Advert.self) { router, advert in AdvertRouter(advert, router.log) }
    let router = MixedRouter(log, kinds)
    router.interactor.activate()
    router.load()
    return router
  }

  @Test("builds each model's child with the builder of its kind, and tells each of its own model")
  func kinds() throws {
    let parent = makeRouter()
    try parent.list.update([AnyModel(Row(1, "a")), AnyModel(Advert(id: "x", price: 1))])
    #expect(parent.children.map { String(describing: type(of: $0)) } == ["RowRouter", "AdvertRouter"])
    log.lines = []
    try parent.list.update([AnyModel(Advert(id: "x", price: 2)), AnyModel(Row(1, "b"))])
    #expect(parent.children.map { String(describing: type(of: $0)) } == ["AdvertRouter", "RowRouter"])
    #expect(log.lines == ["x: 1 → 2", "1: a → b"])
    #expect(parent.list[Row.self, id: 1] is RowRouter)
    #expect(parent.list[Advert.self, id: "x"] is AdvertRouter)
    #expect(parent.list[Advert.self, id: "1"] == nil)
  }

  @Test("tells models of different kinds apart whose identities are equal")
  func sameIdentity() throws {
    struct Other: Identifiable, Equatable { let id: Int }
    let one = AnyModel(Row(1))
    let other = AnyModel(Other(id: 1))
    #expect(one != other)
    #expect(one.id != other.id)
    #expect(throws: Never.self) { try ListDifference(from: [], to: [one, other]) }
    #expect(throws: RepeatedIdentity.self) { try ListDifference(from: [], to: [one, AnyModel(Row(1, "b"))]) }
  }

  @Test("refuses a model whose kind has no builder before anything is touched, until one is registered")
  func unknown() {
    struct Other: Identifiable, Equatable { let id: Int }
    let parent = makeRouter()
    let refused = misuses { try? parent.list.update([AnyModel(Row(1)), AnyModel(Other(id: 1))]) }
    #expect(refused == [.unknownModel])
    #expect(parent.list.models.isEmpty)
    #expect(log.lines.isEmpty)
    final class OtherRouter: Router<Interactor>, ModelRouting {
      func didUpdate(to model: Other, from previous: Other) {}
    }
    parent.kinds.register(Other.self) { _, _ in OtherRouter(interactor: Interactor()) }
    #expect(misuses { try? parent.list.update([AnyModel(Row(1)), AnyModel(Other(id: 1))]) } == [])
    #expect(parent.list.count == 2)
  }
}

private struct Advert: Identifiable, Equatable {
  let id: String
  var price: Int
}

private final class AdvertRouter: Router<Interactor>, ModelRouting {
  private let log: Log

  init(_ advert: Advert, _ log: Log) {
    self.log = log
    super.init(interactor: Interactor())
  }

  func didUpdate(to advert: Advert, from previous: Advert) {
    log.lines.append("\(advert.id): \(previous.price) → \(advert.price)")
  }
}

private final class MixedRouter: Router<Interactor> {
  let log: Log
  let kinds: ChildKinds<MixedRouter>

  lazy var list = ChildList(of: self, kinds: kinds)

  init(_ log: Log, _ kinds: ChildKinds<MixedRouter>) {
    self.log = log
    self.kinds = kinds
    super.init(interactor: Interactor())
  }
}
