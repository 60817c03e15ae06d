// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import RIBs
import RIBsInspector

/// `ribs replay`.
struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Show a recorded tree as it was.",
    discussion: """
      A program records its trees if its inspector is started with a recording; 'ribs record' records those of any \
      program with an inspector:

        Inspector.start(recording: .file("orders.ribs", upTo: 64 * 1024 * 1024))

      Plays the tree in place on a terminal, as 'ribs watch' shows it, at its own speed or --speed times as fast, until \
      the end or Control-C. In a pipe, prints the tree after each event, separated by blank lines, without pauses unless \
      --speed is given. Nothing is executed: the recording has what happened, and the trees at some times.

      --at prints the tree at one moment and ends. With --step, Space or an arrow key goes to the next event, b or the \
      other arrow key to the one before, g and G to the first and the last, and q ends; --at is where it begins.

      A moment is a time in seconds since the launch of the tree, as events print it: 12.345, after all events of this \
      millisecond. Or it is an event by its number, as it is printed above the tree: event:17. Several events may have \
      the same time.

      Examples:
        ribs replay orders.ribs --tree order-17 --at 12.345
        ribs replay orders.ribs --tree 3 --step
        ribs replay orders.ribs --tree 3 --at event:17
        ribs replay orders.ribs --tree 3 --at 60 --speed 10
        ribs replay orders.ribs --tree 3 --under LoggedIn | less

      Exit status: 0 success; 64 the tree is ambiguous; 65 the file is not a recording; 66 no such file, tree or RIB, or \
      the tree is not recorded at this time.
      """)

  @Argument(help: "The recording.", completion: .file(extensions: ["ribs"]))
  var file: String

  @OptionGroup var part: TreeChoice

  @Option(help: ArgumentHelp("Show the tree at this time or event, or begin there.", valueName: "moment"))
  var at: Moment?

  @Flag(help: "Go from event to event by keys.")
  var step = false

  @Option(help: ArgumentHelp("How many times as fast as it happened.", valueName: "times"))
  var speed: Double?

  @Flag(help: "Use only ASCII characters.")
  var ascii = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if let speed, !(0.001...1_000_000).contains(speed) {
      throw ValidationError("--speed is 0.001 to 1000000 times.")
    }
    if step && speed != nil { throw ValidationError("--step waits for keys, so --speed does not go with it.") }
  }

  func run() async throws {
    let file = try RecordingFile(file, output)
    let tree = try part.foundOne(in: file.recording.trees, of: file.title)
    if let at, !step, speed == nil { return try StandardOutput.write(try picture(of: tree, in: file, at: at)) }
    let player = Player(file: file, tree: tree, steps: Player.steps(of: tree, try file.events(of: tree)), replay: self)
    let start = try at.map(player.index)
    if step { try await player.step(from: start ?? 0) } else { try await player.play(from: start ?? 0, at: at) }
  }

  /// The tree at a moment. Reads only the part of the file around it, because the tree may have millions of events.
  func picture(of tree: RecordedTree, in file: RecordingFile, at moment: Moment) throws -> String {
    let snapshot = try file.snapshot(of: tree, at: moment)
    guard snapshot.part(part.under) != nil else {
      throw Failure.missing("there is no RIB '\(part.under ?? "")' in tree \(tree.id) \(moment.phrase)")
    }
    func beforeAll() throws -> Int { try file.event(of: tree, at: 0).map { $0.number - 1 } ?? 0 }
    let last = try file.event(of: tree, at: tree.events - 1)?.number ?? beforeAll()
    let number: Int
    let time: Duration
    switch moment {
    case .time(let exact):
      let count = try file.eventCount(of: tree, upTo: exact)
      number = try file.event(of: tree, at: count - 1)?.number ?? beforeAll()
      time = exact
    case .event(let event):
      number = event
      time = try file.time(of: tree, after: event) ?? tree.time.lowerBound
    }
    return ReplayCommand.title(file, tree, at: time, RIBs: snapshot.nodes.count, event: number, of: last)
      + drawn(snapshot)
  }

  /// The line above a tree.
  fileprivate static func title(
    _ file: RecordingFile, _ tree: RecordedTree, at time: Duration, RIBs count: Int, event: Int, of last: Int
  ) -> String {
    let place = "\(file.title), tree \(tree.id) \(tree.name.oneLine)"
    return Colors.standard(.bold, "\(place), \(time.secondsText) s, RIBs: \(count), event \(event) of \(last)") + "\n"
  }

  /// The recorded tree as text.
  fileprivate func drawn(_ snapshot: TreeSnapshot) -> String {
    guard let shown = snapshot.part(part.under) else { return "There is no RIB '\(part.under ?? "")' now.\n" }
    return shown.text(.standard(ascii: ascii), depth: part.depth)
  }
}

/// Shows a recorded tree, one event after another.
private struct Player {
  /// The tree after an event.
  struct Step {
    let time: Duration
    /// The event; nil for the beginning of the recording.
    let event: InspectedEvent?
    /// The number of the event, or the one before the first event.
    let number: Int
  }

  /// The maximum number of events shown above the tree.
  private static let mostEvents = 8

  let file: RecordingFile
  let tree: RecordedTree
  let steps: [Step]
  let replay: ReplayCommand

