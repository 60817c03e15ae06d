// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("The clock that a tree has unless it is given another") @MainActor
struct UsualClockTests {
  @Test("shows no RIB to be older than its tree, though it reports the time of an activation to some milliseconds")
  func ages() throws {
    let (root, child) = (Scripted.RootRouter(), Scripted.ChildRouter())
    let tree = Tree(root: root, configuration: TreeConfiguration(leakDetection: .off))
    let start = SuspendingClock.now
    tree.launch()
    root.attachChild(child)
    let ages = tree.snapshot().nodes.compactMap(\.age)
    let taken = SuspendingClock.now - start
    #expect(ages.count == 2)
    #expect(ages.allSatisfy { .zero <= $0 && $0 <= taken }, "\(ages) in \(taken)")
    tree.end()
  }

  @Test("reports exactly how long a RIB was active, if any events are observed")
  func durations() throws {
    let (root, child) = (Scripted.RootRouter(), Scripted.ChildRouter())
    let received = Locked<[Duration]>([])
    let configuration = TreeConfiguration(
      leakDetection: .off, eventKinds: [.resigned],
      onEvent: { event in received.withLock { $0.append(event.duration ?? .seconds(-1)) } })
    let tree = Tree.launched(root, configuration)
    // No time of a tick is taken for that of the launch, which is exact.
    let launch = SuspendingClock.now
    while SuspendingClock.now - launch < .milliseconds(20) {}
    let start = SuspendingClock.now
    root.attachAndDetach(child)
    let taken = SuspendingClock.now - start
    let duration = try #require(received.withLock { $0 }.first)
    #expect(.zero <= duration && duration <= taken)
    tree.end()
  }
}
