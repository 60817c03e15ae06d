// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
@testable import RIBsInspector
import TestSupport
import Testing

@Suite("An inspector", .tearsDown)
struct InspectorTests {
  private let folder: TemporaryFolder

  private let inspector: Inspector
  private let client: InspectorClient

  init() throws {
    folder = try TemporaryFolder()
    inspector = try Inspector.start(directory: folder.file("own").path)
    client = InspectorClient(socketPath: inspector.socketPath, timeout: RawClient.timeout)
  }

  /// Starts another inspector.
  private func start(recordsFromStart: Bool = false) throws -> (Inspector, InspectorClient) {
    let inspector = try Inspector.start(recordsFromStart: recordsFromStart, directory: folder.file("ribs").path)
    return (inspector, InspectorClient(socketPath: inspector.socketPath, timeout: RawClient.timeout))
  }

  private func host(_ inspector: Inspector) async -> TreeHost<RootRouter> { await .inspected(by: inspector) }

  @Test("lists the trees configured with it, until they end")
  func list() async throws {
    #expect(try await client.trees() == [])
    let (one, other) = (await host(inspector), await host(inspector))
    let unknown = await TreeHost { RootRouter() }
    let trees = try await client.trees()
    #expect((trees.map(\.id), trees.map(\.name)) == ([1, 2], ["Root", "Root"]))
    #expect(trees.allSatisfy { $0.age >= 0 })
    await one.shutdown()
    #expect(try await client.trees().map(\.id) == [2])
    await other.shutdown()
    #expect(try await client.trees() == [])
    await unknown.shutdown()
  }

  @Test("lists trees with their names and labels, and has both in their snapshots")
  func names() async throws {
    let configuration = TreeConfiguration(
      name: "user-17", labels: ["zone": "north", "plan": "free"], leakDetection: .off, inspector: inspector)
    let host = await TreeHost(configuration: configuration) { RootRouter() }
    let tree = try #require(try await client.trees().first)
    #expect((tree.name, tree.labels) == ("user-17:Root", ["zone": "north", "plan": "free"]))
    #expect(tree.labelText == "plan=free zone=north")
    try await host.perform { $0.attachLeaf() }
    let snapshot = try await client.snapshot(of: tree.id)
    #expect(snapshot.text().split(separator: "\n").first == "user-17 plan=free zone=north")
    #expect(snapshot.subtree("Leaf")?.text(depth: 1).hasPrefix("user-17 plan=free zone=north\nLeaf") == true)
    #expect(snapshot.markdown().hasPrefix("user-17 plan\\=free zone\\=north:\n\n- **Root**"))
    #expect(snapshot.html().contains("user-17"))
    let json = try JSONDecoder().decode(TreeSnapshot.self, from: Data(snapshot.json().utf8))
    #expect((json.name, json.labels) == ("user-17", ["zone": "north", "plan": "free"]))
  }

  @Test("returns the snapshots of the tree")
  func snapshot() async throws {
    let host = await host(inspector)
    for _ in 0..<2_500 { try await host.perform { $0.attachLeaf() } }
    let (seen, real) = (try await client.snapshot(of: 1), await host.snapshot())
    #expect((seen.nodes.count, seen.nodes.map(\.id)) == (2_501, real.nodes.map(\.id)))
    #expect(TreeDifference(from: seen, to: real).isEmpty)
    #expect(seen.nodes[0].summary == "at home")
    await host.shutdown()
    let error = await #expect(throws: InspectorError.self) { try await client.snapshot(of: 1) }
    #expect(error?.description == "There is no tree 1. There are none.")
  }

  @Test("returns the snapshots of all trees, without those that have ended")
  func snapshots() async throws {
    var hosts: [TreeHost<RootRouter>] = []
    for _ in 0..<300 { hosts.append(await host(inspector)) }
    try await hosts[7].perform { $0.attachLeaf() }
    for host in hosts[200...] { await host.shutdown() }
    var seen: [InspectedSnapshots.Element] = []
    for try await element in try await client.snapshots() { seen.append(element) }
    #expect(seen.map(\.tree) == Array(1...200))
    #expect(seen.map(\.snapshot?.nodes.count) == (1...200).map { $0 == 8 ? 2 : 1 })
    #expect(seen.allSatisfy { $0.problem == nil })
    for host in hosts { await host.shutdown() }
    for try await element in try await client.snapshots() { Issue.record("\(element)") }
  }

