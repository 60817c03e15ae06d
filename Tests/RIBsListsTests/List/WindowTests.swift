// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsLists
import RIBsTesting
import Testing

@Suite("The window of a list", .folded)
struct WindowTests {
  private let test = TestTree(recording: [])

  /// The notified children, by how near they are now.
  private func received() -> [String: [Int]] {
    var received: [String: [Int]] = [:]
    for line in test.transcript.lines {
      let words = line.split(separator: " ")
      guard words.count == 4, words[2] == "→", let id = Int(words[0].dropLast()) else { continue }
      received[String(words[3]), default: []].append(id)
    }
    test.skip()
    return received
  }

  @Test(
    "prepares one window ahead and half of one behind, and preloads two and a half and one and a half",
    arguments: [
      (ListEnd.tail, Array(35..<40) + Array(50..<60), Array(25..<35) + Array(60..<75)),
      (.head, Array(30..<40) + Array(50..<55), Array(15..<30) + Array(55..<65)),
    ])
  func zones(towards end: ListEnd, ready: [Int], preload: [Int]) {
    let parent = test.launchRows(Array(0..<100))
    parent.list.setWindow(40..<50, towards: end)
    #expect(received() == ["visible": Array(40..<50), "ready": ready, "preload": preload])
    test.finish(parent)
  }

  @Test("notifies each child of each change once, the nearest first, and no child without a change")
  func once() {
    let parent = test.launchRows(Array(0..<100))
    parent.list.setWindow(10..<12, towards: .tail)
    test.skip()
    parent.list.setWindow(10..<12, towards: .tail)
    test.expect()
    parent.list.setWindow(11..<13, towards: .tail)
    test.expect(
      """
      12: ready → visible
      10: visible → ready
      14: preload → ready
      9: ready → preload
      17: none → preload
      7: preload → none
      """)
    test.finish(parent)
  }

  @Test("has other children when one of them was lost")
  func lost() throws {
    let parent = test.launchRows(Array(0..<4))
    parent.detachChild(try #require(parent.children.first))
    test.skip()
    parent.list.setWindow(0..<2, towards: .tail)
    #expect(received() == ["visible": [1, 2], "ready": [3]])
    parent.detachChild(try #require(parent.children.first))
    test.skip()
    try parent.list.update([2, 3])
    #expect(received() == ["visible": [3]])
    test.finish(parent)
  }

  @Test("has other children when one of them has failed for good")
  func failed() throws {
    let parent = test.launchRows(Array(0..<3))
    parent.list.setWindow(0..<1, towards: .tail)
    test.skip()
    parent.interactor.onChildFailure = { _ in }
    parent.row(0)?.interactor.fail(Failure())
    try parent.list.update([1, 2])
    #expect(received()["visible"] == [1])
    test.skip()
    test.finish(parent)
  }

  @Test("stays at its positions when the list is updated, after the children were attached")
  func updated() {
    let parent = test.launchRows(Array(0..<3))
    parent.list.setWindow(0..<1, towards: .tail)
    test.skip()
    parent.show([7, 0, 1, 2])
    test.expect("build 7", "7 active true", "7: none → visible", "0: visible → ready", "1: ready → preload")
    parent.show([])
    #expect(!test.transcript.lines.contains { $0.contains("→") })
    test.skip()
    parent.show([5])
    test.expect("build 5", "5 active true", "5: none → visible")
    test.finish(parent)
  }

  @Test("near nothing makes all far away")
  func empty() {
    let parent = test.launchRows(Array(0..<10))
    parent.list.setWindow(0..<2, towards: .tail)
    test.skip()
    parent.list.setWindow(0..<0, towards: .tail)
    #expect(received() == ["none": Array(0..<7)])
    parent.list.setWindow(0..<0, towards: .head)
    test.expect()
    test.finish(parent)
  }

  @Test("may lie outside the list, and be as large as it likes")
  func outside() {
    let parent = test.launchRows(Array(0..<10))
    parent.list.setWindow(100..<102, towards: .head)
    #expect(received() == ["preload": [5, 6, 7], "ready": [8, 9]])
    parent.list.setWindow(Int.min..<Int.max, towards: .tail)
    #expect(received() == ["visible": Array(0..<10)])
    parent.list.setWindow(-5 ..< -3, towards: .head)
    #expect(received() == ["ready": [0], "preload": [1, 2], "none": Array(3..<10)])
    test.finish(parent)
  }

  @Test("moved by a child in its callback notifies from there on, once for each change")
  func movedInside() {
    let parent = test.launchRows(Array(0..<50))
    parent.row(10)?.onNearness = { [unowned parent] row in
      row.onNearness = { _ in }
      parent.list.setWindow(30..<32, towards: .tail)
    }
    parent.list.setWindow(10..<12, towards: .tail)
    test.expect(
      """
      10: none → visible
      30: none → visible
      31: none → visible
      29: none → ready
      32: none → ready
      33: none → ready
      27: none → preload
      28: none → preload
      34: none → preload
      35: none → preload
      36: none → preload
      10: visible → none
      """)
    test.finish(parent)
  }

  @Test("moved during an update notifies at its end")
  func movedDuringUpdate() {
    let parent = test.launchRows()
    parent.whenActive(0) { $0.list.setWindow(1..<2, towards: .tail) }
    parent.show([0, 1])
    test.expect("build 0", "build 1", "0 active true", "1 active true", "1: none → visible", "0: none → ready")
    test.finish(parent)
  }

  @Test("of a child that updates the list in its callback continues with the new list")
  func updateInside() {
    let parent = test.launchRows(Array(0..<4))
    parent.row(0)?.onNearness = { [unowned parent] row in
      row.onNearness = { _ in }
      parent.show([3])
    }
    parent.list.setWindow(0..<1, towards: .tail)
    #expect(parent.rows == ["3"])
    #expect(test.transcript.lines.filter { $0.contains("→") } == ["0: none → visible", "3: none → visible"])
    test.skip()
    test.finish(parent)
  }
}
