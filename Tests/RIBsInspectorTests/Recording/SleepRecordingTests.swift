// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsTesting
import TestSupport
import Testing

@testable import RIBsInspector

@Suite("A recording of work that sleeps")
struct SleepRecordingTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("trees.ribs").path }

  init() throws { folder = try TemporaryFolder() }

  /// Records a tree whose work sleeps, wakes and is cancelled, and returns the tree after each event.
  ///
  /// - Parameter rounds: how often a child is attached and detached while work sleeps.
  private func record(rounds: Int) throws -> [TreeSnapshot] {
    let inspector = try Inspector.start(
      recording: .file(path, upTo: 65_536), directory: folder.file("ribs").path)
    let witness = Witness(inspector)
    TestTree.$inspector.withValue(witness) {
      let test = TestTree(recording: [])
      let root = test.launch(Router(interactor: AuctionInteractor()))
      for seconds: Int64 in [300, 100, 200] { root.interactor.close(after: seconds) }
      test.settle()
      let child = Router(interactor: AuctionInteractor())
      child.expectsReattachment = true
      for _ in 0..<rounds {
        root.attachChild(child)
        child.interactor.close(after: 50)
        test.settle()
        root.detachChild(child)
      }
      for _ in 0..<3 { test.advance(by: .seconds(100)) }
      test.finish()
    }
    inspector.stop()
    return witness.moments.map(\.snapshot)
  }

  @Test("says after each event when it wakes, also after a keyframe in the middle", arguments: [1, 300])
  func wakes(rounds: Int) throws {
    let live = try record(rounds: rounds)
    let recording = try TreeRecording(contentsOf: path)
    let tree = try #require(recording.trees.first)
    var times: Set<WallTime?> = []
    try recording.forEachEvent(of: tree.id) { event, fold in
      guard event.number <= live.count else { return false }
      let (seen, folded) = (live[event.number - 1], fold.snapshot())
      #expect(folded.outline == seen.outline)
      #expect(folded.nodes.map(\.wakes) == seen.nodes.map(\.wakes), "after event \(event.number): \(event)")
      times.insert(folded.wakes)
      return true
    }
    #expect(times.contains(TestClock.beginning + .seconds(100)))
    #expect(times.isSuperset(of: [TestClock.beginning + .seconds(200), TestClock.beginning + .seconds(300), nil]))
    // Most events were overwritten.
    #expect(rounds == 1 || tree.events < live.count)
    let end = try #require(try recording.snapshot(of: tree.id, after: live.count - 8))
    #expect(end.text().contains("sleeps until 2026-01-01T00:0"), "\(end.text())")
  }

  @Test("continues from a keyframe of another process")
  func keyframe() throws {
    _ = try record(rounds: 1)
    try TreeRecording(contentsOf: path).forEachEvent(of: 1) { event, fold in
      let keyframe = fold.keyframe(of: 1)
      let sent = try? JSONDecoder().decode(KeyframeDetails.self, from: JSONEncoder().encode(KeyframeDetails(keyframe)))
      let received = sent.map { TreeFold($0.keyframe(of: 1, keyframe.snapshot)) }
      #expect(received?.snapshot().nodes.map(\.wakes) == fold.snapshot().nodes.map(\.wakes), "\(event)")
      return true
    }
  }
}
