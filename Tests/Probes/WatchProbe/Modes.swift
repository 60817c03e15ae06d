import Foundation
import RIBs
import RIBsInspector

/// Attaches a child to the root of a tree and detaches it, again and again: what an instruction counter is pointed at.
///
/// - Parameter inspection: `inspected`, an inspector may show the tree, but no client does; `followed`, another process
///   reads its events; `left`, another process has read its events, and has gone.
@MainActor
func count(_ times: Int, _ inspection: String) throws {
  let inspector = inspection.isEmpty ? nil : try Inspector.start()
  var follower: Follower?
  if let inspector, ["followed", "left"].contains(inspection) {
    follower = try Follower(inspector.socketPath, isReading: true)
  }
  // Launched when it is followed already: the subscription to an older tree would wait for this actor.
  let root = Router(interactor: Interactor())
  let tree = Tree(root: root, configuration: TreeConfiguration(inspector: inspector))
  tree.launch()
  if inspection == "left", let inspector {
    change(root, times: 10)
    follower?.leave()
    // When the second question is answered, the inspector has seen that the follower is gone.
    for _ in 0..<2 { try ask(inspector.socketPath) }
  }
  change(root, times: times)
  if inspection == "followed" { follower?.leave() }
  tree.end()
}

private func change(_ root: Router<Interactor>, times: Int) {
  for _ in 0..<times {
    let child = Router(interactor: Interactor())
    root.attachChild(child)
    root.detachChild(child)
  }
}

/// Asks an inspector for its trees, and waits for the answer.
private func ask(_ socketPath: String) throws {
  let client = try connected(to: socketPath)
  defer { close(client) }
  let request = Array("{\"request\":\"trees\"}\n".utf8)
  _ = send(client, request, request.count, Int32(MSG_NOSIGNAL))
  var bytes = [UInt8](repeating: 0, count: 65_536)
  _ = recv(client, &bytes, bytes.count, 0)
}

/// Writes how much memory the process has after 10 seconds, and 20 seconds later, with 100 busy trees and 100 silent
/// clients, and ends it.
func watchMemory() async throws {
  let inspector = try Inspector.start()
  let follower = try Follower(inspector.socketPath, count: 100, isReading: false)
  // A thread, as all that tasks share is busy.
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

/// Writes the processor time that a request to one of 10,000 trees takes, in microseconds: while no client follows them,
/// while one does, and when it has gone.
func measureRequests() async throws {
  let inspector = try Inspector.start()
  let hosts = await makeHosts(10_000, inspector)
  _ = try await timeOfRequests(hosts)
  print("before", try await timeOfRequests(hosts))
  let follower = try Follower(inspector.socketPath, isReading: true)
  print("followed", try await timeOfRequests(hosts))
  follower.leave()
  for _ in 0..<2 { try ask(inspector.socketPath) }
  print("left", try await timeOfRequests(hosts))
}

private struct Answer: Encodable {
  let id: Int
  let name: String
  let children: Int
}

/// One request to each tree: it attaches a child and detaches it, and encodes an answer in JSON as a server does.
private func timeOfRequests(_ hosts: [TreeHost<Router<Interactor>>]) async throws -> Double {
  let before = processorTime()
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
  return (processorTime() - before) / Double(hosts.count)
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

private var residentKibibytes: Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
  return Int(line.filter(\.isNumber)) ?? 0
}
