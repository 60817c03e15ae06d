// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ribs_live

@Suite("ribs watch")
struct WatchTests {
  /// Reads pictures until one shows a count of RIBs.
  private func picture(of count: Int, from watch: Program) throws -> [String] {
    while true {
      var lines: [String] = []
      while let line = watch.output.line(), line != "" { lines.append(line) }
      let title = try #require(lines.first)
      if title.contains(" RIBs: \(count),") { return lines }
    }
  }

  @Test("draws the tree in a pipe whenever it changes, until it ends")
  func pipe() throws {
    let probe = try Probe()
    let watch = try probe.ribs("watch")
    let first = try picture(of: 1, from: watch)
    #expect(first == ["LiveProbe (\(probe.id)), tree 1, RIBs: 1, events: 0"] + [first.last ?? ""])
    #expect([first.last ?? ""].ageless == ["Root  active …"])
    for count in 1...3 {
      try probe.tell("attach")
      let lines = try picture(of: count + 1, from: watch)
      #expect(lines.count == count + 2)
      #expect(lines.last?.hasPrefix("└─ Leaf  active ") == true)
    }
    try probe.tell("end")
    let outcome = watch.outcome()
    #expect(outcome.status == 0)
    #expect(outcome.errors == ["note: tree 1 of LiveProbe (\(probe.id)) has ended"])
  }

  @Test("draws at most thirty times a second, however much happens")
  func rate() throws {
    let probe = try Probe()
    let start = ContinuousClock.now
    let watch = try probe.ribs("watch")
    _ = try picture(of: 1, from: watch)
    try probe.tell("burst 10000")
    try probe.tell("attach")
    var pictures = 2
    while try picture(of: 2, from: watch).isEmpty { pictures += 1 }
    try probe.tell("end")
    pictures += watch.outcome().output.filter { $0.hasPrefix("LiveProbe ") }.count
    #expect(Double(pictures) <= 2 + (ContinuousClock.now - start) / .seconds(1) * 30)
  }

  @Test("names a tree that does not answer, continues with it, and ends on Control-C meanwhile")
  func stuck() throws {
    let probe = try Probe()
    let (watch, patient) = (try probe.ribs("watch", "--timeout", "1"), try probe.ribs("watch", "--timeout", "60"))
    _ = (try picture(of: 1, from: watch), try picture(of: 1, from: patient))
    try probe.program.say("block 1")
    let note = watch.errors.line()
    #expect(note?.hasPrefix("note: LiveProbe (\(probe.id)), tree 1: Tree 1 does not answer") == true, "\(note ?? "")")
    #expect(note?.hasSuffix("; trying again") == true)
    let start = ContinuousClock.now
    patient.send(SIGINT)
    #expect(patient.outcome().status == 0)
    #expect(.now - start < .seconds(30))
    try probe.tell("")
    #expect(try picture(of: 2, from: watch).count == 3)
    try probe.tell("end")
    #expect(watch.outcome().errors == ["note: tree 1 of LiveProbe (\(probe.id)) has ended"])
  }

  @Test("says so while the RIB is not there that it is to begin at")
  func under() throws {
    let probe = try Probe()
    let watch = try probe.ribs("watch", "--under", "Leaf", "--ascii")
    #expect(try picture(of: 1, from: watch).last == "There is no RIB 'Leaf' now.")
    try probe.tell("attach")
    #expect(try picture(of: 2, from: watch).last?.hasPrefix("Leaf  active ") == true)
  }

  @Test(
    "draws in place on a terminal, and gives it back with the last picture on Control-C", arguments: [SIGINT, SIGTERM])
  func terminal(signal: Int32) throws {
    let probe = try Probe()
    let terminal = try Terminal()
    let watch = try probe.ribs("watch", terminal: terminal.other, environment: ["TERM": "dumb"])
    let screen = terminal.screen
    #expect(screen.text(to: "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l") != nil)
    #expect(screen.text(to: "\u{1B}[HLiveProbe (\(probe.id)), tree 1, RIBs: 1, events: ") != nil)
    try probe.tell("attach")
    #expect(screen.text(to: "\u{1B}[HLiveProbe (\(probe.id)), tree 1, RIBs: 2, events: ") != nil)
    #expect(screen.text(to: "└─ Leaf  active ") != nil)
    watch.send(signal)
    #expect(screen.text(to: "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l") != nil)
    #expect(screen.text(to: "LiveProbe (\(probe.id)), tree 1, RIBs: 2, events: ") != nil)
    let outcome = watch.outcome()
    #expect(outcome.status == 0)
    #expect(outcome.errors == [])
  }

  @Test("leaves out what does not fit on the screen, and says how much")
  func frame() {
    let picture = (1...5).map { "line \($0)\n" }.joined()
    #expect(
      Screen.frame(picture, rows: 5)
        == "\u{1B}[Hline 1\u{1B}[K\r\nline 2\u{1B}[K\r\nline 3\u{1B}[K\r\nline 4\u{1B}[K\r\nline 5\u{1B}[K\u{1B}[J")
    #expect(
      Screen.frame(picture, rows: 3) == "\u{1B}[Hline 1\u{1B}[K\r\nline 2\u{1B}[K\r\n(3 more lines)\u{1B}[K\u{1B}[J")
    #expect(Screen.frame(picture, rows: 1) == "\u{1B}[H(5 more lines)\u{1B}[K\u{1B}[J")
  }
}
