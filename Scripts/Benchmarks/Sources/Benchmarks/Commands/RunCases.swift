// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Counting
import Foundation

struct RunCases: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Measure all cases, or some, and print a table.",
    discussion: """
      Exit status: 0 if it was measured, whatever came of it; 1 if a case could not be measured, and with --strict if a \
      target was missed. The column "others" says how many cores other programs kept busy during a case. With more than \
      a tenth of a core, which the table marks, the case is measured once more, and the less disturbed measurement \
      counts.
      """)

  @Argument(help: ArgumentHelp("What to measure; all of it if none is named. --list names them.", valueName: "case"))
  var cases: [Case] = []

  @Option(help: ArgumentHelp("Write the measurements there, as a JSON array.", valueName: "file"))
  var json: String?

  @Option(
    help: ArgumentHelp(
      "Say what has changed since the run that --json wrote there, and what is noise.", valueName: "file"))
  var compare: String?

  @Flag(help: "Print the table as Markdown.")
  var markdown = false

  @Flag(help: "Fail if a target is missed.")
  var strict = false

  @Flag(help: "Name the cases, and measure nothing.")
  var list = false

  func run() async throws {
    if list {
      for benchmark in Case.allCases { print(benchmark.rawValue) }
      return
    }
    #if DEBUG
      throw ValidationError("This is a debug build, which says nothing about speed. Scripts/bench builds for release.")
    #else
      try await measure()
    #endif
  }

  private func measure() async throws {
    let start = ContinuousClock.now
    // Read first: a name that is wrong shows at once.
    let saved = try compare.map { try SavedRun(from: URL(fileURLWithPath: $0)) }
    var measurements: [Measurement] = []
    var failures: [String] = []
    var durations: [(case: Case, seconds: Int)] = []
    for benchmark in cases.isEmpty ? Case.allCases : cases {
      note("\(benchmark.rawValue) …")
      let begin = ContinuousClock.now
      defer { durations.append((benchmark, seconds(since: begin))) }
      do {
        measurements += try await RunCases.rows(of: benchmark)
      } catch {
        failures.append("\(benchmark.rawValue) could not be measured: \(error)")
        note(failures[failures.count - 1])
      }
    }
    print(Table(measurements: measurements, style: markdown ? .markdown : .text))
    if let saved {
      print()
      for line in saved.changes(to: measurements, isWhole: cases.isEmpty && failures.isEmpty) { print(line) }
    }
    // Standard output may be buffered, and what follows goes to standard error: both may be the same file.
    fflush(nil)
    if let json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try encoder.encode(measurements).write(to: URL(fileURLWithPath: json))
    }
    let missed = measurements.filter { $0.met == false }
    if !missed.isEmpty { note("missed: \(missed.map(\.name).joined(separator: "; "))") }
    for failure in failures { note(failure) }
    let longest = durations.sorted { $0.seconds > $1.seconds }.prefix(5).map { "\($0.case.rawValue) \($0.seconds) s" }
    note("measured in \(seconds(since: start)) s: \(longest.joined(separator: ", "))")
    if !failures.isEmpty || strict && !missed.isEmpty { throw ExitCode(1) }
  }

  private func seconds(since start: ContinuousClock.Instant) -> Int {
    Int(((.now - start).nanoseconds / 1e9).rounded())
  }

  /// Measures a case, and once more if other programs disturbed it.
  private static func rows(of benchmark: Case) async throws -> [Measurement] {
    let first = try await MeasuredCase { try await benchmark.run() }
    guard first.isDisturbed else { return first.rows }
    let percent = Int(((first.others ?? 0) * 100).rounded())
    note("\(benchmark.rawValue) again: other programs kept \(percent) % of a core busy")
    // The rows that there are count, even if the repetition fails.
    guard let second = try? await MeasuredCase({ try await benchmark.run() }) else { return first.rows }
    return first.combined(with: second)
  }
}
