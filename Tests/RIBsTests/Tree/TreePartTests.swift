// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import RIBs

/// Counts activations by the name of the RIB: a capability that no file of the runtime knows.
private final class ActivationCounter: TreePart {
  private(set) var counts: [String: Int] = [:]

  init() { super.init(.activated) }

  override func node(_ moment: TreeMoments, _ node: RouterNode, in tree: TreeCore) {
    counts[node.ribName, default: 0] += 1
  }
}

/// Writes down its calls, and does something once.
private final class Recorder: TreePart {
  private let name: String
  private let journal: Journal
  var action: (TreeCore) throws(Stop) -> Void = { _ in }

  init(_ name: String, _ moments: TreeMoments, _ journal: Journal) {
    self.name = name
    self.journal = journal
    super.init(moments)
  }

  override func node(_ moment: TreeMoments, _ node: RouterNode, in tree: TreeCore) throws(Stop) {
    journal.write("\(name): \(moment == .attached ? "attached" : "activated") \(node.ribName)")
    let action = action
    self.action = { _ in }
    try action(tree)
  }

  override func treeWillEnd(_ reason: TreeEnded.Reason, _ tree: TreeCore) { journal.write("\(name): will end") }

  override func treeDidEnd(_ tree: TreeCore) { journal.write("\(name): did end") }

  override func treeDidComplete() { journal.write("\(name): complete") }
}

@Suite("A part of a tree")
@MainActor
struct TreePartTests {
  private let journal = Journal()

  @Test("from outside the runtime counts activations by type")
  func counter() throws {
    let root = Scripted.RootRouter()
    let tree = Tree.launched(root)
    let counter = ActivationCounter()
    try #require(tree.core).add(counter)
    let child = Scripted.ChildRouter()
    child.attachChild(Scripted.ChildRouter())
    root.attachAndDetach(child)
    root.attachChild(child)
    #expect(counter.counts == ["Child": 4])
    tree.core?.remove(counter)
    root.attachChild(Scripted.ChildRouter())
    #expect(counter.counts == ["Child": 4])
    tree.end()
  }

  @Test("is called at its moments only, in the order of the parts, until one of them stops")
  func order() throws {
    let root = Scripted.RootRouter()
    let tree = Tree.launched(root, TreeConfiguration(leakDetection: .off))
    let core = try #require(tree.core)
    let second = Recorder("second", [.attached, .activated], journal)
    let first = Recorder("first", .attached, journal)
    core.add(second)
    core.add(first, before: second)
    #expect(core.follows(.attached) && core.follows(.activated) && !core.follows(.resigned))
    root.attachChild(Scripted.ChildRouter())
    first.action = { _ throws(TreePart.Stop) in throw TreePart.Stop() }
    root.attachChild(Scripted.ChildRouter())
    first.setMoments([], in: core)
    second.setMoments(.activated, in: core)
    #expect(!core.follows(.attached))
    root.attachChild(Scripted.ChildRouter())
    tree.end()
    journal.expect(
      "first: attached Child", "second: attached Child", "second: activated Child",
      "first: attached Child", "second: activated Child",
      "second: activated Child",
      "first: will end", "second: will end", "first: did end", "second: did end", "first: complete", "second: complete")
  }

  @Test("may end the tree at an attachment, and the child does not become active", arguments: [false, true])
  func ending(releasesTree: Bool) throws {
    let root = Scripted.RootRouter()
    var tree: Tree? = Tree.launched(root, TreeConfiguration(leakDetection: .off))
    let part = Recorder("part", [.attached, .activated], journal)
    try #require(tree?.core).add(part)
    part.action = { core throws(TreePart.Stop) in
      if releasesTree { tree = nil } else { core.end(.shutDown) }
      throw TreePart.Stop()
    }
    let child = Scripted.ChildRouter()
    root.attachChild(child)
    #expect(!root.interactor.isActive && !child.interactor.isActive)
    #expect(journal.lines == ["part: attached Child", "part: will end", "part: did end", "part: complete"])
    withExtendedLifetime(tree) {}
  }
}
