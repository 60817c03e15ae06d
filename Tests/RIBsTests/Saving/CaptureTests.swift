// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import Testing

@Suite("Capturing a tree", .serialized)
struct CaptureTests {
  #if DEBUG
    static let count = 30_000
  #else
    static let count = 1_000_000
  #endif

  /// A link of a chain; every thousandth saves.
  final class ChainRouter: Router<Interactor> {
    lazy var next = ChildSlot<Int>(of: self) { _, number in ChainRouter(number) }
    override var savedChildren: [SavedChildren] { [next.saved(as: "next")] }

    init(_ number: Int) {
      super.init(interactor: number.isMultiple(of: 1_000) ? NumberInteractor(number) : LampInteractor())
    }
  }

  final class NumberInteractor: Interactor, Saving {
    var savedState: Int
    init(_ number: Int) { savedState = number }
  }

  @Test("takes no recursion, nor does restoring: a chain of slots on a stack of 128 KiB")
  func depth() async {
    let stage = SmallStage(stackSize: 128 << 10)
    let count = Self.count / 10
    let (captured, isEqual) = await stage.run { _ in
      let root = ChainRouter(0)
      let tree = Tree(root: root)
      var last = root
      for number in 1..<count {
        last.next.route = number
        if let child = last.next.child as? ChainRouter { last = child }
      }
      tree.launch()
      let saved = tree.save()
      guard let document = try? saved.encoded(by: PlainCoder()), let decoded = try? SavedTree(document),
        let restored = try? Tree(root: ChainRouter(0), restoring: decoded, coder: PlainCoder())
      else { return (saved.count, false) }
      restored.launch()
      return (saved.count, (try? restored.save().encoded(by: PlainCoder())) == document)
    }
    #expect(captured == count)
    #expect(isEqual)
  }

  @Test("of a chain of plain RIBs of any length takes a stack of 128 KiB, with a thousand that save")
  func plainDepth() async {
    let stage = SmallStage(stackSize: 128 << 10)
    let count = await stage.run { _ in
      let root = Router<Interactor>(interactor: LampInteractor())
      var last: RouterNode = root
      for number in 1..<Self.count {
        let interactor: Interactor =
          number.isMultiple(of: Self.count / 1_000) ? NumberInteractor(number) : LampInteractor()
        let next = Router<Interactor>(interactor: interactor)
        last.attachChild(next)
        last = next
      }
      let tree = Tree.launched(root)
      return tree.save().count
    }
    #expect(count == Self.count)
  }
}
