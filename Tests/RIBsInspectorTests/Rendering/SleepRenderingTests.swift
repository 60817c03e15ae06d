// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsTesting
import Testing

@testable import RIBsInspector

@Suite("The time until which the work of a RIB sleeps")
struct SleepRenderingTests {
  /// A snapshot of a tree whose root has no work, and whose child sleeps for three hours and for four.
  private func snapshot(after seconds: Int) -> TreeSnapshot {
    let test = TestTree(recording: [])
    let root = test.launch(interactor: Interactor())
    let auction = Router(interactor: AuctionInteractor())
    root.attachChild(auction)
    for hours: Int64 in [4, 3] { auction.interactor.close(after: hours * 3600) }
    test.advance(by: .seconds(seconds))
    defer { test.finish() }
    return test.tree?.snapshot() ?? TreeSnapshot(nodes: [])
  }

  @Test(
    "is in each rendering",
    arguments: [
      (
        TreeFormat.text,
        "2 tasks (\(AuctionInteractor.work), \(AuctionInteractor.work))"
          + " · sleeps until 2026-01-01T03:00:00Z (in 2h 0m)\n"
      ),
      (.markdown, ", sleeps until 2026-01-01T03:00:00Z (in 2h 0m)\n"),
      (.mermaid, "<br/>sleeps until 2026#45;01#45;01T03#58;00#58;00Z"),
      (.dot, "sleeps until 2026-01-01T03:00:00Z"), (.json, #""wakes" : 1767236400000000"#),
      (.html, #""wakes":1767236400000000"#),
    ])
  func renderings(format: TreeFormat, text: String) throws {
    let rendered = snapshot(after: 3600).rendered(as: format)
    #expect(rendered.contains(text), "\(rendered)")
    #expect(rendered.matches(of: /sleeps until 2|"wakes"/).count == 1)
  }

  @Test("is gone when all have woken, and the later one when one has")
  func woken() {
    #expect(snapshot(after: 3 * 3600).wakes == WallTime("2026-01-01T04:00:00Z"))
    let last = snapshot(after: 4 * 3600)
    #expect(last.wakes == nil && last.wallTime == nil)
    #expect(!last.text().contains("sleeps"))
    #expect(!last.json().contains("wa"))
  }

  @Test("survives encoding, and an older program leaves it out")
  func encoding() throws {
    let snapshot = snapshot(after: 60)
    let line = snapshot.encoded()
    #expect(try JSONDecoder().decode(TreeSnapshot.self, from: line) == snapshot)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    #expect(try line == encoder.encode(snapshot))
    #expect(snapshot.subtree("#2")?.text().contains("(in 2h 59m)") == true)
    let text = String(decoding: line, as: UTF8.self)
    #expect(text.contains(#""version":1,"wallTime":1767225660000000}"#))
    #expect(try TreeSnapshot(json: text.replacing(/,"wa(kes|llTime)":\d+/, with: "")).wakes == nil)
  }

  @Test("is the message of an event")
  func event() {
    let test = TestTree(recording: [])
    var events: [String] = []
    let auction = test.launch(interactor: AuctionInteractor()).interactor
    let following = test.tree?.events.subscribe(onNext: { event in
      let sent = InspectedEvent(event, tree: 1, number: 1)
      events += ["\(event)", "\(sent)"]
    })
    auction.close(after: 60)
    test.advance(by: .seconds(60))
    following?.dispose()
    let work = AuctionInteractor.work
    let shown = events.filter { event in event.contains("Sleeping") || event.contains("Woke") }
    #expect(
      shown == [
        "0.000 Auction taskSleeping \(work) until 2026-01-01T00:01:00Z",
        "0.000 Auction taskSleeping \(work): 2026-01-01T00:01:00Z",
        "60.000 Auction taskWoke \(work)", "60.000 Auction taskWoke \(work)",
      ])
    test.finish()
  }
}
