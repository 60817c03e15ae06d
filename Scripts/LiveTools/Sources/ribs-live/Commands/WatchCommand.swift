// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import RIBs
import RIBsInspector

/// `ribs watch`.
struct WatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show a tree of a running process live.",
    discussion: """
      On a terminal, redraws the tree in place after each change and at least once a second, until it ends or you press \
      Control-C. Omits lines that do not fit on the screen; --depth and --under select a part of the tree. In a pipe, \
      prints the tree after each change, separated by blank lines. A tree that does not answer is named, and watched on.

      Draws at most 30 times a second. Each time blocks the tree for less than a microsecond per RIB.

      Examples:
        ribs watch
        ribs watch taxi --tree user-17 --under LoggedIn --depth 2
        ribs watch 4711 | tee changes.txt
      """)

  @OptionGroup var choice: ProcessChoice
  @OptionGroup var part: TreeChoice

  @Flag(help: "Use only ASCII characters.")
  var ascii = false

  @Option(help: ArgumentHelp("The maximum number of redraws per second: 1 to 30.", valueName: "times"))
  var rate = 30

  func validate() throws {
    guard (1...30).contains(rate) else { throw ValidationError("--rate is 1 to 30.") }
  }

  func run() async throws {
    let process = try await choice.found()
    let client = choice.live.client(of: process)
    let trees = try await answer { () throws(InspectorError) in try await client.trees() }
    let tree = try part.foundOne(in: trees, of: process)
    let (wishes, wish) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let redrawing =
      Screen().isTerminal ? [Signals.source(SIGWINCH) { wish.yield() }, Signals.everySecond { wish.yield() }] : []
    let count = EventCount()
    let following = Task {
      defer { wish.finish() }
      try await Following(client: client, tree: tree.id).run(begun: { wish.yield() }) { element in
        await count.add(element)
        wish.yield()
        return true
      }
    }
    let title = "\(process.title), tree \(tree.id)"
    let drawing = Task {
      let screen = Screen()
      screen.open()
      defer { screen.close() }
      var isNoted = false
      for await _ in wishes {
        do {
          let snapshot = try await client.snapshot(of: tree.id)
          isNoted = false
          let counts = "RIBs: \(snapshot.nodes.count), events: \(await count.value)"
          try screen.show(Colors.standard(.bold, "\(title), \(counts)") + "\n" + drawn(snapshot))
          try await Task.sleep(for: .seconds(1) / rate)
        } catch let error as InspectorError {
          if error.kind == .refused { return }
          try await Task.sleep(for: .seconds(1))
          // A process that has ended has no tree to wait for.
          if case .terminated = wish.yield() { return }
          if screen.isTerminal {
            try screen.show(Colors.standard(.bold, title) + "\n\(error.message.oneLine)\n")
          } else if !isNoted {
            choice.live.note("\(title): \(error.message); trying again")
          }
          isNoted = true
        }
      }
    }
    // Also ends the wait for a tree that does not answer.
    let sources = [SIGINT, SIGTERM].map { Signals.source($0) { drawing.cancel() } }
    let result = await drawing.result
    following.cancel()
    withExtendedLifetime((sources, redrawing)) {}
    if drawing.isCancelled { return }
    try result.get()
    if case .failure(let error as Failure) = await following.result { throw error }
    if await isOver(tree, client) { choice.live.note("tree \(tree.id) of \(process.title) has ended") }
  }

  private func isOver(_ tree: InspectedTree, _ client: InspectorClient) async -> Bool {
    guard let trees = try? await client.trees() else { return true }
    return !trees.contains { $0.id == tree.id }
  }

  private func drawn(_ snapshot: TreeSnapshot) -> String {
    guard let shown = snapshot.part(part.under) else { return "There is no RIB '\(part.under ?? "")' now.\n" }
    return shown.text(.standard(ascii: ascii), depth: part.depth)
  }
}

/// The number of events received, including lost ones.
private actor EventCount {
  private(set) var value = 0

  func add(_ element: InspectedEvents.Element) {
    switch element {
    case .event: value += 1
    case .lost(let count): value += count
    }
  }
}
