// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsInspector
import Testing

@Suite("ribs dump")
struct DumpTests {
  private let probe: Probe

  init() throws {
    probe = try Probe(trees: 2)
    for _ in 0..<2 { try probe.tell("attach") }
  }

  @Test("draws all trees of the only process, with nothing in it that a terminal would act on")
  func all() throws {
    let outcome = try probe.run("dump")
    #expect(outcome.status == 0)
    #expect(outcome.errors == [])
    #expect(
      outcome.output.ageless.map { $0.replacing(#/ +/#, with: " ") } == [
        "Tree 1", "Root active …", "├─ Leaf active … in \\u{1B}[31mred", "└─ Leaf active … in \\u{1B}[31mred", "",
        "Tree 2", "Root active …",
      ])
  }

  @Test("draws one tree, down to a level, below a RIB, in ASCII")
  func part() throws {
    for (arguments, lines) in [
      (["--tree", "2"], ["Root active …"]), (["--tree", "1", "--depth", "0"], ["Root active … 2 more below"]),
      (["--tree", "1", "--under", "Root/Leaf"], ["Leaf active … in \\u{1B}[31mred"]),
      (["--tree", "1", "--under", "#3"], ["Leaf active … in \\u{1B}[31mred"]),
      (["--under", "Leaf"], ["Tree 1", "Leaf active … in \\u{1B}[31mred"]),
      (["--tree", "1", "--ascii"], ["Root active …"] + ["|-", "`-"].map { "\($0) Leaf active … in \\u{1B}[31mred" }),
    ] {
      let outcome = try probe.run(["dump", "LiveProbe"] + arguments)
      #expect(outcome.output.ageless.map { $0.replacing(#/ +/#, with: " ") } == lines, "\(arguments)")
    }
  }

  @Test("writes every format, to a file too", arguments: TreeFormat.allCases)
  func formats(format: TreeFormat) throws {
    let arguments = ["dump", String(probe.id), "--tree", "1", "--format", format.rawValue]
    let outcome = try probe.run(arguments)
    let text = outcome.output.joined(separator: "\n")
    #expect(outcome.status == 0)
    #expect(text.contains("Leaf"))
    let file = "\(probe.directory)/tree.\(format.fileExtension)"
    #expect(try probe.run(arguments + ["--output", file]).output == [])
    let written = try String(contentsOfFile: file, encoding: .utf8)
    switch format {
    case .text: #expect(written.hasPrefix("Root     active "))
    case .json: #expect(try TreeSnapshot(json: written).nodes.map(\.name) == ["Root", "Leaf", "Leaf"])
    case .markdown: #expect(written.hasPrefix("- "))
    case .mermaid: #expect(written.contains("flowchart"))
    case .dot: #expect(written.hasPrefix("digraph"))
    case .html: #expect(written.contains("<title>Root, tree 1 of LiveProbe (\(probe.id))</title>"))
    }
  }

