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
  /// It failed after files had been changed, and every file is as it was before.
  case undone(String)
  /// It failed, and some files are as before and some as after. Everything that `ribs undo` and `ribs finish` need is in
  /// the journal.
  case interrupted(String)

  /// The exit status of the process, one of `sysexits`.
  public var status: Int32 {
    switch self {
    case .usage: 64
    case .missing: 66
    case .refused, .undone: 73
    case .interrupted: 74
    }
  }

  /// What to tell the user.
  public var message: String {
    switch self {
    case .usage(let message), .missing(let message): message
    case .refused(let message, let advice): Failure.text(message, advice) + "\nNothing was changed."
    case .undone(let message): message + "\nThe edit was undone: every file is as it was."
    case .interrupted(let message):
      Failure.text(
        message,
        [
          "'ribs undo' restores every file as it was before the edit;", "'ribs finish' completes the edit.",
          "Both need the folder \(Transaction.folderName), which holds the contents of the files.",
        ])
    }
  }

  private static func text(_ message: String, _ advice: [String]) -> String {
    ([message] + advice.map { $0.isEmpty ? "" : "  " + $0 }).joined(separator: "\n")
  }

  /// Refuses without advice.
  public static func refused(_ message: String) -> Failure { .refused(message, advice: []) }
}
