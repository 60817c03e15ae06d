import ArgumentParser
import Foundation

struct RunCases: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Measure all cases, or some, and print a table.",
    discussion: "Exit status: 0 if it was measured, whatever came of it; 1 with --strict if a target was missed.")

  @Argument(help: ArgumentHelp("What to measure; all of it if none is named. --list names them.", valueName: "case"))
  var cases: [Case] = []

  @Option(help: ArgumentHelp("Write the measurements there, as a JSON array.", valueName: "file"))
  var json: String?

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
    var measurements: [Measurement] = []
    for benchmark in cases.isEmpty ? Case.allCases : cases {
      note("\(benchmark.rawValue) …")
      measurements += try await benchmark.run()
    }
    print(Table(measurements: measurements, style: markdown ? .markdown : .text))
    if let json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try encoder.encode(measurements).write(to: URL(fileURLWithPath: json))
    }
    let missed = measurements.filter { $0.met == false }
    if !missed.isEmpty { note("missed: \(missed.map(\.name).joined(separator: "; "))") }
    if strict && !missed.isEmpty { throw ExitCode(1) }
  }
}

/// Prints progress to standard error.
func note(_ line: String) {
  FileHandle.standardError.write(Data((line + "\n").utf8))
}
