// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsInspector
import Testing

@testable import ribs_live

@Suite("The page of a recording, in a browser", .needsBrowser, .timeLimit(.minutes(15)))
struct StandalonePageTests {
  private let probe: Probe
  private let file: String
  private let html: String

  init() throws {
    probe = try Probe()
    file = "\(probe.directory)/trees.ribs"
    html = "\(probe.directory)/page.html"
  }

  /// Records the process during a closure.
  private func record(_ change: (Program) throws -> Void) throws -> TreeRecording {
    try Data().write(to: URL(filePath: file))
    let output = try #require(FileHandle(forWritingAtPath: file))
    let record = try Program("ribs-live", ["record", "--directory", probe.directory], terminal: output)
    while try !text().contains(#""keyframe":1,"#) { try probe.tell("") }
    try change(record)
    record.send(SIGINT)
    #expect(record.outcome().status == 0)
    return try TreeRecording(contentsOf: file)
  }

  private func text() throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

  /// Writes the page, and opens it.
  private func page(_ arguments: String...) throws -> (page: Chromium, notes: [String]) {
    let outcome = try Program("ribs-live", ["dump", file, "--format", "html", "--output", html] + arguments).outcome()
    #expect(outcome.status == 0 && outcome.output == [], "\(outcome.errors)")
    let page = try Chromium("file://\(html)")
    try page.wait("page.history?.bounds && byID('status').textContent === 'recording'")
    return (page, outcome.errors)
  }

  private func lines(_ snapshot: TreeSnapshot?) -> [String] {
    (snapshot?.nodes ?? []).map {
      "\($0.id?.rawValue ?? 0) \($0.name) \($0.state) \($0.tasks.count) \($0.restarts?.made ?? 0)"
    }
  }

  /// The tree that the page shows.
  private func shown(_ page: Chromium) throws -> [String]? {
    try page.evaluate(
      """
      page.shownState.inOrder().map((node) =>
        [node.id, node.name, node.state, node.tasks.length, node.restarts?.made ?? 0].join(" "))
      """) as? [String]
  }

  @Test("shows the tree wherever the slider is, and after each of several events at one time")
  func slider() throws {
    _ = try record { _ in
      for line in ["stage", "rehearse", "attach", "fail", "finish", "detach", "misuse"] { try probe.tell(line) }
      // The restart comes a moment later.
      for kind in ["restarted", "misuse"] {
        while try !text().contains(#""event":"\#(kind)""#) { try probe.tell("") }
      }
    }
    // All events of a millisecond have the same time.
    try text().replacing(#/({"tree":1,"time":[0-9]+)[0-9]{6},/#) { "\($0.1)000000," }
      .write(toFile: file, atomically: true, encoding: .utf8)
    let recording = try TreeRecording(contentsOf: file)
    let events = try recording.events(of: 1)
    #expect(Set(events.map(\.timeNanoseconds)).count < events.count)
    let (page, notes) = try page()
    #expect(notes == [])
    #expect(try page.text("byID('process').textContent") == "LiveProbe (\(probe.id)), recorded")
    // The slider.
    for time in Set(events.map(\.time)) {
      try page.evaluate(
        "byID('time').value = \(time / .milliseconds(1)); byID('time').dispatchEvent(new Event('input'))")
      #expect(try shown(page) == lines(try recording.snapshot(of: 1, at: time)), "\(time)")
    }
    try page.wait("[...document.querySelectorAll('#tree .row')].length > 0")
    // Event by event, forward and back.
    try page.evaluate("page.lookBack(page.history.start, 0)")
    for event in events {
      try page.click("#forward")
      #expect(try shown(page) == lines(try recording.snapshot(of: 1, after: event.number)), "\(event)")
    }
    for event in events.reversed().dropFirst() {
      try page.click("#back")
      #expect(try shown(page) == lines(try recording.snapshot(of: 1, after: event.number)), "\(event)")
    }
    // The failure is found, with its RIB.
    try page.press("]")
    try page.wait("document.querySelector('#tree .row.failed')?.dataset.rib === 'Play'")
    // Playing ends at the end.
    try page.evaluate("byID('speed').value = '64'")
    try page.click("#play")
    try page.wait("page.time === page.history.bounds.end && byID('play').textContent === 'Play'")
    #expect(page.errors == [])
    // It loads nothing, and what it contains ends no element.
    let source = try String(contentsOfFile: html, encoding: .utf8)
    #expect(!source.contains("src=\"") && !source.contains("@import") && !source.contains("https://"))
    #expect(source.components(separatedBy: "<script").count == 3)
    #expect(source.contains("connect-src 'none'"))
    #expect(try page.evaluate("performance.getEntriesByType('resource').length") as? Int == 0)
  }

  @Test("begins at the moment of --at, or at the last one with a tree")
  func first() throws {
    let recording = try record { _ in
      for line in ["attach", "attach"] { try probe.tell(line) }
      // The file has them a moment later, so that the tree ends in another millisecond.
      while try text().components(separatedBy: #""event":"attached""#).count < 3 { try probe.tell("") }
      try probe.tell("end")
      while try !text().contains(#""event":"ended""#) { try probe.tell("") }
    }
    let events = try recording.events(of: 1)
    let event = try #require(events.first { $0.kind == "attached" })
    let number = try self.page("--at", "event:\(event.number)").page
    #expect(try shown(number) == lines(try recording.snapshot(of: 1, after: event.number)))
    // A time as it is printed means all events of the millisecond.
    let time = try self.page("--at", String(event.description.prefix { $0 != " " })).page
    let end = Duration.nanoseconds(event.timeNanoseconds / 1_000_000 * 1_000_000 + 999_999)
    #expect(try shown(time) == lines(try recording.snapshot(of: 1, at: end)))
    let last = try self.page().page
    #expect(try shown(last)?.isEmpty == false)
    // A part of the tree, or some of its levels, is one moment without a slider.
    let part = try Program("ribs-live", ["dump", file, "--format", "html", "--depth", "0"]).outcome()
    #expect(part.status == 0 && !part.output.joined().contains("type=\"range\""))
  }

  @Test("is bounded, says what is left out, and shows the tree after events that were lost")
  func bounded() throws {
    let recording = try record { record in
      for number in 1...40 {
        try probe.tell("burst 5")
        while try text().components(separatedBy: #"{"tree":1,"#).count - 1 < 25 * number {
          try probe.tell("")
        }
      }
      record.send(SIGSTOP)
      // More than the buffers of the socket and the process hold.
      try probe.tell("burst 30000")
      for _ in 0..<4 { try probe.tell("attach") }
      record.send(SIGCONT)
      while try !text().contains(#"{"lost":"#) { try probe.tell("") }
      // Events after the loss: few enough for the page.
      var round = 0
      repeat {
        for line in round % 100 == 0 ? ["attach", "detach"] : [""] { try probe.tell(line) }
        round += 1
      } while try text().components(separatedBy: #"{"lost":"#).last?.contains(#""event":"detached""#) != true
    }
    let tree = try #require(recording.trees.first)
    #expect(tree.events > 1_000 && tree.lostEvents > 0)
    let standalone = try StandalonePage(of: tree, in: recording, at: nil, mostEvents: 300)
    let note = try #require(standalone.note)
    try standalone.html.write(toFile: html, atomically: true, encoding: .utf8)
    let page = try Chromium("file://\(html)")
    try page.wait("page.history?.bounds && byID('status').textContent === 'recording'")
    let count = try #require(try page.evaluate("page.history.events.length") as? Int)
    #expect(count > 100 && count <= 300)
    // By their size.
    let small = try StandalonePage(of: tree, in: recording, at: nil, mostBytes: 20_000)
    #expect(small.note != nil && small.html.utf8.count < standalone.html.utf8.count)
    #expect(note.contains("the page has \(count) of \(tree.events) events, from "))
    #expect(try page.text("byID('notice').textContent").contains("The page has \(count) of \(tree.events) events"))
    #expect(try page.evaluate("page.embedded.contents.part.snapshots.length") as? Int ?? 0 > 0)
    #expect(try shown(page) == lines(try recording.snapshot(of: 1, at: tree.lastTime)))
    // Back across the gap.
    let events = try recording.events(of: 1)
    let gap = try #require(Array(zip(events, events.dropFirst())).last { $0.number + 1 < $1.number })
    for event in [gap.1, gap.0] {
      try page.evaluate(
        """
        (() => {
          const event = page.history.events.find((event) => event.number === \(event.number));
          page.lookBack(event.time, event.sequence);
        })()
        """)
      #expect(try shown(page) == lines(try recording.snapshot(of: 1, after: event.number)))
    }
    #expect(page.errors == [])
  }
}
