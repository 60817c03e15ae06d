// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsInspector

/// Attaches and detaches a child of a tree's root repeatedly, to be measured by an instruction counter.
///
/// - Parameter inspection: `inspected`: the tree has an inspector without clients; `followed`: another process reads
///   its events; `left`: another process has read its events and disconnected; `recorded`: its events are written to a
///   file, which includes the work of the recorder.
@MainActor
func count(_ times: Int, _ inspection: String) throws {
  let inspector = inspection.isEmpty ? nil : try startInspector(isRecording: inspection == "recorded")
  var follower: Follower?
  if let inspector, ["followed", "left"].contains(inspection) {
    follower = try Follower(inspector.socketPath, isReading: true)
  }
  // Launched while followed: a subscription to an existing tree would wait for this actor.
  let root = Router(interactor: Interactor())
  let tree = Tree(root: root, configuration: TreeConfiguration(inspector: inspector))
  tree.launch()
  if inspection == "left", let inspector {
    change(root, times: 10)
    follower?.leave()
    // When the second request is answered, the inspector has noticed the disconnection.
    for _ in 0..<2 { try ask(inspector.socketPath) }
  }
  change(root, times: times)
  if inspection == "followed" { follower?.leave() }
  tree.end()
  if inspection == "recorded" { try finish(inspector) }
}

