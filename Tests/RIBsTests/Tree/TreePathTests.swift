// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("A path")
@MainActor
struct TreePathTests {
  /// The paths of a chain of RIBs when they become active, from the top downwards.
  private func paths(ofChain length: Int) -> [TreePath] {
    let root = Scripted.RootRouter()
    let tree = Tree.launched(root, TreeConfiguration(leakDetection: .off))
    let paths = StreamRecorder(tree.events.filter { $0.kind == .activated }.map(\.path))
    root.attachChain((0..<length - 2).map { _ in Scripted.ChildRouter() } + [Scripted.LeafRouter()])
    paths.stop()
    tree.end()
    return paths.values
  }

  @Test("names all RIBs from the root, and of more than 64 the last 64")
  func names() {
    let received = paths(ofChain: 100)
    for (index, path) in received.enumerated() {
      let depth = index + 2
      let below = Array(repeating: "Child", count: depth == 100 ? 98 : depth - 1) + (depth == 100 ? ["Leaf"] : [])
      let names = Array((["Root"] + below).suffix(64))
      #expect(path.components == names, "at depth \(depth)")
      #expect(path.description == (depth > 64 ? "…/" : "") + names.joined(separator: "/"), "at depth \(depth)")
    }
    #expect(received.count == 99)
  }

  @Test("ends with the name of the RIB, which is equal for RIBs of one type")
  func rib() throws {
    let test = TestTree(recording: [])
    let root = test.launch(Scripted.RootRouter())
    let events = StreamRecorder(try #require(test.tree).events)
    for _ in 0..<10 { root.attachChild(Scripted.ChildRouter()) }
    root.attachChild(Router(interactor: Scripted.Interactor()))
    test.finish()
    let names = events.values.map(\.rib)
    #expect(names.map(\.description) == events.values.map { $0.path.components.last })
    #expect(Set(names).count == 3)
    #expect(Set(names).map(\.description).sorted() == ["Child", "Interactor", "Root"])
  }

  @Test("equals that of a RIB with the same names above it, of any length")
  func equality() {
    let (received, others) = (paths(ofChain: 70), paths(ofChain: 70))
    #expect(received == others)
    // Of more than 64 RIBs only the last count: the deepest is a leaf, and the five before it have equal names.
    #expect(Set(received).count == received.count - 4)
    #expect(Set(received + others) == Set(received))
  }
}
