// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Generation

/// Options of the commands that resolve an interrupted edit.
struct RecoveryOptions: ParsableArguments {
  @Flag(help: "Keep files that have changed since, instead of refusing.")
  var keepChanged = false

  @OptionGroup var package: PackageOptions

  /// Resolves an interrupted edit and prints the result.
  ///
  /// - Parameter end: receives the package and whether to keep changed files; returns whether there was an edit.
  func run(_ result: String, _ end: (URL, Bool) throws -> Bool) throws {
    let wasInterrupted = try end(try package.root(), keepChanged)
    let kept = keepChanged ? ", except for those that were changed since" : ""
    package.output.say(wasInterrupted ? result + kept : "no edit was interrupted")
  }
}

/// `ribs undo`.
struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Undo an interrupted edit.",
    discussion: """
      An edit that is killed, or that fails and can't be undone immediately, leaves the folder \(Transaction.folderName) \
      with a journal of all files. This command restores every file as it was before the edit. It can be interrupted and \
      run again. 'ribs finish' completes the edit instead. Completed edits can't be undone.
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
    abstract: "Complete an interrupted edit.",
    discussion: """
      Completes the edit described by the journal in \(Transaction.folderName). Every command that edits files does this \
      first. It can be interrupted and run again. 'ribs undo' restores every file instead.
      """)

  @OptionGroup var options: RecoveryOptions

  func run() throws {
    try options.run("completed: every file is as the edit leaves it") {
      try Transaction.finish(in: $0, keepsChanged: $1)
    }
  }
}