  @Test("says with its status what is not there and what is not clear, and writes nothing then")
  func mistakes() throws {
    let id = probe.id
    for (arguments, status, message) in [
      (["dump", "unknown"], 66, "there is no process 'unknown'; there are: \(id) (LiveProbe)"),
      (["dump", "/nowhere/x-1.sock"], 66, "No process answers at /nowhere/x-1.sock"),
      (["dump", "/nowhere/x"], 66, "'/nowhere/x' is not named like the socket"),
      (["dump", "--tree", "7"], 66, "there is no tree 7 in LiveProbe (\(id)); there are: 1 (Root), 2 (Root)"),
      (["dump", "--under", "Order"], 66, "there is no RIB 'Order' in the trees of LiveProbe"),
      (["dump", "--under", "Order", "--tree", "1"], 66, "there is no RIB 'Order' in tree 1 of LiveProbe"),
      (["dump", "--format", "dot"], 64, "say with --tree which tree of LiveProbe (\(id)): 1 (Root), 2 (Root)"),
      (["dump", "--format", "pdf"], 64, "'pdf'"), (["dump", "--depth", "-1"], 64, "Missing value"),
      (["dump", "--depth=-1"], 64, "--depth can't be negative."),
      (["dump", "--format", "dot", "--ascii"], 64, "--ascii needs --format text."),
      (["dump", "--timeout", "0"], 64, "--timeout is 1 to 86400 seconds."),
      (
        ["dump", "--tree", "1", "--output", "/nowhere/tree"], 73,
        "'/nowhere/tree' can't be written: No such file or directory"
      ),
      (["watch"], 64, "say with --tree which tree"),
      (["watch", "--tree", "1", "--rate", "31"], 64, "--rate is 1 to 30."),
      (["watch", "--tree", "7"], 66, "there is no tree 7"), (["events", "--tree", "7"], 66, "there is no tree 7"),
      (["events", "--count", "0"], 64, "--count is at least 1."),
    ] as [([String], Int32, String)] {
      let outcome = try probe.run(arguments)
      #expect(outcome.status == status, "\(arguments)")
      #expect(outcome.output == [], "\(arguments)")
      #expect(outcome.errors.joined(separator: "\n").contains(message), "\(arguments): \(outcome.errors)")
    }
  }

  @Test("fails with the reason if standard output is full")
  func full() throws {
    let probe = try Probe()
    for arguments in [["dump"], ["ps"], ["watch"]] {
      let disk = try #require(FileHandle(forWritingAtPath: "/dev/full"))
      let outcome = try Program("ribs-live", arguments + ["--directory", probe.directory], terminal: disk).outcome()
      #expect(outcome.status == 74, "\(arguments)")
      #expect(outcome.errors == ["ribs: standard output can't be written: No space left on device"], "\(arguments)")
    }
  }

  @Test("draws those trees that answer, and names those that do not")
  func stuck() throws {
    try probe.program.say("block")
    let outcome = try probe.run("dump", "--timeout", "1")
    #expect(outcome.status == 1)
    #expect(outcome.output.ageless == ["Tree 2", "Root  active …"])
    try #require(outcome.errors.count == 1)
    let note = "note: tree 1 of LiveProbe (\(probe.id)): Tree 1 does not answer. Root runs perform (main.swift:"
    #expect(outcome.errors[0].hasPrefix(note))
    try probe.tell("")
  }

  @Test("asks for many trees at once, and names those that do not answer")
  func many() throws {
    let probe = try Probe(trees: 50)
    try probe.tell("attach")
    let outcome = try probe.run("dump")
    #expect(outcome.status == 0 && outcome.errors == [])
    let lines = outcome.output.ageless
    #expect(Array(lines.prefix(5)) == ["Tree 1", "Root     active …", lines[2], "", "Tree 2"])
    #expect(lines[2].contains("Leaf"))
    #expect(lines.filter { $0.hasPrefix("Tree ") } == (1...50).map { "Tree \($0)" })
    #expect(try probe.run("dump", "--under", "Leaf").output.first == "Tree 1")
    #expect(try probe.run("dump", "--under", "Order").status == 66)
    let file = "\(probe.directory)/trees.txt"
    let toFile = try probe.run("dump", "--output", file)
    #expect(toFile.status == 0 && toFile.output == [] && toFile.errors == [])
    let written = try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\n").ageless.dropLast()
    #expect(written.difference(from: lines).isEmpty)
    try probe.program.say("block")
    let blocked = try probe.run("dump", "--timeout", "1")
    #expect(blocked.status == 1)
    #expect(blocked.output.contains("Tree 50") && !blocked.output.contains("Tree 1"))
    let note = "note: tree 1 of LiveProbe (\(probe.id)): Tree 1 does not answer. Root runs perform (main.swift:"
    #expect(blocked.errors.contains { $0.hasPrefix(note) })
    try probe.tell("")
  }

