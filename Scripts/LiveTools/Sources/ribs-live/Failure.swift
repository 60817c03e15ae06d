// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// An error of a command, and the exit status of the process.
enum Failure: Error, Hashable {
  /// The command line is invalid, or ambiguous.
  case usage(String)
  /// A file is not what the command reads.
  case malformed(String)
  /// A named item does not exist.
  case missing(String)
  /// The command could not be executed safely.
  case refused(String)
  /// The output can't be written.
  case output(String)

  /// The exit status of the process, from `sysexits`.
  var status: Int32 {
    switch self {
    case .usage: 64
    case .malformed: 65
    case .missing: 66
    case .refused: 73
    case .output: 74
    }
  }

  /// The message for the user.
  var message: String {
    switch self {
    case .usage(let message), .malformed(let message), .missing(let message), .refused(let message),
      .output(let message):
      message
    }
  }
}
