internal import Foundation

/// What a command writes to.
public struct Terminal: Sendable {
  /// Writes to standard output.
  public var out: @Sendable (String) -> Void
  /// Writes to standard error.
  public var error: @Sendable (String) -> Void
  /// Why something could not be written to standard output; nil if all was.
  public var outputFailure: @Sendable () -> String?
  /// Whether what goes to standard output may be coloured.
  public var usesColour: Bool
  /// Whether standard error is a terminal, which shows progress.
  public var showsProgress: Bool

  /// Creates a terminal.
  public init(
    out: @escaping @Sendable (String) -> Void, error: @escaping @Sendable (String) -> Void,
    outputFailure: @escaping @Sendable () -> String? = { nil }, usesColour: Bool = false, showsProgress: Bool = false
  ) {
    self.out = out
    self.error = error
    self.outputFailure = outputFailure
    self.usesColour = usesColour
    self.showsProgress = showsProgress
  }

  /// The streams of this process.
  ///
  /// Colour is used on a terminal, unless the variable `NO_COLOR` is set to something.
  ///
  /// - Parameter environment: the variables of the process.
  public static func standard(environment: [String: String]) -> Terminal {
    let refusesColour = environment["NO_COLOR"].map { !$0.isEmpty } ?? false || environment["TERM"] == "dumb"
    let output = StandardStream(STDOUT_FILENO)
    let errors = StandardStream(STDERR_FILENO)
    return Terminal(
      out: output.write, error: errors.write, outputFailure: { output.failure },
      usesColour: isatty(STDOUT_FILENO) == 1 && !refusesColour, showsProgress: isatty(STDERR_FILENO) == 1)
  }
}
