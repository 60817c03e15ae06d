// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
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

  @Test("reports a component object that it received before, and builds the RIB anyway")
  func sameObject() {
    let part = Part()
    let builder = PlainBuilder<Part> { part }
    var built: [ObjectIdentifier?] = []
    #expect(misuses { built.append(builder.build()) } == [])
    #expect(misuses { built.append(builder.build()) } == [.sameComponent])
    #expect(built == [ObjectIdentifier(part), ObjectIdentifier(part)])
  }

  @Test("does not report new objects, even at the address of a released one, nor values")
  func newObjects() {
    let objects = PlainBuilder<Part> { Part() }
    let values = PlainBuilder<Int> { 1 }
    #expect(misuses { for _ in 0..<1_000 { _ = objects.build() } } == [])
    #expect(misuses { for _ in 0..<10 { _ = values.build() } } == [])
  }

  @Test("reports a value with the id of the one before, and no other value")
  func sameValue() {
    struct Value: Identifiable { let id: Int }
    var next = 0
    let fresh = PlainBuilder<Value> {
      next += 1
      return Value(id: next)
    }
    let repeated = PlainBuilder<Value> { Value(id: 1) }
    #expect(misuses { for _ in 0..<10 { _ = fresh.build() } } == [])
    #expect(misuses { for _ in 0..<3 { _ = repeated.build() } } == [.sameComponent, .sameComponent])
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

  @Test("reports a component object of the pass before")
  func sameStage() {
    let part = Part()
    let builder = StagedBuilder { part }
    #expect(misuses { _ = builder.finalStageBuild() } == [])
    #expect(misuses { _ = builder.finalStageBuild() } == [.sameComponent])
  }
}