  @Test("finds a tree by its name, with or without its root, and by its number")
  func byName() throws {
    for name in ["user-17", "user-18", "user-18"] { try probe.tell("open \(name)") }
    for tree in ["user-17", "user-17:Root", "3"] {
      #expect(try probe.run("dump", "--tree", tree).output.first == "user-17 plan=free", "\(tree)")
    }
    // Two trees have this name: text has both, and every other format one.
    let both = try probe.run("dump", "--tree", "user-18").output
    #expect(both.filter { $0.hasPrefix("Tree ") } == ["Tree 4", "Tree 5"])
    let one = try probe.run("dump", "--tree", "user-18", "--format", "dot")
    #expect(one.status == 64 && one.errors.first?.hasSuffix(": 4 (user-18:Root), 5 (user-18:Root)") == true)
    let events = try probe.run("events", "--tree", "user-18")
    #expect(events.status == 64 && events.errors == one.errors)
    #expect(try probe.run("events", "--tree", "user-1").status == 66)
    #expect(try probe.run("watch", "--tree", "user").status == 66)
    let watch = try probe.ribs("watch", "--tree", "user-17")
    #expect(watch.output.line()?.hasPrefix("LiveProbe (\(probe.id)), tree 3, ") == true)
  }

  @Test("has colors on a terminal only, and neither in files nor with NO_COLOR")
  func colors() throws {
    let probe = try Probe()
    try probe.tell("attach")
    func drawn(_ arguments: String..., environment: [String: String] = ["TERM": "xterm", "NO_COLOR": ""]) throws
      -> String
    {
      let terminal = try Terminal()
      let dump = try Program(
        "ribs-live", ["dump", "--directory", probe.directory] + arguments, terminal: terminal.other,
        environment: environment)
      #expect(dump.outcome().status == 0)
      return terminal.text()
    }
    let leaf = "\u{1B}[2m└─ \u{1B}[0mLeaf  active "
    #expect(try drawn().contains(leaf))
    for environment in [["TERM": "dumb"], ["TERM": "xterm", "NO_COLOR": "1"]] {
      #expect(try drawn(environment: environment).contains("\r\n└─ Leaf  active "))
    }
    let file = "\(probe.directory)/tree.txt"
    #expect(try drawn("--output", file) == "")
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("\n└─ Leaf  active "))
  }

  @Test("asks which process is meant if there are several")
  func several() throws {
    let other = try Probe(in: probe.directory)
    let outcome = try probe.run("dump")
    #expect(outcome.status == 64)
    #expect(outcome.errors.first?.hasPrefix("ribs: say which process: ") == true)
    for id in [probe.id, other.id] { #expect(outcome.errors.first?.contains("\(id) (LiveProbe)") == true) }
    #expect(try probe.run("dump", String(other.id)).output.ageless == ["Root  active …"])
    #expect(try probe.run("dump", other.socket).output.ageless == ["Root  active …"])
  }

  @Test("refuses a directory that others may enter, and says why")
  func directory() throws {
    chmod(probe.directory, 0o755)
    for command in ["ps", "dump", "watch", "events"] {
      let outcome = try probe.run(command)
      #expect(outcome.status == 73, "\(command)")
      #expect(outcome.errors.first?.contains("other users may enter or change it (mode 755)") == true, "\(command)")
    }
  }

  @Test("finds no process in a directory that does not exist or is empty")
  func noProcess() throws {
    let empty = try Program("ribs-live", ["dump", "--directory", "\(probe.directory)/none"]).outcome()
    #expect(empty.status == 66)
    try probe.tell("end")
    let ended = try probe.run("dump")
    #expect(ended.status == 66)
    #expect(ended.errors == ["ribs: LiveProbe (\(probe.id)) shows no tree now"])
  }

  @Test(
    "and the other commands explain in their help what they do, with examples",
    arguments: ["ps", "dump", "watch", "events", "record", "replay", "diff", "serve"])
  func help(command: String) throws {
    let outcome = try Program("ribs-live", [command, "--help"]).outcome()
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("Examples:"))
  }
}
