// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import RIBs
import RIBsInspector

/// A moment of a recorded tree: seconds since its launch, as events print them, such as `12.345`, or an event by its
/// number, as `ribs replay` prints it, such as `event:17`.
enum Moment: ExpressibleByArgument {
  /// After the last event that is not later.
  case time(Duration)
  /// After the event with a number.
  case event(Int)

  init?(argument: String) {
    if argument.hasPrefix("event:") {
      guard let number = Int(argument.dropFirst(6)), number >= 0 else { return nil }
      self = .event(number)
      return
    }
    let text = argument.hasSuffix("s") ? String(argument.dropLast()) : argument
    guard let seconds = Double(text), seconds.isFinite, (0...1e9).contains(seconds) else { return nil }
    let nanoseconds = Int64((seconds * 1e9).rounded())
    // Events print milliseconds, and all events of the millisecond are meant.
    let isExact = (text.split(separator: ".").dropFirst().first?.count ?? 0) > 3
    self = .time(.nanoseconds(isExact ? nanoseconds : nanoseconds + 999_999))
  }

  /// The moment as part of a sentence: `at 12.345 s`.
  var phrase: String {
    switch self {
    case .time(let time): "at \(time.secondsText) s"
    case .event(let number): "after event \(number)"
    }
  }
}

/// An opened recording.
struct RecordingFile {
  let path: String
  let recording: TreeRecording
  private let output: OutputOptions

  /// Opens a recording, and prints a note about each part that can't be shown.
  init(_ path: String, _ output: OutputOptions) throws {
    self.path = path
    self.output = output
    let file = URL(filePath: path, relativeTo: LiveTool.folder).path
    guard FileManager.default.fileExists(atPath: file) else { throw Failure.missing("there is no file '\(path)'") }
    do throws(InspectorError) {
      recording = try TreeRecording(contentsOf: file)
    } catch {
      throw Failure.malformed(error.message)
    }
    for problem in recording.problems { output.note("\(path): \(problem)".oneLine) }
    if recording.lostEvents > 0 {
      output.note("\(path.oneLine): \(recording.lostEvents) events are lost, because they came too fast to be recorded")
    }
  }

  /// Whether an argument names a file rather than a process.
  static func isNamed(by argument: String) -> Bool {
    if argument.hasSuffix(".ribs") { return true }
    guard argument.contains("/") else { return false }
    let file = URL(filePath: argument, relativeTo: LiveTool.folder).resolvingSymlinksInPath()
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    return attributes?[.type] as? FileAttributeType == .typeRegular
  }

  var title: String { "\(path.oneLine): \(recording.process.name.oneLine) (\(recording.process.id))" }

  /// A tree at a moment.
  ///
  /// - Throws: a failure with what is recorded, if the tree is not recorded then.
  func snapshot(of tree: RecordedTree, at moment: Moment) throws -> TreeSnapshot {
    let title = "tree \(tree.id) (\(tree.name.oneLine))"
    if let snapshot = try snapshotIfThere(of: tree, at: moment) {
      if case .time(let time) = moment, time.secondsText != tree.time.upperBound.secondsText,
        time > tree.time.upperBound
      {
        output.note("nothing of \(title) is recorded after \(tree.time.upperBound.secondsText) s")
      }
      return snapshot
    }
    switch moment {
    case .time(let time):
      let end = tree.hasEnded ? ", when it has ended" : ""
      throw Failure.missing(
        "\(title) is not there at \(time.secondsText) s; it is recorded from "
          + "\(tree.time.lowerBound.secondsText) s to \(tree.time.upperBound.secondsText) s\(end)")
    case .event(let number):
      let events = try events(of: tree)
      if number == 0 || events.contains(where: { $0.number == number }) {
        throw Failure.missing("\(title) has no RIBs after event \(number)")
      }
      let known = events.first.flatMap { first in events.last.map { ": it has events \(first.number) to \($0.number)" }
      }
      throw Failure.missing("\(title) is not recorded at event \(number)\(known ?? ", and has no events")")
    }
  }

  /// A tree at a moment; nil if it is not recorded then, or has no RIBs.
  func snapshotIfThere(of tree: RecordedTree, at moment: Moment) throws -> TreeSnapshot? {
    try reading { () throws(InspectorError) in
      switch moment {
      case .time(let time): try recording.snapshot(of: tree.id, at: time)
      case .event(let number): try recording.snapshot(of: tree.id, after: number)
      }
    }
  }

  /// The event at a position among the recorded ones of a tree; nil if there is none.
  func event(of tree: RecordedTree, at position: Int) throws -> InspectedEvent? {
    guard (0..<tree.events).contains(position) else { return nil }
    return try reading { () throws(InspectorError) in
      try recording.events(of: tree.id, at: position..<position + 1).first
    }
  }

  /// The number of events of a tree up to a time.
  func eventCount(of tree: RecordedTree, upTo time: Duration) throws -> Int {
    try reading { () throws(InspectorError) in try recording.eventCount(of: tree.id, upTo: time) }
  }

  func events(of tree: RecordedTree) throws -> [InspectedEvent] {
    try reading { () throws(InspectorError) in try recording.events(of: tree.id) }
  }

  /// The time of the event with a number; nil if there is none.
  func time(of tree: RecordedTree, after number: Int) throws -> Duration? {
    var time: Duration?
    try reading { () throws(InspectorError) in
      try recording.forEachEvent(of: tree.id, after: number - 1) { event, _ in
        time = event.number == number ? event.time : nil
        return false
      }
    }
    return time
  }

  /// Calls a closure with each event of a tree after another one, and the tree after it.
  func forEachEvent(
    of tree: RecordedTree, after number: Int, _ body: (InspectedEvent, TreeSnapshot) throws -> Void
  ) throws {
    var failure: (any Error)?
    try reading { () throws(InspectorError) in
      try recording.forEachEvent(of: tree.id, after: number) { event, fold in
        do { try body(event, fold.snapshot()) } catch { failure = error }
        return failure == nil
      }
    }
    if let failure { throw failure }
  }

  private func reading<Value>(_ read: () throws(InspectorError) -> Value) throws -> Value {
    do throws(InspectorError) {
      return try read()
    } catch {
      throw Failure.malformed(error.message)
    }
  }
}

extension RecordedTree {
  /// The last time at which the tree can be shown. At its end it has no RIBs any more.
  var lastTime: Duration { hasEnded ? max(time.lowerBound, time.upperBound - .nanoseconds(1)) : time.upperBound }
}

extension InspectorError {
  /// The description without its final period, as part of a line.
  var message: String { description.hasSuffix(".") ? String(description.dropLast()) : description }
}

extension Duration {
  /// Seconds with milliseconds, as events print them: `12.345`.
  var secondsText: String {
    let (seconds, attoseconds) = components
    let milliseconds = String(abs(attoseconds) / 1_000_000_000_000_000)
    let sign = seconds == 0 && attoseconds < 0 ? "-" : ""
    return "\(sign)\(seconds).\(String(repeating: "0", count: 3 - milliseconds.count))\(milliseconds)"
  }
}
