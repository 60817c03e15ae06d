// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The reason why a command failed, and what to do about it.
public enum Failure: Error, Codable, Hashable, Sendable {
  /// The command line is invalid.
  case usage(String)
  /// A file is not what the command reads.
  case malformed(String)
  /// A named item does not exist.
  case missing(String)
  /// The command could not be executed safely; nothing was changed.
  ///
  /// - Parameter advice: an alternative, such as the lines to write by hand; empty for none.
  case refused(String, advice: [String])
  /// It failed after files had been changed, and every file was restored that no other program has changed.
  case undone(String)
  /// It failed, and some files are as before and some as after. The journal holds everything that `ribs undo` and
  /// `ribs finish` need.
  case interrupted(String)
  /// It failed and left no journal, and files are in neither state, because another program has changed them.
  case unknown(String, files: [String])

  /// The exit status of the process, from `sysexits`.
  public var status: Int32 {
    switch self {
    case .usage: 64
    case .malformed: 65
    case .missing: 66
    case .refused, .undone: 73
    case .interrupted, .unknown: 74
    }
  }

  /// The message for the user.
  public var message: String {
    switch self {
    case .usage(let message), .malformed(let message), .missing(let message): message
    case .refused(let message, let advice): Failure.text(message, advice) + "\nNothing was changed."
    case .undone(let message): message + "\nThe edit was undone: nothing of it is left."
    case .unknown(let message, let files):
      Failure.text(
        message, ["The edit may have been made, and other programs have changed files. Compare these:"] + files)
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

  /// A refusal without advice.
  public static func refused(_ message: String) -> Failure { .refused(message, advice: []) }
}
