// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Foundation
import RIBs
import RIBsInspector
import Testing

/// Another process that shows a busy tree.
private final class OtherProcess {
  let process = Process()
  /// The write end of its input: the process ends when this process ends.
  private let input = Pipe()
  let errors: LineReader
  let client: InspectorClient

  /// - Parameters:
  ///   - directory: the directory of its socket.
  ///   - script: a shell script that runs before the program.
  init(in directory: String, after script: String = ":") throws {
    let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // It is never idle: with a low priority, so that it does not compete with all tests that run at the same time.
    process.arguments = [
      "-c", "\(script); exec nice -n 19 \"$0\" \"$1\"", products.appendingPathComponent("TreeProbe").path, directory,
    ]
    process.standardInput = input
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run(forAtMost: 900)
    let reader = LineReader(output.fileHandleForReading)
    self.errors = LineReader(errors.fileHandleForReading)
    client = InspectorClient(socketPath: try #require(reader.line()), timeout: RawClient.timeout)
  }

  deinit { kill() }

  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Waits until the tree has leaves.
  func grow() async throws { while try await client.snapshot(of: 1).nodes.count == 1 {} }
}

@Suite("Another process", .onOwnThread)
struct OtherProcessTests {
  private let folder: TemporaryFolder
  private var directory: String { folder.file("ribs").path }

  init() throws { folder = try TemporaryFolder() }

  #if os(Linux)
    @Test("shows the names of the inspector's threads to the system", .timeLimit(.minutes(15)))
    func threadNames() async throws {
      // The system may start a thread before or after the function that starts it returns.
      for _ in 0..<5 {
        let other = try OtherProcess(in: directory)
        let threads = URL(filePath: "/proc/\(other.process.processIdentifier)/task")
        var names: [String] = []
        // The threads name themselves once they run.
        while !names.contains("ribs.inspector\n") || !names.contains("ribs.signal\n") {
          // Other threads may end meanwhile.
          names = try FileManager.default.contentsOfDirectory(atPath: threads.path).compactMap { thread in
            try? String(contentsOf: threads.appending(path: "\(thread)/comm"), encoding: .utf8)
          }
          await Task.yield()
        }
        #expect(names.count { $0 == "ribs.inspector\n" } == 1)
        #expect(names.count { $0 == "ribs.signal\n" } == 1)
      }
    }
  #endif

  @Test("is listed and inspected while it runs, and leaves no socket when it is killed")
  func dump() async throws {
    let other = try OtherProcess(in: directory)
    let found = try InspectedProcess.all(in: directory)
    #expect((found.map(\.id), found.map(\.name)) == ([other.process.processIdentifier], ["TreeProbe"]))
    #expect(found.map(\.socketPath) == [other.client.socketPath])
    #expect(try await other.client.trees().map(\.name) == ["Root"])
    var events = try await other.client.events(of: 1).makeAsyncIterator()
    for _ in 0..<100 {
      // On a busy machine, events may be lost.
      if let event = try #require(await events.next()).event { #expect(event.path.first == "Root") }
    }
    try await other.grow()
    let snapshot = try await other.client.snapshot(of: 1)
    #expect(snapshot.nodes.count > 1)
    #expect(snapshot.nodes.dropFirst().allSatisfy { $0.name == "Leaf" && $0.summary == "falling" })
    #expect(snapshot.nodes[0].tasks.first?.hasPrefix("grow (main.swift:") == true)
    for format in TreeFormat.allCases { #expect(snapshot.rendered(as: format).contains("Leaf")) }
    other.kill()
    // The remaining events are followed by the end.
    while (try? await events.next()) ?? nil != nil {}
    #expect(FileManager.default.fileExists(atPath: other.client.socketPath))
    #expect(try InspectedProcess.all(in: directory) == [])
    #expect(!FileManager.default.fileExists(atPath: other.client.socketPath))
  }

  @Test("has its socket removed by the next process if it was killed")
  func stale() async throws {
    let first = try OtherProcess(in: directory)
    first.kill()
    let second = try OtherProcess(in: directory)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory).count == 1)
    #expect(try await second.client.trees().count == 1)
  }