  @Test("of a version without the request for all snapshots is asked for each")
  func olderProcess() async throws {
    let sample = try TreeSnapshot.sample()
    let server = try RawServer(folder.file("old-1.sock").path) { request in
      if request.contains("\"snapshots\"") {
        return #"{"answer":"error","message":"A request has a field \"request\" with one of …","version":1}"#
      }
      if request.contains("\"trees\"") {
        return #"{"answer":"trees","trees":[{"id":3,"name":"A","age":1},{"id":5,"name":"B","age":1}],"version":1}"#
      }
      // The first tree has ended meanwhile.
      if request.contains("\"tree\":3") { return #"{"answer":"error","message":"Tree 3 has ended.","version":1}"# }
      return #"{"answer":"snapshot","tree":5,"version":1,"snapshot":"#
        + String(decoding: sample.encoded(), as: UTF8.self) + "}"
    }
    let client = InspectorClient(socketPath: server.path, timeout: RawClient.timeout)
    var seen: [InspectedSnapshots.Element] = []
    for try await element in try await client.snapshots() { seen.append(element) }
    #expect((seen.map(\.tree), seen.first?.snapshot) == ([5], sample))
  }

  @Test("that ends while it sends its snapshots is an error")
  func endsMeanwhile() async throws {
    let server = try RawServer(folder.file("old-1.sock").path) { _ in nil }
    let client = InspectorClient(socketPath: server.path, timeout: RawClient.timeout)
    let error = await #expect(throws: InspectorError.self) { for try await _ in try await client.snapshots() {} }
    #expect(error?.kind == .noAnswer)
  }

  @Test("sends events to followers, and ends their sequence with the tree")
  func events() async throws {
    let host = await host(inspector)
    let events = try await client.events(of: 1)
    try await host.change()
    await host.shutdown()
    var seen: [InspectedEvent] = []
    for try await case .event(let event) in events { seen.append(event) }
    #expect(
      seen.map { "\($0.kind) \($0.path.joined(separator: "/"))" } == [
        "attached Root/Leaf", "activated Root/Leaf", "loaded Root/Leaf", "resigned Root/Leaf", "detached Root/Leaf",
        "resigned Root", "ended Root",
      ])
    #expect(seen.map(\.number) == Array(1...7))
    #expect((seen[0].node?.rawValue, seen[0].parent?.rawValue) == (2, 1))
    #expect(seen[4].duration ?? .zero > .zero)
    #expect(seen.map(\.time) == seen.map(\.time).sorted())
    #expect(seen.first?.description.hasSuffix(" Root/Leaf attached") == true)
  }

  @Test("describes each event on one line")
  func lines() throws {
    let event = try JSONDecoder().decode(
      InspectedEvent.self,
      from: Data(
        """
        {"tree":1,"number":7,"kind":"taskFailed","path":["Root","Or\\nder"],"timeNanoseconds":12345678901,\
        "durationNanoseconds":250000000,"work":"reload (Order.swift:31)","message":"\\u001b[2Jgone"}
        """.utf8))
    #expect(
      event.description
        == "12.345 Root/Or\\nder taskFailed reload (Order.swift:31) after 0.250s: \\u{1B}[2Jgone")
  }

  @Test("records events from the first follower on, for later ones")
  func replay() async throws {
    let host = await host(inspector)
    var first = try await client.events(of: 1).makeAsyncIterator()
    try await host.perform { $0.attachLeaf() }
    for _ in 0..<3 { _ = try await first.next() }
    var later = try await client.events(of: 1, replay: true).makeAsyncIterator()
    for kind in ["attached", "activated", "loaded"] { #expect(try await later.next()?.event?.kind == kind) }
  }

  @Test("records the last 1,000 events from launch on if configured to")
  func recording() async throws {
    let (inspector, client) = try start(recordsFromStart: true)
    let host = await host(inspector)
    var all = try await client.events(replay: true).makeAsyncIterator()
    for kind in ["attached", "activated", "loaded"] { #expect(try await all.next()?.event?.kind == kind) }
    // Once an event has arrived, it is recorded.
    for round in 1...400 {
      try await host.perform { $0.attachLeaf() }
      for _ in 0..<3 { #expect(try await all.next()?.event?.number ?? 0 <= 3 + round * 3) }
    }
    var late = try await client.events(of: 1, replay: true).makeAsyncIterator()
    var numbers: [Int] = []
    for _ in 0..<1_000 { numbers.append(try #require(await late.next()?.event).number) }
    #expect(numbers == Array(204...1_203))
  }

  @Test("sends events of trees launched later to followers of all trees")
  func allTrees() async throws {
    var events = try await client.events().makeAsyncIterator()
    _ = await host(inspector)
    let event = try #require(await events.next()?.event)
    #expect((event.kind, event.tree) == ("attached", 1))
  }

  @Test("removes its socket when it is stopped, and when it is released")
  func stop() async throws {
    let (inspector, client) = try start()
    let path = inspector.socketPath
    #expect(URL(filePath: path).deletingLastPathComponent().path == folder.file("ribs").path)
    #expect(InspectedProcess(socketPath: path)?.id == ProcessInfo.processInfo.processIdentifier)
    #expect(try InspectedProcess.all(in: folder.file("ribs").path).map(\.socketPath) == [path])
    inspector.stop()
    #expect(!FileManager.default.fileExists(atPath: path))
    let error = await #expect(throws: InspectorError.self) { try await client.trees() }
    #expect(error?.kind == .noAnswer)
    do { _ = try start() }
    #expect(try InspectedProcess.all(in: folder.file("ribs").path) == [])
  }

  @Test("can be one of several in a process, each with its trees")
  func several() async throws {
    let (one, client) = try start()
    let (two, other) = try start()
    #expect(one.socketPath != two.socketPath)
    _ = await host(two)
    #expect(try await client.trees().count == 0)
    #expect(try await other.trees().count == 1)
    let found = try InspectedProcess.all(in: folder.file("ribs").path)
    #expect(Set(found.map(\.socketPath)) == [one.socketPath, two.socketPath])
    one.stop()
    #expect(try await other.trees().count == 1)
  }

  @Test("keeps no tree alive, and is not kept alive by ended trees")
  func lifetimes() async throws {
    weak var gone: Inspector?
    do {
      let (inspector, client) = try start()
      gone = inspector
      var host: TreeHost<RootRouter>? = await TreeHost(configuration: .inspected(by: inspector)) { RootRouter() }
      var events = try await client.events(of: 1).makeAsyncIterator()
      try await host?.perform { $0.attachLeaf() }
      host = nil
      // Until the tree has ended.
      while try await events.next() != nil {}
      #expect(try await client.trees() == [])
      #expect(host == nil)
    }
    while gone != nil { await Task.yield() }
  }
}
