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
