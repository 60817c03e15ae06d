// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import Testing

@Suite("The format of saved trees") @MainActor
struct GoldenDocumentTests {
  /// The document of the tree below, as format 1 has it. It must not change, and must be restored by every version.
  static let format1 = """
    {"format":1,"ribs":[
    {"rib":"Saved","v":1,"state":{"number":7,"numbers":[3,1],"text":"a \\"b\\" \\\\ \\n é 👍"},"children":{"slot":[{"branch":{"_0":2}}],"kept":[{"leaf":{"_0":1}},{"leaf":{"_0":2}},{"leaf":{"_0":3}}],"released":[{"leaf":{"_0":4}},{"leaf":{"_0":5}}]}},
    {"in":0,"rib":"Badge","v":1,"state":5},
    {"in":0,"rib":"Lamp"},
    {"in":0,"rib":"Lamp"},
    {"in":0,"at":"slot","rib":"Saved","v":1,"state":{"number":8,"numbers":[],"text":""},"children":{"slot":[],"kept":[],"released":[]}},
    {"in":4,"rib":"Badge","v":1,"state":0},
    {"in":4,"rib":"Lamp"},
    {"in":4,"rib":"Lamp"},
    {"in":0,"at":"kept","index":2,"rib":"Saved","v":1,"state":{"number":0,"numbers":[],"text":""},"children":{"slot":[],"kept":[{"leaf":{"_0":6}}],"released":[]}},
    {"in":8,"at":"kept","rib":"Saved","v":1,"state":{"number":9,"numbers":[],"text":""},"children":{"slot":[],"kept":[],"released":[]}},
    {"in":0,"at":"released","index":1,"rib":"Saved","v":1,"state":{"number":0,"numbers":[],"text":""},"children":{"slot":[],"kept":[],"released":[]}},
    {"in":0,"at":"kept","rib":"Saved","v":1,"state":{"number":0,"numbers":[],"text":""},"children":{"slot":[],"kept":[],"released":[]}},
    {"in":0,"at":"kept","index":1,"rib":"Saved","v":1,"state":{"number":0,"numbers":[],"text":""},"children":{"slot":[],"kept":[],"released":[]}}
    ]}

    """

  /// A document of format 1 by a coder that writes no JSON: its values are strings in Base64. It must not change, either.
  static let otherCoder = """
    {"format":1,"ribs":[
    {"rib":"Saved","v":1,"state":"gt3dxd2Lh5qL3dOipMXdjI2anZKKkd3TyMXdjZqdkoqR3YQ=","children":{"slot":"ooKCzsXdz6DdhMXdmZ6ak92EpA==","kept":"oqQ=","released":"oqQ="}},
    {"in":0,"at":"slot","rib":"Saved","v":1,"state":"gt3dxd2Lh5qL3dOipMXdjI2anZKKkd3Tx8XdjZqdkoqR3YQ=","children":{"slot":"oqQ=","kept":"oqQ=","released":"oqQ="}}
    ]}

    """

  @Test("is that of the golden document, also with a coder that writes no JSON")
  func written() throws {
    #expect(try SavingTests.makeTree().tree.document() == Self.format1)
    let root = SavedRouter()
    let tree = Tree.launched(root)
    root.interactor.savedState.number = 7
    root.slot.route = .leaf(1)
    (root.slot.child as? SavedRouter)?.interactor.savedState.number = 8
    #expect(String(decoding: try tree.save().encoded(by: OddCoder()), as: UTF8.self) == Self.otherCoder)
    let copy = SavedRouter()
    let restored = try Tree(root: copy, restoring: SavedTree(Array(Self.otherCoder.utf8)), coder: OddCoder())
    restored.launch()
    #expect(copy.saved == root.saved && copy.saved == "Saved 7\n  Saved 8")
  }

  @Test("can be read from the golden document, also with other white space, order and unknown keys")
  func read() throws {
    let (_, root) = SavingTests.makeTree()
    let other = Self.format1.replacing("{\"in\":0,", with: " {  \"in\" : 0 , \"later\" : [ {} , \"]\" ],\n")
      .replacing("\"rib\":\"Badge\",\"v\":1,\"state\":5", with: "\"state\":5,\"v\":1,\"rib\":\"Badge\"")
    for document in [Self.format1, other] {
      let copy = SavedRouter(.branch(1))
      let tree = try Tree.restoring(copy, from: document)
      #expect(tree.launch())
      #expect(copy.saved == root.saved)
      #expect(try tree.document() == Self.format1)
    }
  }
}