private var recordingPath: String {
  (ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"] ?? "/tmp")
    + "/counted-\(ProcessInfo.processInfo.processIdentifier).ribs"
}

private func startInspector(isRecording: Bool) throws -> Inspector {
  try Inspector.start(recording: isRecording ? .file(recordingPath, upTo: 64 << 20) : nil)
}

/// Waits until everything is written. The counts are those of a recorder that loses nothing.
private func finish(_ inspector: Inspector?) throws {
  inspector?.stop()
  let recording = try TreeRecording(contentsOf: recordingPath)
  guard recording.lostEvents == 0, recording.trees.contains(where: { $0.events > 0 }) else {
    fatalError("\(recording.lostEvents) events were lost")
  }
  try FileManager.default.removeItem(atPath: recordingPath)
}

/// Records 30,000 events of a tree, opens the recording, and reads the tree after some of them, to be measured by an
/// instruction counter.
@MainActor
func countReads(_ times: Int) throws {
  let inspector = try startInspector(isRecording: true)
  let root = Router(interactor: Interactor())
  let tree = Tree(root: root, configuration: TreeConfiguration(inspector: inspector))
  tree.launch()
  for _ in 0..<100 { root.attachChild(Router(interactor: Interactor())) }
  change(root, times: 5_900)
  tree.end()
  inspector.stop()
  let recording = try TreeRecording(contentsOf: recordingPath)
  guard let recorded = recording.trees.first, recording.lostEvents == 0, recorded.events > 29_000 else {
    fatalError("\(recording.lostEvents) events were lost")
  }
  for index in 0..<times {
    let number = recorded.events * (index + 1) / (times + 1)
    guard try recording.snapshot(of: recorded.id, after: number) != nil else { fatalError("no tree after \(number)") }
  }
  try FileManager.default.removeItem(atPath: recordingPath)
}

private func change(_ root: Router<Interactor>, times: Int) {
  for _ in 0..<times {
    let child = Router(interactor: Interactor())
    root.attachChild(child)
    root.detachChild(child)
  }
}

/// Requests the trees of an inspector, and waits for the answer.
private func ask(_ socketPath: String) throws {
  let client = try connected(to: socketPath)
  defer { close(client) }
  let request = Array("{\"request\":\"trees\"}\n".utf8)
  _ = send(client, request, request.count, Int32(MSG_NOSIGNAL))
  var bytes = [UInt8](repeating: 0, count: 65_536)
  _ = recv(client, &bytes, bytes.count, 0)
}

/// Writes the memory use of the process after 10 seconds and 20 seconds later, with 100 busy trees and 100 clients
/// that don't read. Then ends it.
func watchMemory() async throws {
  let inspector = try Inspector.start()
  let follower = try Follower(inspector.socketPath, count: 100, isReading: false)
  // A dedicated thread: the cooperative thread pool is busy.
  Thread.detachNewThread {
    for seconds in [10.0, 20] {
      Thread.sleep(forTimeInterval: seconds)
      print(residentKibibytes)
    }
    exit(0)
  }
  let hosts = await makeHosts(100, inspector)
  try await withThrowingTaskGroup(of: Void.self) { group in
    for host in hosts {
      group.addTask { while true { try await host.perform { change($0, times: 100) } } }
    }
    try await group.waitForAll()
  }
  follower.leave()
}

/// Writes the processor time of a request to one of 10,000 trees: without clients, while a client follows the trees, after
/// it has disconnected, and while one reads the list of trees as `ribs serve` does.
///
/// The speed of a machine varies by more than what is measured, so that each cost is the median of many rounds, each
/// beside the requests without clients of the same round.
///
/// - Returns: whether following costs at most 5 %, with the inspector's thread, and nothing afterwards, within the error of
///   the measurement, and whether reading the list costs at most 5 %.
func measureRequests() async throws -> Bool {
  let inspector = try Inspector.start()
  let hosts = await makeHosts(10_000, inspector)
  _ = try await timeOfRequests(hosts)
  var (alone, started, followed, left) = ([RequestTime](), [RequestTime](), [RequestTime](), [RequestTime]())
  for _ in 0..<25 {
    alone.append(try await timeOfRequests(hosts))
    let follower = try Follower(inspector.socketPath, isReading: true)
    // The subscription to each tree, once.
    started.append(try await timeOfRequests(hosts))
    followed.append(try await timeOfRequests(hosts))
    follower.leave()
    for _ in 0..<2 { try ask(inspector.socketPath) }
    // The last event of each tree ends its subscription.
    _ = try await timeOfRequests(hosts)
    left.append(try await timeOfRequests(hosts))
  }
  // The list is read at most twice a second, so that only the sum of many requests shows its cost.
  var polled: [Double] = []
  for _ in 0..<8 {
    var sums = (polled: 0.0, alone: 0.0)
    let poller = try Follower(inspector.socketPath, kind: "polling")
    for _ in 0..<6 { sums.polled += try await timeOfRequests(hosts).total }
    poller.leave()
    for _ in 0..<6 { sums.alone += try await timeOfRequests(hosts).total }
    polled.append(sums.polled / sums.alone)
  }
  func ratio(of times: [RequestTime], _ part: KeyPath<RequestTime, Double> = \.total) -> Double {
    median(zip(times, alone).map { $0[keyPath: part] / $1.total })
  }
  let costs = (followed: ratio(of: followed), left: ratio(of: left), polled: median(polled))
  print(String(format: "%.1f µs a request without clients", median(alone.map(\.total))))
  print("subscribing: \(percent(ratio(of: started) - 1))")
  let ofThread = percent(ratio(of: followed, \.inspector))
  print("followed: \(percent(costs.followed - 1)), of which the inspector's thread takes \(ofThread)")
  print("left: \(percent(costs.left - 1))")
  print("polled: \(percent(costs.polled - 1))")
  return costs.followed <= 1.05 && costs.left <= 1.02 && costs.polled <= 1.05
}

private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

private func percent(_ part: Double) -> String { String(format: "%+.1f %%", part * 100) }

/// Requests the list of 10,000 trees again and again, to be measured by an instruction counter.
func countLists(_ times: Int) {
  let ended = DispatchSemaphore(value: 0)
  Task.detached {
    let inspector = try Inspector.start()
    let hosts = await makeHosts(10_000, inspector)
    for _ in 0..<times { _ = try await timeOfList(inspector.socketPath) }
    withExtendedLifetime(hosts) {}
    ended.signal()
  }
  ended.wait()
  exit(0)
}

/// Requests the list of trees and reads all of it, without decoding it.
///
/// - Returns: how long it took.
func timeOfList(_ socketPath: String) async throws -> Duration {
  try ContinuousClock().measure {
    let client = try connected(to: socketPath)
    defer { close(client) }
    let request = Array("{\"request\":\"trees\"}\n".utf8)
    _ = send(client, request, request.count, Int32(MSG_NOSIGNAL))
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = recv(client, &bytes, bytes.count, 0)
      if count <= 0 || bytes[count - 1] == UInt8(ascii: "\n") { return }
    }
  }
}

