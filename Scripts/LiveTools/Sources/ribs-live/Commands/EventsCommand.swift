// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import RIBsInspector

/// `ribs events`.
struct EventsCommand: AsyncParsableCommand {
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, ndjson
  }

  static let configuration = CommandConfiguration(
    commandName: "events",
    abstract: "Print the events in the trees of a running process.",
    discussion: """
      Prints a line for each event: the seconds since the launch of the tree, the path of the RIB and the event, preceded \
      by the number of the tree if there may be several. Continues until the tree or the process has ended, or until \
      --count events have been printed.

      The process never waits for its clients. A client that reads too slowly loses the oldest events, prints their \
      number, and stays connected. Events are recorded while a client is connected, or from the start if the program \
      sets recordsFromStart; --replay begins with the last 1,000 of those.

      Examples:
        ribs events
        ribs events 4711 --tree user-17 --replay
        ribs events taxi | grep taskFailed
        ribs events --format ndjson | jq -r 'select(.kind == "leaked").message'

      With ndjson, each line is an object. For lost events, it has only the key "lost" with their number.
      """)

  @OptionGroup var choice: ProcessChoice

  @Option(
    help: ArgumentHelp("The tree, by the number or the name that 'ribs ps' shows. (default: all)", valueName: "tree"),
    completion: .custom { words, _, _ in await Completions.trees(words) })
  var tree: TreeName?

  @Flag(help: "Begin with the recorded events.")
  var replay = false

  @Option(help: ArgumentHelp("Stop after this number of events.", valueName: "number"))
  var count: Int?

  @Option(help: "The output format.")
  var format = Format.text

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count is at least 1.") }
  }

  func run() async throws {
    let process = try await choice.found()
    var left = count ?? .max
    let client = choice.live.client(of: process)
    let following = Following(client: client, tree: try await id(in: process, client), replay: replay)
    try await following.run { element in
      try StandardOutput.write(line(element) + "\n")
      if element.event != nil { left -= 1 }
      return left > 0
    }
  }

  /// The number of the tree to follow; nil for all.
  private func id(in process: InspectedProcess, _ client: InspectorClient) async throws -> InspectedTree.ID? {
    guard let tree else { return nil }
    var choice = TreeChoice()
    choice.tree = tree
    let trees = try await answer { () throws(InspectorError) in try await client.trees() }
    return try choice.foundOne(in: trees, of: process).id
  }

  private func line(_ element: InspectedEvents.Element) -> String {
    switch (format, element) {
    case (.text, .event(let event)): colored(tree == nil ? "\(event.tree) \(event)" : "\(event)", event.kind)
    case (.text, .lost(let count)): Colors.standard(.yellow, "(\(count) lost)")
    case (.ndjson, .event(let event)): EventsCommand.json(event)
    case (.ndjson, .lost(let count)): EventsCommand.json(["lost": count])
    }
  }

  private func colored(_ line: String, _ kind: String) -> String {
    switch kind {
    case "taskFailed", "workflowStepFailed", "failed", "restartsExhausted": Colors.standard(.red, line)
    case "misuse", "leaked", "restarted": Colors.standard(.yellow, line)
    default: line
    }
  }

  private static func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Strings and integers, which always encode to JSON.
    return String(decoding: (try? encoder.encode(value)) ?? Data(), as: UTF8.self)
  }
}
