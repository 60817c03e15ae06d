import ArgumentParser
import Foundation
import TaxiOrder

/// What is measured in a process of its own that has some of the cores.
enum Throughput: String, CaseIterable, ExpressibleByArgument {
  case hosts, orders

  /// So many a second, and how many without trees.
  struct Rates {
    let value: Double
    let baseline: Double
  }

  /// Measures on all cores that this process may use.
  func measured() async throws -> Rates {
    switch self {
    case .hosts:
      let answering = try await answeringOfHosts()
      return Rates(value: 1e9 / answering.value, baseline: 1e9 / answering.baseline)
    case .orders:
      let comparison = try await ThroughputComparison(orders: 2_000, concurrency: 16)
      return Rates(value: comparison.trees, baseline: comparison.bareTasks)
    }
  }

  /// Measures in another process, on the first so many cores (Linux: `taskset` is part of util-linux).
  func measured(onCores cores: Int) async throws -> Rates {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "taskset", "--cpu-list", "0-\(cores - 1)", CommandLine.arguments[0], "throughput", rawValue,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard process.terminationStatus == 0, numbers.count == 2 else {
      throw ValidationError("Measuring \(rawValue) on \(cores) cores failed; it needs taskset, and as many cores.")
    }
    return Rates(value: numbers[0], baseline: numbers[1])
  }
}
