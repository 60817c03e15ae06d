import ArgumentParser
import Foundation
import Generation

/// Options of the commands that resolve an interrupted edit.
struct RecoveryOptions: ParsableArguments {
  @Flag(help: "Leave files as they are that were changed since, instead of refusing.")
  var keepChanged = false

  @Flag(name: .shortAndLong, help: "Say nothing but what went wrong.")
  var quiet = false

  @Option(
    help: ArgumentHelp("The package to work in. (default: the one around the current folder)", valueName: "dir"),
    completion: .directory)
  var packagePath: String?

  /// Resolves an interrupted edit and prints the result.
  ///
  /// - Parameter end: receives the package and whether to keep changed files; returns whether there was an edit.
  func run(_ result: String, _ end: (URL, Bool) throws -> Bool) throws {
    let wasInterrupted = try end(try Folder.package(packagePath), keepChanged)
    let kept = keepChanged ? ", except for those that were changed since" : ""
    if !quiet { print(wasInterrupted ? result + kept : "no edit was interrupted") }
  }
}

/// `ribs undo`.
struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Undo an edit that was interrupted.",
    discussion: """
      An edit that is killed, or fails and can't be undone at once, leaves the folder \(Transaction.folderName) with a \
      journal of all files. This command restores every file as it was before that edit. It may be interrupted and run \
      again; 'ribs finish' completes the edit instead. An edit that is complete is not undone.
      """)

  @OptionGroup var options: RecoveryOptions

  func run() throws {
    try options.run("undone: every file is as it was before the edit") {
      try Transaction.undo(in: $0, keepsChanged: $1)
    }
  }
}

/// `ribs finish`.
struct FinishCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "finish",
    abstract: "Complete an edit that was interrupted.",
    discussion: """
      Completes the edit that is described by the journal in \(Transaction.folderName). Every command that edits files \
      begins with this. It may be interrupted and run again; 'ribs undo' restores every file instead.
      """)

  @OptionGroup var options: RecoveryOptions

  func run() throws {
    try options.run("completed: every file is as the edit leaves it") {
      try Transaction.finish(in: $0, keepsChanged: $1)
    }
  }
}
