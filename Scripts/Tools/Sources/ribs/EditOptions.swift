// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Generation
import SourceModel
import SourceTree

/// Options of all commands that change files.
struct EditOptions: ParsableArguments {
  @Flag(help: "Print the changes as a unified diff without writing them.")
  var dryRun = false

  @OptionGroup var package: PackageOptions

  @Option(
    help: ArgumentHelp(
      "The maximum number of files and folders to search outside of packages, projects and repositories; 0 for no limit.",
      valueName: "number"))
  var limit = 20_000

  /// The current package. Completes an interrupted edit first.
  func workspace() throws -> Workspace {
    let root = try package.root()
    if dryRun && Transaction.isInterrupted(in: root) {
      throw Failure.interrupted("an edit was interrupted, and a dry run does not complete it")
    }
    if try Transaction.finish(in: root) { note("an edit that was interrupted has been completed") }
    let limit = limit > 0 && !SourceScan.isInProject(root.path, in: Folder.current) ? limit : nil
    do {
      return try Workspace(root: root, limit: limit)
    } catch {
      throw Failure.usage(
        "'\(root.path)' has more than \(error.limit) files and folders, and is in no package, project or repository; "
          + "name the folder to edit with --package-path, or set --limit")
    }
  }

  /// Writes all changes of a workspace, or prints them as a diff.
  ///
  /// - Parameter isGenerated: whether the code was written for this package, so that its layout is that of the package.
  func finish(_ workspace: Workspace, notes: [String] = [], isGenerated: Bool = true) throws {
    let plan = try workspace.plan()
    if dryRun {
      print(plan.diff, terminator: "")
    } else {
      try Finisher.carryOut(plan, with: try EditOptions.tool())
      plan.summary.forEach(say)
    }
    let longLines = isGenerated ? plan.longLines(LayoutStyle(near: workspace.root)) : []
    let notes = notes + longLines + plan.projectNotes
    notes.forEach(note)
  }

  func say(_ line: String) { package.output.say(line) }

  func note(_ line: String) { package.output.note(line) }

  /// The URL of this executable.
  private static func tool() throws -> URL {
    guard let url = Bundle.main.executableURL else { throw Failure.refused("the tool does not know where it is") }
    return url
  }
}
