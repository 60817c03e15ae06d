// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Executes a plan in a separate process, so that killing the tool, or everything in its terminal, does not interrupt
/// it. A plan that is not received completely has no effect.
public enum Finisher {
  /// The argument that makes the tool a finisher.
  public static let argument = "finish-plan"

  /// Passes a plan to a finisher process, and waits for its completion.
  ///
  /// - Parameter tool: the program that calls `run()` when it is started with `argument`.
  /// - Throws: the failure that the finisher reports.
  public static func carryOut(_ plan: Plan, with tool: URL) throws {
    if plan.changes.isEmpty { return }
    let process = Process()
    let input = Pipe()
    let output = Pipe()
    process.executableURL = tool
    process.arguments = [argument]
    process.standardInput = input
    process.standardOutput = output
    process.currentDirectoryURL = plan.root
    signal(SIGPIPE, SIG_IGN)
    try process.run()
    try? input.fileHandleForWriting.write(contentsOf: try JSONEncoder().encode(plan))
    try? input.fileHandleForWriting.close()
    let answer = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard let reply = try? JSONDecoder().decode(Reply.self, from: answer) else {
      // The finisher was killed: before it wrote the journal, during the edit, or before it could reply.
      if try Transaction.finish(in: plan.root) { return }
      return try Transaction.expectCarriedOut(plan, or: "the process that writes the files was killed")
    }
    if let failure = reply.failure { throw failure }
  }

  /// Runs as the finisher: reads a plan from standard input, executes it, and writes the outcome to standard output.
  public static func run() {
    setsid()
    signal(SIGHUP, SIG_IGN)
    signal(SIGINT, SIG_IGN)
    signal(SIGTERM, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    let input = FileHandle.standardInput.readDataToEndOfFile()
    guard let plan = try? JSONDecoder().decode(Plan.self, from: input) else { return }
    var reply = Reply()
    do {
      try Transaction.carryOut(plan)
    } catch let failure as Failure {
      reply.failure = failure
    } catch {
      // A transaction throws only failures; any other error occurs before it begins.
      reply.failure = .refused("\(error)")
    }
    if let data = try? JSONEncoder().encode(reply) { try? FileHandle.standardOutput.write(contentsOf: data) }
  }

  private struct Reply: Codable {
    var failure: Failure?
  }
}
