import ArgumentParser
import Foundation
import Generation
import RIBsInspector

/// `ribs events`.
struct EventsCommand: AsyncParsableCommand {
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, ndjson
  }

  static let configuration = CommandConfiguration(
    commandName: "events",
    abstract: "Follow what happens in the trees of a running process.",
    discussion: """
      A line for each event, as it comes: the seconds since the tree was launched, the path of the RIB and what happened \
      to it, with the number of the tree in front when several may be meant. It goes on until the tree or the process has \
      ended, or --count events have come.

      The process never waits. A client that reads too slowly loses the oldest events, prints their number, and stays \
      connected. Events are recorded while a client follows, or from the start if the program sets recordsFromStart; \
      --replay begins with the last 1,000 of those.

      Examples:
        ribs events
        ribs events 4711 --tree 3 --replay
        ribs events taxi | grep taskFailed
        ribs events --format ndjson | jq -r 'select(.kind == "leaked").message'

      With ndjson, each line is an object; lost events are one with nothing but "lost" and their number.
      """)

  @OptionGroup var choice: ProcessChoice

  @Option(help: ArgumentHelp("The tree, by the number that 'ribs ps' shows. (default: all)", valueName: "number"))
  var tree: Int?

  @Flag(help: "Begin with those events that happened before and are still known.")
  var replay = false

  @Option(help: ArgumentHelp("Stop after so many events.", valueName: "number"))
  var count: Int?

  @Option(help: "What to write them as.")
  var format = Format.text

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count is at least 1.") }
  }

  func run() async throws {
    let process = try await choice.found()
    var left = count ?? .max
    let following = Following(client: choice.live.client(of: process), tree: tree, replay: replay)
    try await following.run { element in
      try StandardOutput.write(line(element) + "\n")
      if element.event != nil { left -= 1 }
      return left > 0
    }
  }

  private func line(_ element: InspectedEvents.Element) -> String {
    switch (format, element) {
    case (.text, .event(let event)): tree == nil ? "\(event.tree) \(event)" : "\(event)"
    case (.text, .lost(let count)): "(\(count) lost)"
    case (.ndjson, .event(let event)): EventsCommand.json(event)
    case (.ndjson, .lost(let count)): EventsCommand.json(["lost": count])
    }
  }

  private static func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Strings and integers, which always encode to JSON.
    return String(decoding: (try? encoder.encode(value)) ?? Data(), as: UTF8.self)
  }
}
