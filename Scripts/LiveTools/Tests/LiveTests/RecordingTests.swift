// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsInspector
import Testing

@testable import ribs_live

@Suite("ribs record, replay and diff")
struct RecordingTests {
  private let probe: Probe
  private let file: String

  init() throws {
    probe = try Probe()
    file = "\(probe.directory)/trees.ribs"
  }

  /// Starts to record into the file.
  ///
  /// - Returns: when all trees are recorded.
  private func record(_ arguments: String...) throws -> Program {
    try Data().write(to: URL(filePath: file))
    let output = try #require(FileHandle(forWritingAtPath: file))
    let record = try Program(
      "ribs-live", ["record", "--directory", probe.directory] + arguments, terminal: output)
    try wait(for: #""keyframe":1,"#)
    return record
  }

  /// Waits until the file contains a text.
  private func wait(for text: String, count: Int = 1) throws {
    while try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: text).count <= count {
      // Gives the other process the time of a request.
      try probe.tell("")
    }
  }

  private func run(_ arguments: String...) throws -> Program.Outcome { try Program("ribs-live", arguments).outcome() }

  /// Lines without ages and summaries, which are not recorded.
  private func plain(_ lines: [String]) -> [String] { lines.ageless.map { $0.replacing(#/ +in .*/#, with: "") } }

  @Test("record what happens, and show the same trees as the process")
  func same() throws {
    let record = try record()
    for line in ["attach", "attach", "detach", "open user-17", "attach"] { try probe.tell(line) }
    try wait(for: #""event":"loaded""#, count: 4)
    let live = try probe.run("dump")
    record.send(SIGINT)
    let outcome = record.outcome()
    #expect(outcome.status == 0)
    #expect(outcome.errors.first?.contains(" events of 2 trees of LiveProbe (\(probe.id))") == true)
    #expect(outcome.errors.first?.contains("lost") == false)
    let recorded = try run("dump", file)
    #expect(recorded.status == 0 && recorded.errors == [])
    #expect(
      plain(recorded.output).map { $0.replacing(#/, at .* s$/#, with: "") } == plain(live.output))
    #expect(recorded.output.contains("user-17 plan=free"))
    #expect(try TreeRecording(contentsOf: file).isComplete)
    for format in TreeFormat.allCases {
      let shown = try run("dump", file, "--tree", "1", "--format", format.rawValue)
      #expect(shown.status == 0 && shown.output.joined().contains("Leaf"), "\(format)")
    }
    #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("in \\u001b"))
  }

  @Test("end with the process, also when it is killed, and record summaries on request")
  func killed() throws {
    try probe.tell("attach")
    let record = try record("--summaries")
    probe.program.send(SIGKILL)
    let outcome = record.outcome()
    #expect(outcome.status == 0)
    #expect(outcome.errors == ["note: recorded 0 events of 1 tree of LiveProbe (\(probe.id))"])
    let shown = try run("dump", file)
    #expect(shown.output.count == 2 && shown.output[1].contains("in \\u{1B}[31mred"))
  }

  @Test("end with a complete recording when the process is killed while it launches trees")
  func killedBusy() throws {
    for _ in 0..<5 {
      let probe = try Probe()
      let file = "\(probe.directory)/trees.ribs"
      try Data().write(to: URL(filePath: file))
      let output = try #require(FileHandle(forWritingAtPath: file))
      let record = try Program("ribs-live", ["record", "--directory", probe.directory], terminal: output)
      while try !String(contentsOfFile: file, encoding: .utf8).contains(#""keyframe":1,"#) { try probe.tell("") }
      // Each tree makes the recorder ask for its name.
      var opened = 0
      while try !String(contentsOfFile: file, encoding: .utf8).contains("user-") {
        opened += 1
        try probe.tell("open user-\(opened)")
      }
      for number in 0..<20 { try probe.tell("open user-\(opened + number)") }
      probe.program.send(SIGKILL)
      let outcome = record.outcome()
      #expect(outcome.status == 0, "\(outcome.errors)")
      let recording = try TreeRecording(contentsOf: file)
      #expect(recording.isComplete && recording.problems == [])
      let count = try #require(outcome.errors.first?.firstMatch(of: #/ of ([0-9]+) trees of /#))
      #expect(Int(count.1) == recording.trees.count)
    }
  }

  @Test("show the RIBs of a tree that was busy at the start")
  func busy() throws {
    let probe = try Probe(trees: 2)
    let file = "\(probe.directory)/trees.ribs"
    func contains(_ text: String) throws -> Bool { try String(contentsOfFile: file, encoding: .utf8).contains(text) }
    try Data().write(to: URL(filePath: file))
    let output = try #require(FileHandle(forWritingAtPath: file))
    try probe.program.say("block")
    let record = try Program(
      "ribs-live", ["record", "--timeout", "1", "--directory", probe.directory], terminal: output)
    // The second tree is recorded when the first one has not answered in time.
    while try !contains(#""keyframe":2,"#) {}
    #expect(try !contains(#""keyframe":1,"#))
    try probe.tell("")
    try probe.tell("attach")
    while try !contains(#""keyframe":1,"#) { try probe.tell("") }
    record.send(SIGINT)
    #expect(record.outcome().status == 0)
    let shown = try run("dump", file, "--tree", "1")
    #expect(shown.output.map { $0.prefix(7) } == ["Root   ", "└─ Leaf"])
  }

  @Test("lose events if they are too slow, count them, and continue with the whole tree")
  func losses() throws {
    let record = try record()
    record.send(SIGSTOP)
    // More than the buffers of the socket and the process hold.
    try probe.tell("burst 30000")
    try probe.tell("attach")
    record.send(SIGCONT)
    try wait(for: #"{"lost":"#)
    record.send(SIGTERM)
    let outcome = record.outcome()
    #expect(outcome.status == 0)
    let note = try #require(outcome.errors.first?.firstMatch(of: #/; ([0-9]+) events were lost/#))
    #expect(Int(note.1) ?? 0 > 0)
    let shown = try run("dump", file)
    #expect(
      shown.errors.first?.hasSuffix("\(note.1) events are lost, because they came too fast to be recorded") == true)
    #expect(plain(shown.output) == plain(try probe.run("dump").output))
  }

  @Test("refuse a terminal and a full disk")
  func output() throws {
    let terminal = try Terminal()
    let refused = try probe.ribs("record", terminal: terminal.other).outcome()
    #expect(refused.status == 64)
    #expect(refused.errors == ["ribs: write the recording to a file: ribs record > trees.ribs"])
    guard let full = FileHandle(forWritingAtPath: "/dev/full") else { return }
    let failed = try probe.ribs("record", terminal: full).outcome()
    #expect(failed.status == 74)
    #expect(failed.errors.first?.contains("The recording can't be continued: No space left on device") == true)
  }

  /// A recording in which a leaf is attached, and then another tree has a life.
  @Test("end on the second signal if nothing reads them")
  func unread() throws {
    // The first snapshot is longer than a pipe.
    try probe.tell("wide 20000")
    let record = try probe.ribs("record")
    #expect(record.output.text(to: "keyframe") != nil)
    let start = ContinuousClock.now
    while record.process.isRunning, .now - start < .seconds(60) {
      record.send(SIGINT)
      usleep(10_000)
    }
    #expect(!record.process.isRunning)
    #expect(record.process.terminationStatus == 74)
    #expect(record.errors.line() == "ribs: the end of the recording is not written, because nothing reads the output")
  }

  private func sample() throws -> [InspectedEvent] {
    let record = try record()
    for line in ["attach", "open user-17"] { try probe.tell(line) }
    // Its name is read from the tree.
    try wait(for: #""user-17:Root""#)
    try probe.tell("end")
    try wait(for: #""event":"ended""#, count: 2)
    record.send(SIGINT)
    #expect(record.outcome().status == 0)
    return try TreeRecording(contentsOf: file).events(of: 1)
  }

  @Test("say that nothing is recorded after the last event of a tree that continues")
  func later() throws {
    let record = try record()
    try probe.tell("attach")
    try wait(for: #""event":"activated""#)
    record.send(SIGINT)
    #expect(record.outcome().status == 0)
    let end = try #require(try TreeRecording(contentsOf: file).events(of: 1).last)
    let text = String(end.description.prefix { $0 != " " })
    let note = "note: nothing of tree 1 (Root) is recorded after \(text) s"
    #expect(try run("dump", file, "--at", text).errors == [])
    let later = try run("dump", file, "--at", "99999")
    #expect(later.status == 0 && later.output.count == 2)
    #expect(later.errors == [note])
    #expect(try run("replay", file, "--at", "99999", "--quiet").errors == [])
  }

  @Test("replay each event of a tree in a pipe, or the tree at a time")
  func replay() throws {
    let events = try sample()
    let all = try run("replay", file, "--tree", "1")
    #expect(all.status == 0 && all.errors == [])
    let titles = all.output.filter { $0.hasPrefix(file) }
    let start = "\(file): LiveProbe (\(probe.id)), tree 1 Root, "
    #expect(titles.first?.hasPrefix(start) == true)
    #expect(titles.first?.hasSuffix(" s, RIBs: 1, event 0 of \(events.count)") == true)
    #expect(titles.last?.hasSuffix(" s, RIBs: 0, event \(events.count) of \(events.count)") == true)
    #expect(all.output.filter { $0.hasPrefix("  ") } == events.map { "  \($0)" })
    #expect(all.output.suffix(2) == ["The tree has ended.", ""])
    // A time as an event prints it includes this event.
    let attached = try #require(events.first { $0.kind == "attached" })
    let time = String(attached.description.prefix { $0 != " " })
    let at = try run("replay", file, "--tree", "1", "--at", time, "--ascii")
    #expect(at.status == 0)
    #expect(at.output.first?.hasPrefix(start + "\(time) s, RIBs: 2, event ") == true)
    #expect(at.output.count == 3 && at.output[2].hasPrefix("`- Leaf"))
    #expect(try run("replay", file, "--tree", "1", "--at", time, "--under", "Leaf").output.count == 2)
    // After each event, by its number.
    let recording = try TreeRecording(contentsOf: file)
    for event in events.dropLast() {
      let arguments = [file, "--tree", "1", "--at", "event:\(event.number)"]
      let shown = try Program("ribs-live", ["dump"] + arguments + ["--format", "json"]).outcome()
      let snapshot = try TreeSnapshot(json: shown.output.joined(separator: "\n"))
      #expect(snapshot.nodes.map(\.name) == (try recording.snapshot(of: 1, after: event.number))?.nodes.map(\.name))
      let title = try Program("ribs-live", ["replay"] + arguments).outcome().output.first
      #expect(title?.hasSuffix(", RIBs: \(snapshot.nodes.count), event \(event.number) of \(events.count)") == true)
    }
    // From its launch, in order, and at a speed without pauses.
    let second = try run("replay", file, "--tree", "user-17", "--speed", "1000000")
    #expect(second.status == 0)
    #expect(second.output.first?.contains(", tree 2 user-17:Root, 0.000 s, RIBs: ") == true)
    #expect(second.output.suffix(2) == ["The tree has ended.", ""])
  }

  @Test("go from event to event by keys, and back")
  func step() throws {
    let count = try sample().count
    let replay = try Program("ribs-live", ["replay", file, "--tree", "1", "--step"])
    func event() throws -> Int {
      while let line = replay.output.line() {
        if let match = line.firstMatch(of: #/, event ([0-9]+) of/#) { return Int(match.1) ?? -1 }
      }
      return -1
    }
    #expect(try event() == 0)
    for (key, number) in [
      ("n", 1), (" ", 2), ("\u{1B}[C", 3), ("\u{1B}[D", 2), ("G", count), ("b", count - 1), ("g", 0),
    ] {
      try replay.press(key)
      #expect(try event() == number, "\(key)")
    }
    try replay.press("q")
    #expect(replay.outcome().status == 0)
  }

  @Test("play in place on a terminal, and give it back on Control-C")
  func terminal() throws {
    _ = try sample()
    let terminal = try Terminal()
    let replay = try Program(
      "ribs-live", ["replay", file, "--tree", "1", "--speed", "0.001"], terminal: terminal.other,
      environment: ["TERM": "dumb"])
    #expect(terminal.screen.text(to: "\u{1B}[?1049h") != nil)
    #expect(terminal.screen.text(to: "tree 1 Root, ") != nil)
    replay.send(SIGINT)
    #expect(terminal.screen.text(to: "\u{1B}[?1049l") != nil)
    #expect(replay.outcome().status == 0)
  }

  @Test("are completed by the trees and the RIBs of the recording")
  func completions() async throws {
    _ = try sample()
    let words = ["ribs", "replay", file, "--tree", ""]
    #expect(await Completions.trees(words) == ["1", "user-17"])
    #expect(
      await Completions.ribs(["ribs", "dump", file, "--at", "1", "--tree", "1", "--under", ""]) == ["Leaf", "Root"])
    #expect(await Completions.ribs(["ribs", "dump", file, "--under", ""]) == [])
  }

  @Test("compare a tree at two times")
  func diff() throws {
    let events = try sample()
    let attached = try #require(events.first { $0.kind == "attached" })
    let before = String(Double(attached.timeNanoseconds - 1) / 1e9)
    let time = String(attached.description.prefix { $0 != " " })
    let outcome = try run("diff", file, before, time, "--tree", "1")
    #expect(outcome.errors == [])
    #expect(outcome.status == 1 && outcome.output == ["+ Root/Leaf"])
    let json = try run("diff", file, before, time, "--tree", "1", "--format", "json")
    #expect(json.status == 1)
    let difference = try JSONDecoder().decode(TreeDifference.self, from: Data(json.output.joined().utf8))
    #expect(difference.attached.map(\.path) == ["Root/Leaf"])
    let index = attached.number
    let event = try run("diff", file, "event:\(index - 1)", "event:\(index)", "--tree", "1")
    #expect(event.status == 1 && event.output == ["+ Root/Leaf"])
    let none = try run("diff", file, time, time, "--tree", "1")
    #expect(none.status == 0 && none.output == [])
  }

  @Test("say what is wrong, and what to do")
  func mistakes() throws {
    _ = try sample()
    let other = "\(probe.directory)/other.ribs"
    try Data("no recording\n".utf8).write(to: URL(filePath: other))
    for (arguments, status, message) in [
      (["replay", "nowhere.ribs"], 66, "there is no file 'nowhere.ribs'"),
      (["dump", "nowhere.ribs"], 66, "there is no file 'nowhere.ribs'"),
      (["diff", "nowhere.ribs", "1", "2"], 66, "there is no file 'nowhere.ribs'"),
      (["replay", other], 65, "is not a recording"), (["dump", other], 65, "is not a recording"),
      (
        ["replay", file], 64,
        "say with --tree which tree of \(file): LiveProbe (\(probe.id)): 1 (Root), 2 (user-17:Root)"
      ),
      (["replay", file, "--tree", "7"], 66, "there is no tree 7"),
      (["replay", file, "--tree", "1", "--at", "99999"], 66, "is not there at 99999.000 s; it is recorded from "),
      (["dump", file, "--tree", "1", "--at", "99999"], 66, ", when it has ended"),
      (["dump", file, "--at", "99999"], 66, "there is no tree in "),
      (["dump", file, "--tree", "1", "--at", "event:999"], 66, "is not recorded at event 999: it has events 1 to "),
      (["replay", file, "--tree", "1", "--at", "event:999"], 66, "is not recorded at event 999: it has events 1 to "),
      (["replay", file, "--tree", "1", "--at", "event:x"], 64, "'event:x'"),
      (["dump", file, "--under", "Order"], 66, "there is no RIB 'Order' in"),
      (["dump", "--at", "1"], 64, "--at needs the file of a recording."),
      (["diff", file, "1", "x", "--tree", "1"], 64, "'x'"),
      (["replay", file, "--tree", "1", "--step", "--speed", "2"], 64, "--step waits for keys"),
      (["replay", file, "--tree", "1", "--speed", "0"], 64, "--speed is 0.001 to 1000000 times."),
    ] as [([String], Int32, String)] {
      let outcome = try Program("ribs-live", arguments).outcome()
      #expect(outcome.status == status, "\(arguments)")
      #expect(outcome.output == [], "\(arguments)")
      #expect(outcome.errors.joined(separator: "\n").contains(message), "\(arguments): \(outcome.errors)")
    }
    let bytes = try Data(contentsOf: URL(filePath: file))
    // Only the line before the first tree.
    let start = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
    try bytes.prefix(start + 1).write(to: URL(filePath: other))
    for options in [["replay"], ["replay", "--tree", "1"], ["dump"]] {
      let arguments = options + [other]
      let outcome = try Program("ribs-live", arguments).outcome()
      #expect(outcome.status == 66, "\(arguments)")
      #expect(outcome.errors.last?.hasPrefix("ribs: there is no tree in \(other): LiveProbe") == true, "\(arguments)")
    }
    // A part of a file is shown, with a note.
    try bytes.prefix(600).write(to: URL(filePath: other))
    let part = try run("dump", other)
    #expect(part.status == 0)
    #expect(part.errors.first?.hasPrefix("note: \(other): ") == true)
  }

  @Test("know the keys of terminals")
  func keys() {
    let known: [(String, Keyboard.Key)] = [
      ("\u{1B}[C", .next), ("\u{1B}[B", .next), ("\r", .next), ("\u{1B}[A", .back), ("p", .back), ("\u{1B}[H", .first),
      ("\u{1B}[F", .last), ("\u{4}", .quit),
    ]
    for (bytes, key) in known {
      #expect(Keyboard.key(Array(bytes.utf8)) == (key, true), "\(bytes)")
      for length in 1..<max(1, bytes.utf8.count) where bytes.utf8.count > 1 {
        #expect(Keyboard.key(Array(bytes.utf8.prefix(length))) == (nil, false), "\(bytes)")
      }
    }
    #expect(Keyboard.key(Array("x".utf8)) == (nil, true))
  }
}