  @Test("writes its trees to standard error on SIGUSR1, each time")
  func signal() async throws {
    let other = try OtherProcess(in: directory)
    try await other.grow()
    for _ in 0..<2 {
      Foundation.kill(other.process.processIdentifier, SIGUSR1)
      var lines: [String] = []
      while lines.last?.hasPrefix("└─ Leaf") != true, let line = other.errors.line() { lines.append(line) }
      try #require(lines.count > 3)
      #expect(lines[0] == "RIBs: TreeProbe (\(other.process.processIdentifier)), 1 tree")
      #expect(lines[1] == "Tree 1")
      #expect(lines[2].hasPrefix("Root     active "))
      #expect(lines.dropFirst(3).allSatisfy { $0.contains("─ Leaf  active ") && $0.hasSuffix("falling") })
    }
  }

  @Test("does not answer while it is suspended, which the client reports, and can be cancelled")
  func stopped() async throws {
    let other = try OtherProcess(in: directory)
    Foundation.kill(other.process.processIdentifier, SIGSTOP)
    let hurried = InspectorClient(socketPath: other.client.socketPath, timeout: 1)
    var halted: InspectorError?
    while halted == nil { do { _ = try await hurried.trees() } catch { halted = error } }
    #expect(halted?.description == "The process does not answer: it may be busy or stopped.")
    let task = Task { [client = other.client] in try await client.trees() }
    task.cancel()
    let result = await task.result
    #expect(throws: InspectorError.self) { try result.get() }
    Foundation.kill(other.process.processIdentifier, SIGCONT)
    #expect(try await other.client.trees().count == 1)
  }

  #if os(Linux)
    // One by one: each polls until the other process has closed descriptors, which has a low priority.
    @Test("keeps a reserve of file descriptors, whatever the number of clients", .serialized, arguments: [18, 24, 32])
    func fewDescriptors(limit: Int) async throws {
      let other = try OtherProcess(in: directory, after: "ulimit -n \(limit)")
      let open = "/proc/\(other.process.processIdentifier)/fd"
      var (clients, refusals): ([RawClient], Int) = ([], 0)
      for _ in 0..<64 {
        let client = try RawClient(other.client.socketPath)
        let answer = client.ask("{\"request\":\"events\"}") ?? ""
        if answer.contains("no free file descriptor") { refusals += 1 }
        if answer.contains("following") { clients.append(client) }
      }
      // Refused clients use descriptors of the reserve until the process has closed them. Then the process itself may use
      // one.
      while try FileManager.default.contentsOfDirectory(atPath: open).count > limit - 2 {}
      #expect(!clients.isEmpty)
      #expect(refusals >= 64 - limit)
      clients = []
      // After they have disconnected, there is room again.
      var trees: [InspectedTree]?
      while trees == nil { trees = try? await other.client.trees() }
      #expect(trees?.count == 1)
    }

    @Test("uses no descriptor of the standard streams for a client, even if they are closed")
    func closedStreams() throws {
      let other = try OtherProcess(in: directory, after: "exec 2>&-")
      let client = try RawClient(other.client.socketPath)
      #expect(client.listsTrees)
      let errors = "/proc/\(other.process.processIdentifier)/fd/2"
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: errors)
      #expect(target?.hasPrefix("socket:") != true)
      withExtendedLifetime(client) {}
    }
  #endif

  @Test(
    "of another user can neither see the socket nor connect to it",
    .enabled(
      if: geteuid() == 0 && Program("setpriv") != nil && Program("perl") != nil,
      "only root can become another user, with setpriv, and perl tries to connect"))
  func otherUser() throws {
    let inspector = try Inspector.start(directory: directory)
    // The parent directory is open to all, so that only the directory's own mode protects it.
    chmod(folder.url.path, 0o755)
    let become = ["--reuid", "65534", "--regid", "65534", "--clear-groups"]
    let connect = [
      "perl", "-MSocket", "-e",
      "socket(S, PF_UNIX, SOCK_STREAM, 0); print connect(S, sockaddr_un($ARGV[0])) ? 'connected' : \"$!\"",
      inspector.socketPath,
    ]
    let setpriv = try #require(Program("setpriv"))
    let scratch = try TemporaryFolder()
    #expect(try setpriv.run(connect, in: scratch).output == "connected")
    #expect(try setpriv.run(become + connect, in: scratch).output == "Permission denied")
    let list = try setpriv.run(become + ["ls", directory], in: scratch)
    #expect(list.status != 0)
    #expect(list.output == "")
    // Even in an open directory, the socket's own mode protects it.
    chmod(directory, 0o755)
    #expect(try setpriv.run(become + connect, in: scratch).output == "Permission denied")
  }
}
