// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsInspector

/// Records a million events of 100 trees and a tree of 10,000 RIBs, and reads the trees at 200 times and after 200 events.
///
/// - Parameter path: the path of the recording, which stays there.
/// - Returns: whether the events take at most 200 bytes each, and each tree is read within 50 ms.
func measureRecording(_ path: String) async throws -> Bool {
  let inspector = try Inspector.start(recording: .file(path, upTo: 200_000_000))
  let configuration = TreeConfiguration(leakDetection: .off, inspector: inspector)
  var hosts: [TreeHost<RecordedRouter>] = []
  for _ in 0..<100 { hosts.append(await TreeHost(configuration: configuration) { RecordedRouter() }) }
  for _ in 0..<100 {
    for host in hosts {
      try await host.perform { root in for _ in 0..<15 { root.change() } }
    }
    // The recorder writes more events a second than trees should have.
    try await Task.sleep(for: .milliseconds(150))
  }
  // Its events come in turns that the queue of the recorder holds.
  let large = await TreeHost(configuration: configuration) { RecordedRouter() }
  for _ in 0..<50 {
    try await large.perform { root in for _ in 0..<200 { root.attach() } }
    try await Task.sleep(for: .milliseconds(150))
  }
  for _ in 0..<50 { try await large.perform { root in for _ in 0..<15 { root.change() } } }
  await large.shutdown()
  for host in hosts { await host.shutdown() }
  inspector.stop()
  let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? .max
  let clock = ContinuousClock()
  var opened: TreeRecording?
  let opening = try clock.measure { opened = try TreeRecording(contentsOf: path) }
  guard let recording = opened else { return false }
  var random = SystemRandomNumberGenerator()
  var longest = Duration.zero
  for attempt in 0..<200 {
    // Each fourth time the large tree, which is the last one.
    let index = attempt % 4 == 0 ? recording.trees.count - 1 : Int.random(in: recording.trees.indices, using: &random)
    let tree = recording.trees[index]
    let part = Double.random(in: 0...1, using: &random)
    let time = tree.time.lowerBound + (tree.time.upperBound - tree.time.lowerBound) * part
    let number = Int.random(in: 1...tree.events, using: &random)
    longest = max(longest, try shortest { _ = try recording.snapshot(of: tree.id, at: time) })
    longest = max(longest, try shortest { _ = try recording.snapshot(of: tree.id, after: number) })
  }
  let events = recording.trees.reduce(0) { $0 + $1.events }
  print(
    """
    \(events) events, \(recording.lostEvents) lost, in \(size / 1_000_000) MB; opened in \(milliseconds(opening)) ms, a \
    tree read in at most \(milliseconds(longest)) ms
    """)
  // A busy machine may lose some.
  return events + recording.lostEvents >= 1_000_000 && size <= 200 * events && longest < .milliseconds(50)
}

/// The time of the fastest of three runs, without what other programs take of the processor.
private func shortest(_ work: () throws -> Void) rethrows -> Duration {
  func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
  var shortest = Duration.seconds(3_600)
  for _ in 0..<3 {
    let before = processorTime()
    try work()
    shortest = min(shortest, processorTime() - before)
  }
  return shortest
}

private func milliseconds(_ duration: Duration) -> Int { Int(duration / .milliseconds(1)) }

/// A RIB with 20 children, of which one is exchanged at each change.
private final class RecordedRouter: Router<Interactor> {
  private var leaves: [Router<Interactor>] = []
  private var next = 0

  init() { super.init(interactor: Interactor()) }

  override func didLoad() {
    super.didLoad()
    for _ in 0..<20 { attach() }
  }

  func attach() {
    let leaf = Router(interactor: Interactor())
    attachChild(leaf)
    leaves.append(leaf)
    leaf.interactor.task("wait", overlap: .concurrent) { try await Task.sleep(for: .seconds(3_600)) }
  }

  func change() {
    detachChild(leaves.remove(at: next % leaves.count))
    next &+= 7
    attach()
  }
}
