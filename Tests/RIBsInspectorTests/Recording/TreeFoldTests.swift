// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import TestSupport
import Testing

@testable import RIBsInspector

@Suite("A fold of events")
struct TreeFoldTests {
  @Test("equals the live tree at each event of random walks")
  func walks() async throws {
    let first = firstSeed()
    for seed in first..<first + Thoroughness.count(usual: 2, share: 20, whole: 20) {
      let checker = FoldChecker(oneIn: 1, comparingEachEvent: true)
      let host = await TreeHost(configuration: .inspected(by: checker)) { WalkRouter() }
      // Between turns, another fold begins with a keyframe of the live tree.
      for turn in 0..<10 {
        try await host.perform { root in
          var random = SplitMix(seed &+ UInt64(turn) << 32)
          for _ in 0..<20 { root.step(&random) }
        }
        await checker.readKeyframes()
      }
      await host.shutdown()
      #expect(checker.problem == nil, "seed \(seed)")
      #expect(checker.keyframes == 10 && checker.events > 100)
    }
  }

  @Test("continues from a keyframe of another process, which says how many events came before it")
  func client() async throws {
    let folder = try TemporaryFolder()
    let inspector = try Inspector.start(directory: folder.file("ribs").path)
    let client = InspectorClient(socketPath: inspector.socketPath, timeout: RawClient.timeout)
    let host = await TreeHost(configuration: .inspected(by: inspector)) { WalkRouter() }
    func walk(_ seed: UInt64, steps: Int) async throws {
      try await host.perform { root in
        var random = SplitMix(seed)
        for _ in 0..<steps { root.step(&random) }
      }
    }
    try await walk(7, steps: 100)
    let events = try await client.events(of: 1)
    try await walk(8, steps: 50)
    let keyframe = try await client.keyframe(of: 1)
    #expect(keyframe.number > 0)
    var fold = TreeFold(keyframe)
    #expect(fold.snapshot().outline == keyframe.snapshot.outline)
    try await walk(9, steps: 50)
    let last = try await client.keyframe(of: 1)
    for try await element in events {
      let event = try #require(element.event)
      let isNext = fold.apply(event)
      #expect(isNext)
      if fold.number == last.number { break }
    }
    #expect(fold.snapshot().outline == last.snapshot.outline)
    await host.shutdown()
    inspector.stop()
  }

  @Test("is exact until an event is missing, and says so")
  func gap() {
    var fold = TreeFold()
    func event(_ number: Int, _ changes: [InspectedEdit]) -> InspectedEvent {
      InspectedEvent(number, "attached", changes)
    }
    let isNext1 = fold.apply(event(1, [.inserted(1, parent: 0, .last, RIBNames("Root"))]))
    #expect(isNext1)
    let isRepeated = fold.apply(event(1, [.removed(1)]))
    #expect(isRepeated)
    #expect(fold.count == 1)
    let isNext3 = fold.apply(event(3, []))
    #expect(!isNext3)
    let isNext4 = fold.apply(event(4, [.restarted(1, made: 2, limit: 3)]))
    #expect(isNext4)
    #expect(fold.snapshot().nodes.first?.restarts?.description == "2 of 3")
  }

  @Test("passes changes through JSON unchanged")
  func changes() throws {
    let names = RIBNames(name: "A", router: "ARouter", interactor: "\"", hasView: true)
    let changes: [InspectedEdit] = [
      .inserted(9, parent: 4, .after(NodeID(7)), names), .moved(9, .first), .moved(9, .last), .removed(9),
      .activated(9, since: -1), .resigning(9), .resigned(9), .workStarted(17, 9, worker: -1, "x"),
      .workStarted(17, 9, worker: -1, "x", until: 1_767_236_400_000_000), .workEnded(17),
      .workerStarted(9, "W"), .workerStopped(9, 0), .restarted(9, made: 1, limit: 3),
    ]
    #expect(try JSONDecoder().decode([InspectedEdit].self, from: JSONEncoder().encode(changes)) == changes)
    for change in changes {
      var line = JSONLine()
      line.append(change, names: { $0.append($1) }, work: { $0.append(text: $1) })
      #expect(try JSONDecoder().decode(InspectedEdit.self, from: Data(line.bytes)) == change)
    }
  }
}
