/// Why a command did not do what it was asked to, and what to do about it.
public enum Failure: Error, Codable, Hashable, Sendable {
  /// The command line means nothing.
  case usage(String)
  /// Something that was named is not there.
  case missing(String)
  /// It could not be done safely; nothing was changed.
  ///
  /// - Parameter advice: what to do instead, such as the lines to write by hand; empty for none.
  case refused(String, advice: [String])

  /// The exit status of the process, one of `sysexits`.
  public var status: Int32 {
    switch self {
    case .usage: 64
    case .missing: 66
    case .refused: 73
    }
  }

  /// What to tell the user.
  public var message: String {
    switch self {
    case .usage(let message), .missing(let message): message
    case .refused(let message, let advice):
      ([message] + advice.map { $0.isEmpty ? "" : "  " + $0 }).joined(separator: "\n")
        + "\nNothing was changed."
    }
  }

  /// Refuses without advice.
  public static func refused(_ message: String) -> Failure { .refused(message, advice: []) }
}
