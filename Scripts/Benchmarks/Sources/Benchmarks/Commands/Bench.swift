import ArgumentParser

@main
struct Bench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Says what the runtime costs, and keeps it so.",
    discussion: """
      Times differ between machines and from one minute to the next, so each is told beside that of the same work done \
      by hand in the same run; counts of instructions and allocations don't, and are compared with what is checked in.
      """,
    subcommands: [RunCases.self, CheckBudgets.self, MeasureThroughput.self],
    defaultSubcommand: RunCases.self)
}

/// Measures in this process, for the process that measures on one core and on two.
struct MeasureThroughput: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "throughput", abstract: "How many a second, as trees and without.", shouldDisplay: false)

  @Argument var throughput: Throughput

  func run() async throws {
    let rates = try await throughput.measured()
    print(rates.value, rates.baseline)
  }
}
