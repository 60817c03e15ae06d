// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import RIBsInspector

/// `ribs record`.
struct RecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record the trees of a running process.",
    discussion: """
      Writes everything that happens in the trees of a process to standard output, until Control-C or until the process \
      has ended. 'ribs replay', 'ribs dump' and 'ribs diff' show the trees at any time of it, also while it is written. \
      Press Control-C twice if nothing reads the output.

      The process never waits. If events come faster than they are recorded, some are lost, the trees continue with new \
      snapshots, and their number is printed at the end. The summaries of RIBs may contain secrets, so they are recorded \
      only with --summaries, and only as they are at some times.

      A program can record itself, from its start and in a file of limited size:

        Inspector.start(recording: .file("orders.ribs", upTo: 64 * 1024 * 1024))

      Examples:
        ribs record taxi > taxi.ribs
        ssh server sudo ./ribs-live record taxi-server > server.ribs
        ribs replay taxi.ribs --tree 1 --step

      Exit status: 0 success; 1 stopped before the process has answered; 64 the process is ambiguous, or the output is \
      a terminal; 66 no such process; 73 the directory of the sockets is not safe, or the process has an older version \
      of RIBs; 74 the output can't be written.
      """)

  @OptionGroup var choice: ProcessChoice

  @Flag(help: "Record the summaries of RIBs.")
  var summaries = false

  func run() async throws {
    guard isatty(STDOUT_FILENO) == 0 else {
      throw Failure.usage("write the recording to a file: ribs record > trees.ribs")
    }
    let process = try await choice.found()
    let client = choice.live.client(of: process)
    // A reader that has gone is an error, not the end of this process.
    signal(SIGPIPE, SIG_IGN)
    let recording = Task { [summaries] in await RecordCommand.record(client, summaries: summaries) }
    let sources = [SIGINT, SIGTERM].map { Signals.source($0) { RecordCommand.end(recording) } }
    let result = await recording.value
    withExtendedLifetime(sources) {}
    switch result {
    case .success(let count):
      let lost = count.lost == 0 ? "" : "; \(count.lost) events were lost, because they came too fast"
      choice.live.note(
        "recorded \(count.events) events of \(count.trees) \(count.trees == 1 ? "tree" : "trees") of \(process.title)\(lost)"
      )
    case .failure(let error) where error.kind == .recording: throw Failure.output(error.message)
    case .failure where recording.isCancelled:
      choice.live.note("stopped before \(process.title) has answered")
      throw ExitCode(1)
    case .failure(let error): _ = try await answer { () throws(InspectorError) in throw error }
    }
  }

  /// Ends the recording, or the process if its output still waits for a reader after the first signal.
  private static func end(_ recording: Task<some Sendable, Never>) {
    guard recording.isCancelled else { return recording.cancel() }
    LiveTool.end(.output("the end of the recording is not written, because nothing reads the output"))
  }

  private static func record(
    _ client: InspectorClient, summaries: Bool
  ) async -> Result<InspectorClient.RecordingCount, InspectorError> {
    let all: Recording.Summaries = { _, summary in summary }
    do throws(InspectorError) {
      let count = try await client.record(to: STDOUT_FILENO, summaries: summaries ? all : nil)
      return .success(count)
    } catch {
      return .failure(error)
    }
  }
}
