// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("ribs ps")
struct ListTests {
  @Test("lists each tree of each process on a line of its own")
  func list() throws {
    let probe = try Probe(trees: 2)
    let other = try Probe(trees: 0, in: probe.directory)
    let (id, another) = (String(probe.id), String(other.id))
    let rows = try probe.run("ps").output.ageless.map { $0.split(separator: " ").map(String.init) }
    #expect(rows.first == ["PID", "PROGRAM", "TREE", "ROOT", "AGE"])
    #expect(
      Set(rows.dropFirst()) == [
        [id, "LiveProbe", "1", "Root", "…"], [id, "LiveProbe", "2", "Root", "…"],
        [another, "LiveProbe", "-", "-", "-"],
      ])
    try other.tell("end")
    withExtendedLifetime(other) {}
  }

  @Test("lists the same trees each time")
  func again() throws {
    let probe = try Probe(trees: 2)
    let first = try probe.run("ps").output.ageless
    #expect(first.count == 3)
    for _ in 0..<30 { #expect(try probe.run("ps").output.ageless == first) }
  }

  @Test("shows the names and labels of trees, and so does ribs dump")
  func names() throws {
    let probe = try Probe()
    try probe.tell("open user-17")
    let rows = try probe.run("ps").output.ageless.map { $0.split(separator: " ").map(String.init) }
    #expect(rows.first == ["PID", "PROGRAM", "TREE", "ROOT", "AGE", "LABELS"])
    let id = String(probe.id)
    #expect(
      Set(rows.dropFirst()) == [
        [id, "LiveProbe", "1", "Root", "…"], [id, "LiveProbe", "2", "user-17:Root", "…", "plan=free"],
      ])
    #expect(try probe.run("dump", "--tree", "2").output.first == "user-17 plan=free")
  }

  @Test("lists those trees whose name or labels have a text")
  func match() throws {
    let probe = try Probe(trees: 2)
    for name in ["user-17", "User-18"] { try probe.tell("open \(name)") }
    let id = String(probe.id)
    for (text, trees) in [
      ("user-1", ["3", "4"]), ("PLAN=free", ["3", "4"]), ("r-18:root", ["4"]), ("root", ["1", "2", "3", "4"]),
    ] {
      let rows = try probe.run("ps", "--match", text).output.dropFirst().map {
        $0.split(separator: " ").map(String.init)
      }
      #expect(rows.map { $0[2] } == trees && rows.allSatisfy { $0[0] == id }, "\(text)")
    }
    let none = try probe.run("ps", "--match", "admin")
    #expect(none.status == 0 && none.output == [])
    #expect(none.errors == ["note: no tree matches 'admin'"])
  }

  @Test("counts them by root and state, and names the oldest, the largest and the busiest")
  func summary() throws {
    let probe = try Probe(trees: 20)
    for line in ["attach", "attach", "open user-17", "work"] { try probe.tell(line) }
    let outcome = try probe.run("ps", "--summary")
    let rows = outcome.output.ageless.map { $0.split(separator: " ").map(String.init) }
    let id = String(probe.id)
    #expect(outcome.status == 0)
    #expect(
      rows == [
        ["PID", "PROGRAM", "ROOT", "STATE", "TREES", "RIBS", "TASKS"],
        [id, "LiveProbe", "Root", "active", "21", "23", "1"], [],
        ["PID", "PROGRAM", "TREE", "ROOT", "AGE", "RIBS", "TASKS"],
        [id, "LiveProbe", "oldest", "1", "Root", "…", "3", "0"],
        [id, "LiveProbe", "largest", "1", "Root", "…", "3", "0"],
        [id, "LiveProbe", "busiest", "21", "user-17:Root", "…", "1", "1"],
      ])
    struct Summary: Decodable {
      struct Kind: Decodable { let root: String, state: String, trees: Int, ribs: Int, tasks: Int }
      struct Tree: Decodable { let tree: Int, name: String, ribs: Int }
      let pid: Int32
      let roots: [Kind]
      let largest: Tree?
      let busiest: Tree?
    }
    let text = try probe.run("ps", "--summary", "--match", "plan", "--format", "json").output.joined()
    let summaries = try JSONDecoder().decode([Summary].self, from: Data(text.utf8))
    #expect(summaries.map(\.pid) == [probe.id])
    #expect(summaries.first?.roots.map(\.trees) == [1])
    #expect(summaries.first?.largest?.name == "user-17:Root")
    try probe.program.say("block")
    let blocked = try probe.run("ps", "--summary", "--timeout", "1")
    #expect(blocked.status == 1)
    #expect(blocked.errors.count { $0.contains("Tree 1 does not answer") } == 1)
    #expect(blocked.output.contains { $0.contains("active") && $0.contains("20") })
    try probe.tell("")
  }

  @Test(
    "and the other commands show root the processes of other users, with the user",
    .enabled(if: geteuid() == 0, "only root may look at them"))
  func otherUsers() throws {
    let probe = try Probe(user: 65_534)
    let rows = try probe.run("ps").output.ageless.map { $0.split(separator: " ").map(String.init) }
    let name = getpwuid(65_534).map { String(cString: $0.pointee.pw_name) } ?? "65534"
    #expect(
      rows == [
        ["USER", "PID", "PROGRAM", "TREE", "ROOT", "AGE"], [name, String(probe.id), "LiveProbe", "1", "Root", "…"],
      ])
    #expect(try probe.run("dump").output.ageless == ["Root  active …"])
    let events = try probe.ribs("events", "--count", "1")
    while !events.hasOutput { try probe.tell("burst 1") }
    #expect(events.outcome().status == 0)
  }

  @Test("fails if it can't read the directory of the sockets")
  func unreadable() throws {
    let probe = try Probe()
    try FileManager.default.removeItem(atPath: probe.directory)
    // The search path of a directory that is a file.
    try Data().write(to: URL(filePath: probe.directory))
    let outcome = try probe.run("ps")
    #expect(outcome.status == 73)
    #expect(outcome.errors.first?.contains("it is not a directory") == true)
  }

  @Test("reads a directory of one character, below the working directory", arguments: ["d", "é"])
  func oneCharacter(name: String) throws {
    let probe = try Probe()
    let script = "cd \"$1\" && mkdir -m 700 \"$2\" && exec \"$3\" ps --directory \"$2\""
    let path = try Program.url("ribs-live").path
    let outcome = try Program("/bin/sh", ["-c", script, "sh", probe.directory, name, path]).outcome()
    #expect(outcome.status == 0)
    #expect(outcome.errors == ["note: no process shows its trees"])
  }

  @Test("lists them as JSON")
  func json() throws {
    struct Process: Decodable {
      struct Tree: Decodable, Equatable {
        let id: Int
        let name: String
      }
      let pid: Int32
      let program: String
      let socket: String
      let trees: [Tree]
    }
    let probe = try Probe(trees: 2)
    let text = try probe.run("ps", "--format", "json").output.joined(separator: "\n")
    let processes = try JSONDecoder().decode([Process].self, from: Data(text.utf8))
    try #require(processes.count == 1)
    #expect(processes[0].pid == probe.id)
    #expect(processes[0].program == "LiveProbe")
    #expect(processes[0].socket == probe.socket)
    #expect(processes[0].trees == [.init(id: 1, name: "Root"), .init(id: 2, name: "Root")])
  }

  @Test("finds nothing where a process was killed, and takes its socket away")
  func killed() throws {
    let probe = try Probe()
    probe.program.send(SIGKILL)
    probe.program.process.waitUntilExit()
    #expect(FileManager.default.fileExists(atPath: probe.socket))
    let outcome = try probe.run("ps")
    #expect(outcome.status == 0)
    #expect(outcome.output == [])
    #expect(outcome.errors == ["note: no process shows its trees"])
    #expect(try probe.run("ps", "--quiet").errors == [])
    #expect(!FileManager.default.fileExists(atPath: probe.socket))
    #expect(try probe.run("ps", "--format", "json").output.joined().filter { $0 != " " } == "[]")
  }

  @Test("names a process that does not answer, and lists the others")
  func silent() throws {
    let (probe, silent) = (try Probe(), try Probe())
    let link = "\(probe.directory)/LiveProbe-\(silent.id).sock"
    #expect(Foundation.link(silent.socket, link) == 0)
    silent.program.send(SIGSTOP)
    // The process takes a moment to stop.
    var outcome = try probe.run("ps", "--timeout", "1")
    while outcome.status == 0 { outcome = try probe.run("ps", "--timeout", "1") }
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains { $0.hasPrefix("note: LiveProbe (\(silent.id)): The process does not answer") })
    withExtendedLifetime(silent) {}
  }
}
