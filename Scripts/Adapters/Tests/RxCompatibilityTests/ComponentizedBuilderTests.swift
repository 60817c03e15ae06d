// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RxCompatibility
import Testing

@Suite("A componentized builder")
struct ComponentizedBuilderTests {
  private final class Part: Component<any EmptyDependency> {
    let number: Int

    init(number: Int = 0) {
      self.number = number
      super.init(dependency: EmptyComponent())
    }
  }

  private struct Value: Identifiable { let id: Int }

  private final class PairBuilder: ComponentizedBuilder<Part, String, String, Int> {
    override func build(with component: Part, _ dynamicBuildDependency: String) -> String {
      "\(dynamicBuildDependency) \(component.number)"
    }
  }

  private final class PlainBuilder<Made>: SimpleComponentizedBuilder<Made, ObjectIdentifier?> {
    override func build(with component: Made) -> ObjectIdentifier? {
      (component as? Part).map { ObjectIdentifier($0) }
    }
  }

  private final class StagedBuilder: SimpleMultiStageComponentizedBuilder<Part, Part> {
    override func finalStageBuild(with component: Part) -> Part { component }
  }

  @Test("passes both dependencies to its methods, and can return the component too")
  func dependencies() {
    let builder = PairBuilder { number in Part(number: number) }
    let router: String = builder.build(withDynamicBuildDependency: "ride", dynamicComponentDependency: 7)
    #expect(router == "ride 7")
    let (component, other) = builder.build(withDynamicBuildDependency: "ride", dynamicComponentDependency: 8)
    #expect(component.number == 8)
    #expect(other == "ride 8")
  }

  @Test("keeps one component through the stages of a pass, and creates another for the next pass")
  func stages() {
    let builder = StagedBuilder { Part() }
    let first = builder.componentForCurrentBuildPass
    #expect(builder.componentForCurrentBuildPass === first)
    #expect(builder.finalStageBuild() === first)
    let second = builder.componentForCurrentBuildPass
    #expect(second !== first)
    #expect(builder.finalStageBuild() === second)
  }

  @Test("accepts new objects, even at the address of a released one, values without an id, and new ids")
  func newComponents() {
    let objects = PlainBuilder<Part> { Part() }
    let values = PlainBuilder<Int> { 1 }
    var next = 0
    let identified = PlainBuilder<Value> {
      next += 1
      return Value(id: next)
    }
    for _ in 0..<1_000 {
      #expect(objects.build() != nil)
      _ = (values.build(), identified.build())
    }
    #expect(next == 1_000)
  }

  #if DEBUG
    @Test("stops a debug build when it receives a component object again")
    func sameObject() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let part = Part()
        let builder = PlainBuilder<Part> { part }
        _ = builder.build()
        _ = builder.build()
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("PlainBuilder<Part> was given the same Part as before. Create a new component"))
    }

    @Test("stops a debug build when it receives a value with the id of the one before")
    func sameValue() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let builder = PlainBuilder<Value> { Value(id: 1) }
        _ = builder.build()
        _ = builder.build()
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("was given the same Value as before."))
    }

    @Test("stops a debug build when it receives the component object of the pass before")
    func sameStage() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let part = Part()
        let builder = StagedBuilder { part }
        _ = builder.finalStageBuild()
        _ = builder.finalStageBuild()
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("StagedBuilder was given the same Part as before."))
    }
  #endif
}
