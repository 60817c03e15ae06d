// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Counting
import Foundation
import Workloads

extension CountedOperation: ExpressibleByArgument {}

@main
struct CheckBudgets: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench budgets",
    abstract: "Count instructions and allocations, and compare them with what is checked in.",
    discussion: """
      Needs valgrind. Exit status: 0 if everything stays within its budget; 1 if something does not; 66 if there is no \
      such file. --update accepts what is counted, for a change that is meant to cost more, or that costs less.
      """)

  @Argument(help: ArgumentHelp("What to count; all of it if none is named.", valueName: "operation"))
  var operations: [CountedOperation] = []

  @Option(help: ArgumentHelp("Where the budgets are.", valueName: "file"))
  var file: String

  @Option(help: ArgumentHelp("What this was built with.", valueName: "name"))
  var toolchain: String

  @Option(help: ArgumentHelp("What repeats the operations.", valueName: "program"))
  var probe: String

  @Flag(help: "Write what is counted into the file.")
  var update = false

  func run() async throws {
    let url = URL(fileURLWithPath: file)
    guard update || FileManager.default.fileExists(atPath: file) else {
      note("There is no file \(file). Scripts/bench budgets --update writes it.")
      throw ExitCode(66)
    }
    let budgets = (try? Budgets(from: url)) ?? Budgets(toolchain: toolchain, costs: [:])
    guard update || budgets.toolchain == toolchain else {
      print("skipped: the budgets hold for \(budgets.toolchain), and this is \(toolchain)")
      return
    }
    var costs = budgets.toolchain == toolchain ? budgets.costs : [:]
    var excesses: [String] = []
    for operation in operations.isEmpty ? CountedOperation.allCases : operations {
      let name = operation.rawValue
      let cost = try await Cost(of: operation, probe: probe, notAbove: costs[name])
      var line = "\(name): \(cost.instructions) instructions, \(cost.allocations) allocations"
      if let budget = costs[name] {
        if let excess = cost.excess(over: budget, of: operation) {
          excesses.append("\(name) takes \(excess)")
          line += ", too many"
        } else if cost.isWell(below: budget, of: operation) {
          line += ", well below the budget of \(budget.instructions) and \(budget.allocations)"
        }
      } else if !update {
        excesses.append("\(name) has no budget")
      }
      print(line)
      fflush(nil)  // otherwise a pipe prints the lines only when all operations are counted
      costs[name] = cost
    }
    if update {
      try Budgets(toolchain: toolchain, costs: costs).write(to: url)
    } else if !excesses.isEmpty {
      note(
        excesses.joined(separator: "\n")
          + "\nIf this is meant, Scripts/bench budgets --update accepts it; say in the commit why.")
      throw ExitCode(1)
    }
  }
}
