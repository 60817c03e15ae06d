// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import RIBs
import RIBsInspector
import Testing

@testable import ribs_live

/// Files and processes that are not what they claim to be. Root looks at processes of other users.
@Suite("Hostile recordings and processes", .timeLimit(.minutes(15)))
struct HostileTests {
  private let probe: Probe
  private let file: String

  init() throws {
    probe = try Probe()
    file = "\(probe.directory)/trees.ribs"
  }

  /// A recording of a few events.
  private func sample() throws -> String {
    try Data().write(to: URL(filePath: file))
    let output = try #require(FileHandle(forWritingAtPath: file))
    let record = try Program("ribs-live", ["record", "--directory", probe.directory], terminal: output)
    func text() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }
    while try !text().contains(#""keyframe":1,"#) { try probe.tell("") }
    for line in ["attach", "stage", "rehearse", "fail", "detach"] { try probe.tell(line) }
    while try !text().contains(#""event":"detached""#) { try probe.tell("") }
    record.send(SIGINT)
    #expect(record.outcome().status == 0)
    return try text()
  }

  /// Does what the commands do with a recording.
  private func show(_ file: RecordingFile, _ replay: ReplayCommand) {
    let served = ServedRecording(recording: file.recording)
    _ = try? JSONEncoder().encode(served.trees(since: nil))
    for tree in file.recording.trees {
      _ = (tree.time.lowerBound.secondsText, tree.lastTime.secondsText, tree.launch(in: file.recording).secondsText)
      _ = try? JSONEncoder().encode(served.part(of: tree, around: 1))
      _ = try? StandalonePage(of: tree, in: file.recording, at: nil).html
      let last = try? file.event(of: tree, at: tree.events - 1)
      for moment in [Moment.time(.zero), .time(tree.lastTime), .event(last?.number ?? 0), .event(.max)] {
        let picture = try? replay.picture(of: tree, in: file, at: moment)
        _ = try? StandalonePage(of: tree, in: file.recording, at: moment).html
        guard let snapshot = try? file.snapshot(of: tree, at: moment) else { continue }
        #expect(picture != nil)
        for format in TreeFormat.allCases { _ = snapshot.rendered(as: format) }
        _ = TreeDifference(from: snapshot, to: snapshot).text()
      }
      for event in (try? file.events(of: tree)) ?? [] { _ = event.description }
    }
  }

  @Test("trap no command, whatever the numbers of a recording are")
  func numbers() async throws {
    let whole = try sample()
    let replay = try #require(try await ReplayCommand.asyncParseAsRoot([file]) as? ReplayCommand)
    let output = try OutputOptions.parse(["--quiet"])
    let other = "\(probe.directory)/other.ribs"
    var shown = 0
    for range in whole.ranges(of: #/-?[0-9]+(\.[0-9]+)?/#) {
      for number in [
        "9223372036854775807", "-9223372036854775808", "4611686018427387903", "-1", "1000000000000000000000000000000.5",
        "999999999999.5", "-854000000",
      ] {
        try whole.replacingCharacters(in: range, with: number).write(toFile: other, atomically: false, encoding: .utf8)
        guard let file = try? RecordingFile(other, output) else { continue }
        show(file, replay)
        shown += 1
      }
    }
    #expect(shown > 500)
  }

  @Test("are shown with negative times as they are")
  func seconds() {
    #expect(Duration.milliseconds(-854).secondsText == "-0.854")
    #expect(Duration.milliseconds(-12_005).secondsText == "-12.005")
    #expect(Duration.nanoseconds(Int64.max).nanoseconds == .max)
    #expect(Duration.seconds(Int64.max).nanoseconds == .max && Duration.seconds(Int64.min).nanoseconds == .min)
    #expect(Int64(clamping: 1e300) == .max && Int64(clamping: -.infinity) == .min && Int64(clamping: .nan) == 0)
  }

  @Test(
    "trap no command, whatever a process answers",
    arguments: [
      #"{"version":1,"answer":"trees","process":1,"name":"x","trees":[{"id":1,"name":"R","age":1e300}]}"#,
      #"{"version":1,"answer":"trees","process":1,"name":"x","trees":[{"id":-9223372036854775808,"name":"R","age":-1e18}]}"#,
      #"{"version":1,"answer":"trees","process":1,"name":"x","trees":[{"id":1,"name":"R","age":1}]}"#,
      #"{"version":1,"answer":"snapshot","tree":1,"snapshot":{"version":1,"nodes":[]},"keyframe":{"number":-1,"timeNanoseconds":-9223372036854775808,"changes":-7}}"#,
      #"{"version":1,"answer":"snapshot","tree":1,"snapshot":{"version":1,"nodes":[]},"keyframe":{"number":9223372036854775807,"timeNanoseconds":9223372036854775807}}"#,
      #"{"version":1,"answer":"event","event":{"tree":1,"number":-9223372036854775808,"kind":"attached","path":[],"timeNanoseconds":-9223372036854775808}}"#,
      #"{"version":1,"answer":"lost","count":-9223372036854775808}"#, "no JSON", "",
      // More trees than are asked for one by one, and all with the same ID.
      #"{"version":1,"answer":"trees","process":1,"name":"x","trees":["#
        + Array(repeating: #"{"id":1,"name":"R","age":1}"#, count: 20).joined(separator: ",") + "]}",
    ])
  func answers(line: String) throws {
    let trees = #"{"version":1,"answer":"trees","process":1,"name":"x","trees":[{"id":1,"name":"R","age":1}]}"#
    let directory = "\(probe.directory)/evil"
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let server = try FakeInspector("\(directory)/evil-\(ProcessInfo.processInfo.processIdentifier).sock") { request in
      if request.contains(#""trees""#) { return line.contains(#""trees""#) ? line : trees }
      if request.contains(#""events""#) { return #"{"version":1,"answer":"following"}"# + "\n" + line }
      return line
    }
    for arguments in [
      ["ps"], ["ps", "--format", "json"], ["ps", "--summary"], ["dump"], ["events", "--count", "1"], ["record"],
    ] {
      let program = try Program("ribs-live", arguments + ["--directory", directory, "--timeout", "1"])
      _ = program.outcome()
      #expect(program.process.terminationReason == .exit, "\(arguments): \(line)")
    }
    withExtendedLifetime(server) {}
  }

  @Test("print no control character of another process")
  func controlCharacters() throws {
    let (directory, id) = ("\(probe.directory)/evil", ProcessInfo.processInfo.processIdentifier)
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let text = #"\u001b]0;title\u0007\r\u001b[2J"#
    let sockets = ["a", "b"].map { "\(directory)/\($0)\u{1B}[31m-\(id).sock" }
    let refusing = try FakeInspector(sockets[0]) { _ in #"{"version":1,"answer":"error","message":"\#(text)"}"# }
    let stuck = try FakeInspector(sockets[1]) { request in
      request.contains(#""trees""#)
        ? #"{"version":1,"answer":"trees","process":1,"name":"x","trees":[{"id":1,"name":"\#(text)","age":1}]}"#
        : #"{"version":1,"answer":"error","tree":1,"message":"\#(text)"}"#
    }
    for arguments in [
      ["ps"], ["ps", "--summary"], ["dump"], ["dump", "x"], ["dump", sockets[0]], ["dump", sockets[1]],
      ["dump", sockets[1], "--tree", "x"], ["events", sockets[0]], ["record", sockets[0]],
    ] {
      let outcome = try Program("ribs-live", arguments + ["--directory", directory, "--timeout", "1"]).outcome()
      #expect(!outcome.errors.isEmpty, "\(arguments)")
      #expect((outcome.errors + outcome.output).allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 } }, "\(arguments)")
    }
    withExtendedLifetime((refusing, stuck)) {}
  }

  @Test("don't keep ribs ps --summary from the others if one ends meanwhile")
  func ending() throws {
    let trees = (1...12).map { #"{"id":\#($0),"name":"R","age":1}"# }.joined(separator: ",")
    let server = try FakeInspector("\(probe.directory)/evil-\(ProcessInfo.processInfo.processIdentifier).sock") {
      request in
      request.contains(#""trees""#)
        ? #"{"version":1,"answer":"trees","process":1,"name":"x","trees":[\#(trees)]}"#
        : #"{"version":1,"answer":"error","tree":1,"message":"It is busy."}"#
    }
    let outcome = try probe.run("ps", "--summary")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains { $0.contains("evil") && $0.contains("has ended") })
    #expect(outcome.output.dropFirst().first?.hasPrefix("\(probe.id) ") == true, "\(outcome.output)")
    withExtendedLifetime(server) {}
  }

  /// A scalar that forms one character with what follows it must not hide a `<`.
  @Test("end no element of the pages in which they are")
  func elements() throws {
    let text = "\u{600}</script>\u{600}<!--\u{600}<script>"
    let node = #"{"name":"\#(text)","router":"R","interactor":"I","hasView":false,"state":"active","subscriptions":0}"#
    let snapshot = try TreeSnapshot(json: #"{"version":1,"nodes":[\#(node)]}"#)
    for (page, scripts) in [(snapshot.html(), 3), (Page.html(nonce: "x", recording: #"{"x":"\#(text)"}"#), 2)] {
      let (opened, ended) = (page.utf8.count(of: "<script"), page.utf8.count(of: "</script"))
      #expect(opened == scripts && ended == scripts && page.utf8.count(of: "<!--") == 0)
      #expect(page.utf8.count(of: #"\u003c/script>"#) == 1)
    }
  }
}

extension String.UTF8View {
  /// How often a text occurs, by bytes.
  fileprivate func count(of text: String) -> Int { ranges(of: Array(text.utf8)).count }
}

/// A process that answers as a test says, and closes the connection after it.
private final class FakeInspector: Sendable {
  private let socket: Int32

  init(_ path: String, _ answer: @escaping @Sendable (String) -> String) throws {
    #if os(Linux)
      socket = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket = Foundation.socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    unlink(path)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(status == 0 && listen(socket, 8) == 0)
    Thread.detachNewThread { [socket] in
      while true {
        let client = accept(socket, nil, nil)
        guard client >= 0 else { return }
        let handle = FileHandle(fileDescriptor: client, closeOnDealloc: true)
        // A probe whether the socket is in use sends nothing.
        if let line = LineReader(handle).line() { try? handle.write(contentsOf: Data((answer(line) + "\n").utf8)) }
      }
    }
  }

  deinit {
    shutdown(socket, Int32(SHUT_RDWR))
    close(socket)
  }
}
