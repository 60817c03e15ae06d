internal import Foundation

/// What a command writes to.
public struct Terminal: Sendable {
  /// Writes to standard output.
  public var out: @Sendable (String) -> Void
  /// Writes to standard error.
  public var error: @Sendable (String) -> Void
  /// Whether what goes to standard output may be coloured.
  public var usesColour: Bool
  /// Whether standard error is a terminal, which shows progress.
  public var showsProgress: Bool

  /// Creates a terminal.
  public init(
    out: @escaping @Sendable (String) -> Void, error: @escaping @Sendable (String) -> Void, usesColour: Bool = false,
    showsProgress: Bool = false
  ) {
    self.out = out
    self.error = error
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
    return Terminal(
      out: { write($0, to: STDOUT_FILENO) }, error: { write($0, to: STDERR_FILENO) },
      usesColour: isatty(STDOUT_FILENO) == 1 && !refusesColour, showsProgress: isatty(STDERR_FILENO) == 1)
  }

  /// Writes all of a text. Whoever reads it may have gone, which is no concern of the writer.
  private static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
        if count < 0 && errno != EINTR { return }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(0, count)))
      }
    }
  }
}
