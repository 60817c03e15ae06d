import ArgumentParser
import Foundation
import Generation
import SourceModel

/// Options of all commands that change files.
struct EditOptions: ParsableArguments {
  @Flag(help: "Print a unified diff of what would change, and write nothing.")
  var dryRun = false

  @Flag(name: .shortAndLong, help: "Say nothing but what went wrong.")
  var quiet = false

  @Option(
    help: ArgumentHelp("The package to work in. (default: the one around the current folder)", valueName: "dir"),
    completion: .directory)
  var packagePath: String?

  /// The current package. Completes an interrupted edit first.
  func workspace() throws -> Workspace {
    let root = try Folder.package(packagePath)
    if dryRun && Transaction.isInterrupted(in: root) {
      throw Failure.interrupted("an edit was interrupted, and a dry run does not complete it")
    }
    if try Transaction.finish(in: root) { note("an edit that was interrupted has been completed") }
    return Workspace(root: root)
  }

  /// Writes all changes of a workspace, or prints them as a diff.
  func finish(_ workspace: Workspace, notes: [String] = []) throws {
    let plan = try workspace.plan()
    if dryRun {
      print(plan.diff, terminator: "")
    } else {
      try Finisher.carryOut(plan, with: try EditOptions.tool())
      plan.summary.forEach(say)
    }
    let notes = notes + plan.longLines(LayoutStyle(near: workspace.root))
    notes.forEach(note)
  }

  /// Prints a line, unless `--quiet` is set.
  func say(_ line: String) {
    if !quiet { print(line) }
  }

  /// Prints a note to standard error, unless `--quiet` is set.
  func note(_ line: String) {
    if !quiet { FileHandle.standardError.write(Data("note: \(line)\n".utf8)) }
  }

  /// The URL of this executable.
  private static func tool() throws -> URL {
    guard let url = Bundle.main.executableURL else { throw Failure.refused("the tool does not know where it is") }
    return url
  }
}
