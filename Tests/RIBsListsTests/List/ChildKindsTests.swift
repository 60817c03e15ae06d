// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsLists
import RIBsTesting
import Testing

@Suite("A list of many kinds", .folded)
struct ChildKindsTests {
  private let test = TestTree(recording: [])

  private func launch() -> MixedRouter {
    let kinds = ChildKinds<MixedRouter>()
    kinds.register(Row.self) { router, row in RowRouter(row.id, in: router.transcript) }
    kinds.register(Advert.self) { router, advert in AdvertRouter(advert, router.transcript) }
    return test.launch(MixedRouter(test.transcript, kinds))
  }

  @Test("builds each model's child with the builder of its kind, and notifies each of its own model")
  func kinds() throws {
    let parent = launch()
    try parent.list.update([AnyModel(Row(1, "a")), AnyModel(Advert(id: "x", price: 1))])
    #expect(parent.children.map { String(describing: type(of: $0)) } == ["RowRouter", "AdvertRouter"])
    test.skip()
    try parent.list.update([AnyModel(Advert(id: "x", price: 2)), AnyModel(Row(1, "b"))])
    #expect(parent.children.map { String(describing: type(of: $0)) } == ["AdvertRouter", "RowRouter"])
    test.expect("x: 1 → 2", "1: a → b")
    #expect(parent.list[Row.self, id: 1] is RowRouter)
    #expect(parent.list[Advert.self, id: "x"] is AdvertRouter)
    #expect(parent.list[Advert.self, id: "1"] == nil)
    test.finish(expecting: "1 resigns true")
  }

  @Test("distinguishes models of different kinds whose identities are equal")
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
  func unknown() throws {
    struct Other: Identifiable, Equatable { let id: Int }
    let parent = launch()
    try parent.list.update([AnyModel(Row(1)), AnyModel(Other(id: 1))])
    #expect(test.takeMisuses().map(\.kind) == [.unknownModel])
    #expect(parent.list.models.isEmpty)
    test.expect()
    final class OtherRouter: Router<Interactor>, ModelRouting {
      func didUpdate(to model: Other, from previous: Other) {}
    }
    parent.kinds.register(Other.self) { _, _ in OtherRouter(interactor: Interactor()) }
    try parent.list.update([AnyModel(Row(1)), AnyModel(Other(id: 1))])
    #expect(parent.list.count == 2)
    test.expect("1 active true")
    test.finish(expecting: "1 resigns true")
  }
}

private struct Advert: Identifiable, Equatable {
  let id: String
  var price: Int
}

private final class AdvertRouter: Router<Interactor>, ModelRouting {
  private let transcript: Transcript

  init(_ advert: Advert, _ transcript: Transcript) {
    self.transcript = transcript
    super.init(interactor: Interactor())
  }

  func didUpdate(to advert: Advert, from previous: Advert) {
    transcript.write("\(advert.id): \(previous.price) → \(advert.price)")
  }
}

private final class MixedRouter: Router<Interactor> {
  let transcript: Transcript
  let kinds: ChildKinds<MixedRouter>

  lazy var list = ChildList(of: self, kinds: kinds)

  init(_ transcript: Transcript, _ kinds: ChildKinds<MixedRouter>) {
    self.transcript = transcript
    self.kinds = kinds
    super.init(interactor: Interactor())
  }
}
