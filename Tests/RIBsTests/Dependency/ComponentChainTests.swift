// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Testing

@Suite("A chain of components")
struct ComponentChainTests {
  protocol LinkDependency: Dependency {
    var depth: Int { get }
  }

  final class Top: EmptyComponent, LinkDependency {
    var depth: Int { 0 }
  }

  final class Link: Component<any LinkDependency>, LinkDependency {
    private let onDeinit: (Int) -> Void
    let depth: Int

    init(_ parent: any LinkDependency, onDeinit: @escaping (Int) -> Void = { _ in }) {
      self.onDeinit = onDeinit
      depth = parent.depth + 1
      super.init(dependency: parent)
    }

    deinit { onDeinit(dependency.depth) }
  }

  @Test("lets the deinit of each use its dependency, the lowest first")
  func deinits() {
    var depths: [Int] = []
    var lowest: Link? = Link(Top()) { depths.append($0) }
    for _ in 1..<5 { lowest = lowest.map { Link($0) { depths.append($0) } } }
    lowest = nil
    #expect(depths == [4, 3, 2, 1, 0])
  }

  @Test("releases only components without other owners")
  func held() {
    var depths: [Int] = []
    let middle = Link(Link(Top()) { depths.append($0) }) { depths.append($0) }
    var lowest: Link? = Link(middle) { depths.append($0) }
    lowest = lowest.map { Link($0) { depths.append($0) } }
    lowest = nil
    #expect(depths == [3, 2])
    #expect(middle.dependency.depth == 1)
  }

  @Test("of a million is released on a small stack")
  func depth() async {
    await SmallStage(stackSize: 128 << 10).run { _ in
      var lowest = Link(Top())
      for _ in 1..<1_000_000 { lowest = Link(lowest) }
    }
  }
}
