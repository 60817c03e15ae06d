import Foundation
import RIBs
@testable import RIBsInspector
import Testing

@Suite("The lines between an inspector and its clients")
struct InspectorProtocolTests {
  private let folder: TemporaryFolder
  private let inspector: Inspector
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    // No client is dropped because a busy machine keeps it from reading.
    inspector = try Inspector.start(false, false, folder.url.path, patience: .seconds(3_600))
    path = inspector.socketPath
  }

  private func host() async -> TreeHost<RootRouter> {
    await TreeHost(configuration: TreeConfiguration(inspector: inspector)) { RootRouter() }
  }

  @Test("answer one request after the other")
  func requests() async throws {
    let host = await host()
    let lines = try await waiting { [path] in
      let client = try RawClient(path)
      client.send(
        "{\"request\":\"trees\",\"version\":1}\n\n{\"request\":\"snapshot\",\"tree\":1}\n{\"request\":\"trees\"}")
      client.endInput()
      return client.lines()
    }
    try #require(lines.count == 3)
    #expect(lines[0].hasPrefix("{\"answer\":\"trees\",\"name\":\""))
    #expect(lines[0].contains("\"process\":\(ProcessInfo.processInfo.processIdentifier),\"trees\":[{\"age\":"))
    #expect(lines[0].hasSuffix("\"id\":1,\"name\":\"Root\"}],\"version\":1}"))
    #expect(lines[1].hasPrefix("{\"answer\":\"snapshot\",\"snapshot\":{\"nodes\":[{\"ageNanoseconds\":"))
    #expect(lines[1].hasSuffix("}],\"version\":1},\"tree\":1,\"version\":1}"))
    #expect(lines[2].contains("\"trees\""))
    await host.shutdown()
  }

  @Test(
    "say what is wrong with a request, and go on",
    arguments: [
      ("x", "A request is an object in JSON on one line."), ("[]", "A request is an object in JSON on one line."),
      ("{}", "A request has a field \"request\" with one of \"trees\", \"snapshot\", \"events\"."),
      ("{\"request\":\"crash\"}", "A request has a field \"request\" with one of \"trees\", \"snapshot\", \"events\"."),
      ("{\"request\":\"trees\",\"version\":2}", "Version 1 is spoken here."),
      ("{\"request\":\"snapshot\"}", "Say which tree: {\"request\":\"snapshot\",\"tree\":1}."),
      ("{\"request\":\"snapshot\",\"tree\":7}", "There is no tree 7. There are none."),
      ("{\"request\":\"snapshot\",\"tree\":\"Root\"}", "The field \"tree\" is a number."),
      ("{\"request\":\"events\",\"tree\":-1}", "There is no tree -1. There are none."),
      ("{\"request\":\"events\",\"replay\":1.5}", "The field \"replay\" is true or false."),
      ("\u{0}", "A request is an object in JSON on one line."),
    ])
  func mistakes(request: String, message: String) async throws {
    let (answer, next) = try await waiting { [path] in
      let client = try RawClient(path)
      return (client.ask(request), client.ask("{\"request\":\"trees\"}"))
    }
    let object = try JSONSerialization.jsonObject(with: Data((answer ?? "").utf8)) as? [String: Any]
    #expect(object?["answer"] as? String == "error")
    #expect(object?["message"] as? String == message)
    #expect(next?.contains("\"trees\"") == true)
  }

  @Test("are short on the way in: who sends a longer one is told so and dropped", arguments: [false, true])
  func tooLong(hasEnd: Bool) async throws {
    let lines = try await waiting { [path] in
      let client = try RawClient(path)
      client.send(String(repeating: "x", count: 5_000) + (hasEnd ? "\n" : ""))
      return client.lines()
    }
    #expect(lines == ["{\"answer\":\"error\",\"message\":\"A request has at most 4096 bytes.\",\"version\":1}"])
  }

  @Test("do no harm in a thousand connections and as random bytes", arguments: [UInt64(1), 2])
  func harmless(seed: UInt64) async throws {
    let host = await host()
    let refused = try await waiting { [path] in
      var random = seed
      var clients: [RawClient] = []
      var refused = 0
      for number in 0..<1_000 {
        let client = try RawClient(path)
        let bytes = (0..<300).map { _ in
          random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          return UInt8(truncatingIfNeeded: random >> 33)
        }
        client.send(bytes + (number % 2 == 0 ? [0x0A] : []))
        // Those that are refused are closed here as they are there: a process may have only so many descriptors.
        if number < InspectorServer.mostClients {
          clients.append(client)
        } else if client.line()?.contains("There are 64 clients already.") == true {
          refused += 1
        }
      }
      return refused
    }
    // The first 64 keep their places; the rest are told.
    #expect(refused == 936)
    try await host.perform { $0.attachLeaf() }
    let client = InspectorClient(socketPath: path, patience: RawClient.patience)
    var trees: [InspectedTree]?
    // The places are free when the inspector has noticed that those clients are gone.
    while trees == nil { trees = try? await client.trees() }
    #expect(trees?.map(\.id) == [1])
    #expect(try await client.snapshot(of: 1).nodes.count == 2)
    await host.shutdown()
  }

  @Test("tell a slow follower how many events it has missed, to the last one, and drop it")
  func slow() async throws {
    let host = await host()
    let follower = try await waiting { [path] in
      let follower = try RawClient(path)
      let answer = follower.ask("{\"request\":\"events\",\"tree\":1}")
      #expect(answer == "{\"answer\":\"following\",\"version\":1}")
      return follower
    }
    // Another follower takes all of them in time, which tells when the inspector has had them.
    var fast = try await InspectorClient(socketPath: path, patience: RawClient.patience).events(of: 1)
      .makeAsyncIterator()
    let (rounds, each) = (90, 100)
    for round in 1...rounds {
      try await host.perform { root in
        for _ in 0..<(each / 5) {
          root.attachLeaf()
          root.detachLeaf()
        }
      }
      var last = 0
      while last < round * each { last = try #require(await fast.next()?.event).number }
    }
    let lines = try await waiting { follower.lines() }
    let told = lines.compactMap { line in
      try? JSONDecoder().decode(Told.self, from: Data(line.utf8))
    }
    #expect(told.count == lines.count)
    let (events, lost) = (told.filter { $0.answer == "event" }.count, told.compactMap(\.count).reduce(0, +))
    #expect(events > 1_000)
    #expect(lost > 1_000)
    #expect(events + lost == rounds * each)
    #expect(told.last?.answer == "lost")
    await host.shutdown()
  }

  @Test("never make a tree wait: it goes on while a client does not read")
  func stuck() async throws {
    let host = await host()
    try await host.perform { root in for _ in 0..<4_000 { root.attachLeaf() } }
    let client = try await waiting { [path] in
      let client = try RawClient(path)
      for _ in 0..<10 { client.send("{\"request\":\"snapshot\",\"tree\":1}\n") }
      return client
    }
    for _ in 0..<100 { try await host.perform { $0.attachLeaf() } }
    #expect(
      try await InspectorClient(socketPath: path, patience: RawClient.patience).snapshot(of: 1).nodes.count == 4_101)
    let sizes = try await waiting { (0..<10).map { _ in client.line()?.utf8.count ?? 0 } }
    #expect(sizes.allSatisfy { $0 > 400_000 })
    await host.shutdown()
  }

  @Test("go on one after the other while a client reads them as they come")
  func inTurn() async throws {
    let host = await host()
    try await host.perform { root in for _ in 0..<1_500 { root.attachLeaf() } }
    let requests = 60
    let answers = try await waiting { [path] in
      let client = try RawClient(path)
      client.send(String(repeating: "{\"request\":\"snapshot\",\"tree\":1}\n", count: requests))
      return (0..<requests).count { _ in client.line()?.hasPrefix("{\"answer\":\"snapshot\"") == true }
    }
    #expect(answers == requests)
    await host.shutdown()
  }

  @Test("are not kept for ever for a client that reads none of them")
  func patience() async throws {
    let inspector = try Inspector.start(false, false, folder.url.path, patience: .milliseconds(50))
    let host = await TreeHost(configuration: TreeConfiguration(inspector: inspector)) { RootRouter() }
    try await host.perform { root in for _ in 0..<4_000 { root.attachLeaf() } }
    let path = inspector.socketPath
    let end = try await waiting {
      let clients = try (0..<64).map { _ in try RawClient(path) }
      for client in clients { client.send("{\"request\":\"snapshot\",\"tree\":1}\n") }
      // All places are taken, until those that do not read are dropped.
      while try RawClient(path).ask("{\"request\":\"trees\"}")?.contains("\"trees\"") != true {}
      return clients.map { $0.line() }
    }
    #expect(end.contains(nil))
    await host.shutdown()
  }

  private struct Told: Decodable {
    let answer: String
    let count: Int?
  }
}