  static func steps(of tree: RecordedTree, _ events: [InspectedEvent]) -> [Step] {
    let first = events.first.map { $0.number - 1 } ?? 0
    return [Step(time: tree.time.lowerBound, event: nil, number: first)]
      + events.map { Step(time: $0.time, event: $0, number: $0.number) }
  }

  /// The index of the last step that is not later than a time.
  private func index(at time: Duration) -> Int { max(0, steps.firstAfter { $0.time <= time } - 1) }

  /// The index of the step of a moment.
  func index(at moment: Moment) throws -> Int {
    guard case .event(let number) = moment else {
      if case .time(let time) = moment { return index(at: time) }
      return 0
    }
    let index = steps.firstAfter { $0.number < number }
    guard index < steps.count, steps[index].number == number else {
      throw Failure.missing(
        "tree \(tree.id) (\(tree.name)) is not recorded at event \(number): it has events "
          + "\(steps[0].number + 1) to \(steps[steps.count - 1].number)")
    }
    return index
  }

  /// Draws the tree after a step, below the events since the step that was drawn last.
  private func picture(_ number: Int, after last: Int? = nil) throws -> String {
    let step = steps[number]
    let moment = steps.count == 1 ? Moment.time(step.time) : .event(step.number)
    return picture(number, after: last ?? number - 1, try file.snapshotIfThere(of: tree, at: moment))
  }

  private func picture(_ number: Int, after last: Int, _ snapshot: TreeSnapshot?) -> String {
    let events = steps[min(last + 1, number)...number].compactMap(\.event)
    var lines = events.suffix(Player.mostEvents).map { "  \($0.description)\n" }.joined()
    if events.count > Player.mostEvents { lines = "  (\(events.count - Player.mostEvents) more)\n" + lines }
    let count = snapshot?.nodes.count ?? 0
    let tree = snapshot.flatMap { $0.nodes.isEmpty ? nil : replay.drawn($0) }
    return title(number, at: steps[number].time, count) + Colors.standard(.dim, lines)
      + (tree ?? (number == 0 ? "The tree has no RIBs yet.\n" : "The tree has ended.\n"))
  }

  private func title(_ number: Int, at time: Duration, _ count: Int) -> String {
    ReplayCommand.title(
      file, tree, at: time, RIBs: count, event: steps[number].number, of: steps[steps.count - 1].number)
  }

  // MARK: Playing

  func play(from start: Int, at moment: Moment?) async throws {
    let screen = Screen()
    // A time may lie between two events.
    var first = steps[start].time
    if case .time(let time)? = moment { first = max(first, time) }
    // A pipe gets everything at once, unless a speed is given.
    guard let speed = replay.speed ?? (screen.isTerminal ? 1 : nil) else {
      try screen.show(try picture(start))
      var number = start
      try file.forEachEvent(of: tree, after: steps[start].number) { _, snapshot in
        number += 1
        guard number < steps.count else { return }
        try screen.show(picture(number, after: number - 1, snapshot))
      }
      return
    }
    let (stream, wake) = AsyncStream.makeStream(of: Void.self)
    let sources = [SIGINT, SIGTERM].map { Signals.source($0) { wake.finish() } }
    screen.open()
    defer {
      screen.close()
      withExtendedLifetime(sources) {}
    }
    var wakes = stream.makeAsyncIterator()
    let clock = ContinuousClock.now
    var number = start
    var last: Int?
    while true {
      try screen.show(try picture(number, after: last))
      last = number
      guard number + 1 < steps.count else { return }
      number += 1
      let due = clock + (steps[number].time - first) / speed
      // Several events in a thirtieth of a second are one picture on a terminal.
      let time = screen.isTerminal ? max(due, .now + .seconds(1) / 30) : due
      let timer = Task {
        try await Task.sleep(until: time, clock: .continuous)
        wake.yield()
      }
      guard await wakes.next() != nil else {
        timer.cancel()
        return
      }
      if screen.isTerminal { number = max(number, index(at: first + (ContinuousClock.now - clock) * speed)) }
    }
  }

  func step(from start: Int) async throws {
    let screen = Screen()
    let keyboard = Keyboard()
    var number = start
    let (keys, key) = AsyncStream.makeStream(of: Keyboard.Key.self)
    let sources = [SIGINT, SIGTERM].map { Signals.source($0) { key.finish() } }
    let reading = Task {
      for await pressed in keyboard.keys() { key.yield(pressed) }
      key.finish()
    }
    screen.open()
    let result: Result<Void, any Error>
    do {
      try screen.show(try picture(number))
      for await pressed in keys {
        switch pressed {
        case .next: number = min(number + 1, steps.count - 1)
        case .back: number = max(number - 1, 0)
        case .first: number = 0
        case .last: number = steps.count - 1
        case .quit: key.finish()
        }
        try screen.show(try picture(number))
      }
      result = .success(())
    } catch {
      result = .failure(error)
    }
    reading.cancel()
    keyboard.close()
    screen.close()
    withExtendedLifetime(sources) {}
    try result.get()
  }
}

extension [Player.Step] {
  /// The index of the first element that does not fulfill a condition, which those before it do.
  fileprivate func firstAfter(_ condition: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
