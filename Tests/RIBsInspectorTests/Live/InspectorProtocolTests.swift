// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import RIBs
@testable import RIBsInspector
import TestSupport
import Testing

@Suite("The lines between an inspector and its clients", .onOwnThread, .tearsDown)
struct InspectorProtocolTests {
  private let folder: TemporaryFolder
  private let inspector: Inspector
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    inspector = try Inspector.start(false, false, folder.url.path, .unhurried)
    path = inspector.socketPath
  }

  private func host() async -> TreeHost<RootRouter> { await .inspected(by: inspector) }

  /// Connects a client, which sends a text, and returns all that it is sent until its connection ends.
  private func lines(answering text: String, endsInput: Bool = true) throws -> [String] {
    let client = try RawClient(path)
    client.send(text)
    if endsInput { client.endInput() }
    return client.lines()
  }

  @Test("are answered one after another")
  func requests() async throws {
    _ = await host()
    let lines = try lines(
      answering:
        "{\"request\":\"trees\",\"version\":1}\n\n{\"request\":\"snapshot\",\"tree\":1}\n{\"request\":\"trees\"}")
    try #require(lines.count == 3)
    #expect(lines[0].hasPrefix("{\"answer\":\"trees\",\"name\":\""))
    #expect(lines[0].contains("\"process\":\(ProcessInfo.processInfo.processIdentifier),\"trees\":[{\"age\":"))
    #expect(lines[0].hasSuffix("\"id\":1,\"name\":\"Root\"}],\"version\":1}"))
    #expect(lines[1].hasPrefix("{\"answer\":\"snapshot\",\"keyframe\":{\"number\":0,\"timeNanoseconds\":"))
    #expect(lines[1].contains("},\"snapshot\":{\"nodes\":[{\"ageNanoseconds\":"))
    #expect(lines[1].hasSuffix("}],\"version\":1},\"tree\":1,\"version\":1}"))
    #expect(lines[2].contains("\"trees\""))
  }

  /// A tree on a thread that the test can block.
  private actor BlockedTree {
    private nonisolated let executor = QueueExecutor("ribs.tests.blocked")
    private var tree: Tree?
    let release = DispatchSemaphore(value: 0)

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func launch(_ inspector: Inspector) {
      let tree = Tree(root: RootRouter(), configuration: TreeConfiguration(inspector: inspector))
      tree.launch()
      self.tree = tree
    }

    /// Blocks the thread after the call.
    nonisolated func block() { executor.queue.async { [release] in release.wait() } }
  }

  @Test("contain the snapshots of all trees in turn, with an error for a tree that does not answer")
  func snapshots() async throws {
    _ = await host()
    let blocked = BlockedTree()
    await blocked.launch(inspector)
    let (third, ended) = (await host(), await host())
    try await third.perform { $0.attachLeaf() }
    await ended.shutdown()
    func answers(_ request: String) throws -> [InspectorAnswer] {
      try lines(answering: request).map { try JSONDecoder().decode(InspectorAnswer.self, from: Data($0.utf8)) }
    }
    blocked.block()
    var seen: [InspectorAnswer]
    repeat {
      // On a busy machine the other trees may take a second, too.
      seen = try answers("{\"request\":\"snapshots\",\"timeout\":1}\n")
      #expect(seen.map(\.tree) == [1, 2, 3, nil])
      try #require(seen.count == 4 && seen[1].answer == .error && seen[3].answer == .complete)
    } while seen[0].answer == .error || seen[2].answer == .error
    #expect(seen.map(\.snapshot?.nodes.count) == [1, nil, 2, nil])
    #expect(seen[1].message == "Tree 2 does not answer. It may be busy.")
    blocked.release.signal()
    let request = "{\"request\":\"snapshots\",\"timeout\":600}\n"
    let twice = try answers(request + request)
    #expect(
      twice.map(\.answer) == [.snapshot, .snapshot, .snapshot, .complete, .snapshot, .snapshot, .snapshot, .complete])
    #expect(twice.map(\.snapshot?.nodes.count) == [1, 1, 2, nil, 1, 1, 2, nil])
  }

  @Test("are answered in time after a request for a tree that does not answer")
  func afterUnanswered() async throws {
    let inspector = try Inspector.start(true, false, folder.url.path, .unhurried)
    let blocked = BlockedTree()
    await blocked.launch(inspector)
    let host = await TreeHost.inspected(by: inspector)
    blocked.block()
    defer { blocked.release.signal() }
    let client = try RawClient(inspector.socketPath)
    let one = "{\"request\":\"snapshot\",\"tree\":1,\"timeout\":1}\n"
    client.send("{\"request\":\"snapshots\",\"timeout\":1}\n\(one)\(one){\"request\":\"events\"}\n")
    let answers = try (0..<6).map { _ in
      try JSONDecoder().decode(InspectorAnswer.self, from: Data((client.line() ?? "").utf8)).answer
    }
    // On a busy machine the second tree may take a second, too.
    #expect(answers[0] == .error && Array(answers[2...]) == [.complete, .error, .error, .following])
    try await host.change()
    #expect(client.line()?.contains("\"answer\":\"event\"") == true)
  }

  @Test("contain the snapshots only as fast as the client reads them")
  func unreadSnapshots() async throws {
    let hosts = [await host(), await host(), await host()]
    // More than the buffers of a socket hold.
    for host in hosts { try await host.attachLeaves(5_000) }
    let client = try RawClient(path)
    let other = InspectorClient(socketPath: path, timeout: RawClient.timeout)
    client.send("{\"request\":\"snapshots\",\"timeout\":\(RawClient.timeout)}\n")
    #expect(client.line()?.contains("\"tree\":1,") == true)
    // The second snapshot waits for the reader, so the third tree has not been asked.
    #expect(try await other.snapshot(of: 3).nodes.count == 5_001)
    try await hosts[2].perform { $0.detachLeaf() }
    let rest = (0..<3).compactMap { _ in client.line() }
    let answers = try rest.map { try JSONDecoder().decode(InspectorAnswer.self, from: Data($0.utf8)) }
    #expect(answers.map(\.snapshot?.nodes.count) == [5_001, 5_000, nil])
  }

  private static let oneOf = #"A request has a field "request" with one of "trees", "snapshot", "snapshots", "events"."#

  @Test(
    "report an invalid request, and continue",
    arguments: [
      ("x", "A request is an object in JSON on one line."), ("[]", "A request is an object in JSON on one line."),
      ("\u{0}", "A request is an object in JSON on one line."), ("{}", oneOf), (#"{"request":"crash"}"#, oneOf),
      (#"{"request":"trees","version":2}"#, "This inspector uses version 1."),
      (#"{"request":"snapshot"}"#, #"Name the tree: {"request":"snapshot","tree":1}."#),
      (#"{"request":"snapshot","tree":7}"#, "There is no tree 7. There are none."),
      (#"{"request":"snapshot","tree":"Root"}"#, #"The field "tree" is a number."#),
      (#"{"request":"snapshots","timeout":0}"#, #"The field "timeout" is a number of seconds, 1 to 86400."#),
      (#"{"request":"events","tree":-1}"#, "There is no tree -1. There are none."),
      (#"{"request":"events","replay":1.5}"#, #"The field "replay" is true or false."#),
    ])
  func mistakes(request: String, message: String) throws {
    let client = try RawClient(path)
    let answer = try JSONSerialization.jsonObject(with: Data((client.ask(request) ?? "").utf8)) as? [String: Any]
    #expect((answer?["answer"] as? String, answer?["message"] as? String) == ("error", message))
    #expect(client.listsTrees)
  }

  @Test("have a maximum length: a client that exceeds it is disconnected with an error", arguments: [false, true])
  func tooLong(hasEnd: Bool) throws {
    let text = String(repeating: "x", count: 5_000) + (hasEnd ? "\n" : "")
    let lines = try lines(answering: text, endsInput: false)
    #expect(lines == ["{\"answer\":\"error\",\"message\":\"A request has at most 4096 bytes.\",\"version\":1}"])
  }

  @Test("are handled in a thousand connections and as random bytes", arguments: [UInt64(1), 2])
  func harmless(seed: UInt64) async throws {
    let host = await host()
    try await host.perform { $0.attachLeaf() }
    var random = SplitMix(seed)
    var idle: [RawClient] = []
    for number in 0..<1_000 {
      let client = try RawClient(path)
      let bytes = (0..<300).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      client.send(bytes + (number % 2 == 0 ? [0x0A] : []))
      // The file descriptor limit of the process allows only some of them.
      if number < 200 { idle.append(client) }
    }
    let client = InspectorClient(socketPath: path, timeout: RawClient.timeout)
    #expect(try await client.trees().map(\.id) == [1])
    #expect(try await client.snapshot(of: 1).nodes.count == 2)
    withExtendedLifetime(idle) {}
  }

  @Test("are answered when all places are taken: the longest idle client is disconnected")
  func idle() throws {
    let inspector = try Inspector.start(false, false, folder.url.path, .unhurried(clients: 3))
    let clients = try (0..<3).map { _ in try RawClient(inspector.socketPath) }
    // The first one has been active in the meantime.
    for client in clients + [clients[0]] { #expect(client.listsTrees) }
    let further = try RawClient(inspector.socketPath)
    #expect(further.listsTrees)
    #expect(clients[1].line() == nil)
    for client in [clients[0], clients[2], further] { #expect(client.listsTrees) }
  }

  @Test(
    "are answered while clients do not read their answers, which are discarded: for further clients, or after a time",
    arguments: [
      InspectorLimits.unhurried(clients: 4, stall: .zero), .unhurried(clients: 64, timeout: .milliseconds(50)),
    ])
  func stalled(limits: InspectorLimits) async throws {
    let inspector = try Inspector.start(false, false, folder.url.path, limits)
    let host = await TreeHost.inspected(by: inspector)
    try await host.attachLeaves(4_000)
    let clients = try (0..<limits.clients).map { _ in try RawClient(inspector.socketPath) }
    for client in clients { client.send("{\"request\":\"snapshot\",\"tree\":1}\n") }
    // Refused until others have unread answers, and one of them is disconnected.
    while try !RawClient(inspector.socketPath).listsTrees {}
    #expect(clients.map { $0.line() }.contains(nil))
  }

  @Test("leave room for requests, whatever the number of followers")
  func followers() throws {
    let inspector = try Inspector.start(false, false, folder.url.path, .unhurried(clients: 4, followers: 2))
    let clients = try (0..<6).map { _ in try RawClient(inspector.socketPath) }
    let answers = clients.suffix(4).map { $0.ask("{\"request\":\"events\"}") ?? "" }
    #expect(answers.count { $0.contains("\"following\"") } == 2)
    #expect(answers.count { $0.contains("2 clients follow events already.") } == 2)
    #expect(try RawClient(inspector.socketPath).listsTrees)
  }

  @Test("report the number of lost events to a slow follower, and continue with later ones")
  func slow() async throws {
    let host = await host()
    let follower = try RawClient(path)
    let answer = follower.ask("{\"request\":\"events\",\"tree\":1}")
    #expect(answer == "{\"answer\":\"following\",\"version\":1}")
    // More than the buffers of the system and the inspector hold.
    let count = 20_000
    try await host.change(times: count / 5)
    var (numbers, lost): ([Int], Int) = ([], 0)
    while numbers.count + lost < count {
      let told = try JSONDecoder().decode(Told.self, from: Data((follower.line() ?? "").utf8))
      if let event = told.event { numbers.append(event.number) }
      lost += told.count ?? 0
    }
    #expect(lost > 1_000)
    #expect(numbers.count + lost == count)
    #expect(Array(numbers.suffix(EventRing.capacity)) == Array((count - EventRing.capacity + 1)...count))
    await host.shutdown()
    #expect(follower.lines().last == "{\"answer\":\"ended\",\"tree\":1,\"version\":1}")
  }

  @Test("never block a tree while a client does not read")
  func stuck() async throws {
    let host = await host()
    try await host.attachLeaves(4_000)
    let client = try RawClient(path)
    for _ in 0..<10 { client.send("{\"request\":\"snapshot\",\"tree\":1}\n") }
    for _ in 0..<100 { try await host.perform { $0.attachLeaf() } }
    #expect(
      try await InspectorClient(socketPath: path, timeout: RawClient.timeout).snapshot(of: 1).nodes.count == 4_101)
    for _ in 0..<10 { #expect(client.line()?.utf8.count ?? 0 > 400_000) }
  }

  @Test("are streamed while a client reads them")
  func inTurn() async throws {
    let host = await host()
    try await host.attachLeaves(1_500)
    let requests = Thoroughness.count(usual: 25, share: 60, whole: 60)
    let client = try RawClient(path)
    client.send(String(repeating: "{\"request\":\"snapshot\",\"tree\":1}\n", count: requests))
    let answers = (0..<requests).count { _ in client.line()?.hasPrefix("{\"answer\":\"snapshot\"") == true }
    #expect(answers == requests)
  }

  @Test("share one snapshot among all clients waiting for a tree, and take none for disconnected ones")
  func sharedSnapshots() async throws {
    let (taken, blockade) = (Shared(0), DispatchSemaphore(value: 0))
    let host = await TreeHost(configuration: .inspected(by: inspector)) {
      Router(interactor: SummarizingInteractor { taken.change { $0 += 1 } })
    }
    let call = await host.block(until: blockade)
    for _ in 0..<500 { try RawClient(path).send("{\"request\":\"snapshot\",\"tree\":1}\n") }
    let clients = try (0..<10).map { _ in try RawClient(path) }
    for client in clients { client.send("{\"request\":\"snapshot\",\"tree\":1}\n") }
    // Answered after the requests of all clients have been read.
    #expect(try RawClient(path).listsTrees)
    blockade.signal()
    #expect(clients.allSatisfy { $0.line()?.utf8.count ?? 0 > 100 })
    #expect(taken.value <= 2)
    try await call.value
    await host.shutdown()
  }

  private struct Told: Decodable {
    let answer: String
    let count: Int?
    let event: InspectedEvent?
  }
}

/// Counts the snapshots that include its RIB.
private final class SummarizingInteractor: Interactor {
  private let onSummary: @Sendable () -> Void

  init(onSummary: @escaping @Sendable () -> Void) { self.onSummary = onSummary }

  override var treeSummary: String? {
    onSummary()
    return nil
  }
}

extension InspectorLimits {
  /// Limits under which no client is disconnected and no event lost on a busy machine.
  static let unhurried = unhurried(clients: 64)

  static func unhurried(
    clients: Int, followers: Int = 48, timeout: Duration = .seconds(3_600), stall: Duration = .seconds(3_600)
  ) -> InspectorLimits {
    InspectorLimits(clients: clients, followers: followers, timeout: timeout, stall: stall, eventShare: 1)
  }
}