/// Makes requests to 200 trees, to be measured by an instruction counter.
///
/// - Parameter inspection: `followed`: another process follows the trees; `recorded`: their events are written to a file.
func countRequests(rounds: Int, _ inspection: String) {
  // The main thread waits, because valgrind does not support an asynchronous main function.
  let ended = DispatchSemaphore(value: 0)
  Task.detached {
    let inspector = try startInspector(isRecording: inspection == "recorded")
    let hosts = await makeHosts(200, inspector)
    let follower = inspection == "followed" ? try Follower(inspector.socketPath, isReading: true) : nil
    for _ in 0..<rounds { _ = try await timeOfRequests(hosts) }
    follower?.leave()
    if inspection == "recorded" { try finish(inspector) }
    ended.signal()
  }
  ended.wait()
  exit(0)
}

/// The processor time of a request, in microseconds.
private struct RequestTime {
  let total: Double
  /// The part of the inspector's thread.
  let inspector: Double
}

private struct Answer: Encodable {
  let id: Int
  let name: String
  let children: Int
}

/// Makes one request to each tree: attaches and detaches a child, and encodes an answer in JSON as a server does.
private func timeOfRequests(_ hosts: [TreeHost<Router<Interactor>>]) async throws -> RequestTime {
  let (before, ofInspector) = (processorTime(), inspectorTime())
  try await withThrowingTaskGroup(of: Void.self) { group in
    for part in 0..<2 {
      group.addTask {
        for index in stride(from: part, to: hosts.count, by: 2) {
          let children = try await hosts[index].perform { root in
            change(root, times: 1)
            return root.children.count
          }
          _ = try JSONEncoder().encode((0..<40).map { Answer(id: $0, name: "row \($0)", children: children) })
        }
      }
    }
    try await group.waitForAll()
  }
  let count = Double(hosts.count)
  return RequestTime(total: (processorTime() - before) / count, inspector: (inspectorTime() - ofInspector) / count)
}

private func makeHosts(_ count: Int, _ inspector: Inspector) async -> [TreeHost<Router<Interactor>>] {
  var hosts: [TreeHost<Router<Interactor>>] = []
  for _ in 0..<count {
    hosts.append(
      await TreeHost(configuration: TreeConfiguration(leakDetection: .off, inspector: inspector)) {
        Router(interactor: Interactor())
      })
  }
  return hosts
}

/// In microseconds.
private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

/// The processor time of the inspector's thread in microseconds, from `/proc`.
private func inspectorTime() -> Double {
  let threads = "/proc/self/task"
  for thread in (try? FileManager.default.contentsOfDirectory(atPath: threads)) ?? [] {
    guard let name = try? String(contentsOfFile: "\(threads)/\(thread)/comm", encoding: .utf8),
      name == "ribs.inspector\n",
      let times = try? String(contentsOfFile: "\(threads)/\(thread)/schedstat", encoding: .utf8),
      let time = times.split(separator: " ").first.flatMap({ Double($0) })
    else { continue }
    return time / 1e3
  }
  return 0
}

/// The memory of this process.
var residentKibibytes: Int { kibibytes("VmRSS:") }

/// The memory of this process without the pages of its files.
var anonymousKibibytes: Int { kibibytes("RssAnon:") }

private func kibibytes(_ name: String) -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
  return Int(line.filter(\.isNumber)) ?? 0
}
