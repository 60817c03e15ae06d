// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The output of a command.
struct Terminal: Sendable {
  /// Writes to standard output.
  var out: @Sendable (String) -> Void
  /// Writes to standard error.
  var error: @Sendable (String) -> Void
  /// Why writing to standard output failed; nil if it did not.
  var outputFailure: @Sendable () -> String?
  /// From now on, discards output that a stopped terminal does not accept.
  var abandonStalledOutput: @Sendable () -> Void
  /// Whether standard output may be colored.
  var usesColor: Bool
  /// Whether standard error is a terminal, to show progress on.
  var showsProgress: Bool
  /// Standard output as a full screen, if it is a suitable terminal.
  var screen: TerminalScreen?

  /// Creates a terminal.
  init(
    out: @escaping @Sendable (String) -> Void, error: @escaping @Sendable (String) -> Void,
    outputFailure: @escaping @Sendable () -> String? = { nil },
    abandonStalledOutput: @escaping @Sendable () -> Void = {}, usesColor: Bool = false, showsProgress: Bool = false,
    screen: TerminalScreen? = nil
  ) {
    self.out = out
    self.error = error
    self.outputFailure = outputFailure
    self.abandonStalledOutput = abandonStalledOutput
    self.usesColor = usesColor
    self.showsProgress = showsProgress
    self.screen = screen
  }

  /// The standard streams of this process. Closed ones are opened to the null device first.
  ///
  /// Color is used on a terminal unless the environment variable `NO_COLOR` is set and not empty.
  ///
  /// - Parameter environment: the environment variables of the process.
  static func standard(environment: [String: String]) -> Terminal {
    StandardStream.openMissing()
    let refusesColor = environment["NO_COLOR"].map { !$0.isEmpty } ?? false || environment["TERM"] == "dumb"
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let output = StandardStream(STDOUT_FILENO)
    let errors = StandardStream(STDERR_FILENO)
    return Terminal(
      out: output.write, error: errors.write, outputFailure: { output.failure },
      abandonStalledOutput: {
        output.abandonStalledOutput()
        errors.abandonStalledOutput()
      },
      usesColor: isTerminal && !refusesColor, showsProgress: isatty(STDERR_FILENO) == 1,
      screen: isTerminal && environment["TERM"] != "dumb" ? TerminalScreen(STDOUT_FILENO, write: output.write) : nil)
  }
}
