// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import RIBsInspector

/// The `taxi` program, independent of the process it runs in.
struct TaxiProgram: Sendable {
  /// The version that `--version` shows.
  static let version = "0.1.0"

  /// The observer of the trees of a command that neither shows nor records them. Tests set it.
  @TaskLocal static var observer: (any TreeObserver)?

  let terminal: Terminal

  /// Creates a program.
  ///
  /// - Parameter terminal: the output.
  init(terminal: Terminal) { self.terminal = terminal }

  /// The observer of the trees of a command.
  func observer(_ inspector: Inspector?) -> (any TreeObserver)? { inspector ?? TaxiProgram.observer }

  /// Runs a command. If the calling task is cancelled, the command shuts down early.
  ///
  /// - Parameter arguments: the arguments of the process, without the program's name.
  /// - Returns: the exit status.
  @MainActor
  func run(_ arguments: [String]) async -> Int32 {
    let status = await perform(arguments)
    guard let failure = terminal.outputFailure() else { return status }
    terminal.error("taxi: can't write to standard output: \(failure)\n")
    return ExitStatus.outputFailed
  }

  @MainActor
  private func perform(_ arguments: [String]) async -> Int32 {
    do {
      switch try TaxiCommand(arguments) {
      case .help(let topic): terminal.out(topic.help)
      case .version: terminal.out("taxi \(TaxiProgram.version)\n")
      case .order(let options): return await order(options)
      case .replay(let options): return await replay(options)
      case .simulate(let options): return await simulate(options)
      case .orders(let options): return orders(options)
      case .tree(let options): await tree(options)
      case .watch(let options): return await watch(options)
      case .serve(let options): return await serve(options)
      }
      return ExitStatus.success
    } catch {
      terminal.error("taxi: \(error)\nSee '\(error.topic.helpCommand)'.\n")
      return ExitStatus.usage
    }
  }
}

/// The exit statuses of the program. Those from 64 are from `sysexits`.
enum ExitStatus {
  static let success: Int32 = 0
  /// Rows were rejected, or orders could not be run.
  static let failure: Int32 = 1
  static let usage: Int32 = 64
  static let badData: Int32 = 65
  static let noInput: Int32 = 66
  /// The trees can't be shown to other processes, or a directory is in use.
  static let unavailable: Int32 = 69
  /// The output could not be written.
  static let outputFailed: Int32 = 74
}
