internal import Foundation

/// What a command writes to.
public struct Terminal: Sendable {
  /// Writes to standard output.
  public var out: @Sendable (String) -> Void
  /// Writes to standard error.
  public var error: @Sendable (String) -> Void
  /// Why something could not be written to standard output; nil if all was.
  public var outputFailure: @Sendable () -> String?
  /// Gives up on output that a terminal does not take, from now on.
  public var abandonStalledOutput: @Sendable () -> Void
  /// Whether what goes to standard output may be coloured.
  public var usesColour: Bool
  /// Whether standard error is a terminal, which shows progress.
  public var showsProgress: Bool
  /// Standard output as a screen, if it is a terminal that can be one.
  public var screen: TerminalScreen?

  /// Creates a terminal.
  public init(
    out: @escaping @Sendable (String) -> Void, error: @escaping @Sendable (String) -> Void,
    outputFailure: @escaping @Sendable () -> String? = { nil },
    abandonStalledOutput: @escaping @Sendable () -> Void = {}, usesColour: Bool = false, showsProgress: Bool = false,
    screen: TerminalScreen? = nil
  ) {
    self.out = out
    self.error = error
    self.outputFailure = outputFailure
    self.abandonStalledOutput = abandonStalledOutput
    self.usesColour = usesColour
    self.showsProgress = showsProgress
    self.screen = screen
  }

  /// The streams of this process. Those that it was started without are opened first: what is written to them is discarded.
  ///
  /// Colour is used on a terminal, unless the variable `NO_COLOR` is set to something.
  ///
  /// - Parameter environment: the variables of the process.
  public static func standard(environment: [String: String]) -> Terminal {
    StandardStream.openMissing()
    let refusesColour = environment["NO_COLOR"].map { !$0.isEmpty } ?? false || environment["TERM"] == "dumb"
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let output = StandardStream(STDOUT_FILENO)
    let errors = StandardStream(STDERR_FILENO)
    return Terminal(
      out: output.write, error: errors.write, outputFailure: { output.failure },
      abandonStalledOutput: {
        output.abandonStalledOutput()
        errors.abandonStalledOutput()
      },
      usesColour: isTerminal && !refusesColour, showsProgress: isatty(STDERR_FILENO) == 1,
      screen: isTerminal && environment["TERM"] != "dumb" ? TerminalScreen(STDOUT_FILENO, write: output.write) : nil)
  }
}
