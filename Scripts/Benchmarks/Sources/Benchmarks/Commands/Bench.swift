// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

@main
struct Bench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Says what the runtime costs, and keeps it so.",
    discussion: """
      Times differ between machines and from one minute to the next, so each is printed beside that of the same work done \
      by hand in the same run. Counts of instructions and allocations don't: Scripts/bench budgets compares them with what \
      is checked in.
      """,
    subcommands: [RunCases.self, MeasureApart.self],
    defaultSubcommand: RunCases.self)
}
