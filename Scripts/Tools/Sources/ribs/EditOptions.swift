import ArgumentParser
import Foundation
import Generation
import SourceModel

/// What all commands take that change files.
struct EditOptions: ParsableArguments {
  @Flag(help: "Print a unified diff of what would change, and write nothing.")
  var dryRun = false

  @Flag(name: .shortAndLong, help: "Say nothing but what went wrong.")
  var quiet = false

  @Option(
    help: ArgumentHelp("The package to work in. (default: the one around the current folder)", valueName: "dir"),
    completion: .directory)
  var packagePath: String?

  /// The package, as it is now. An edit that was interrupted is completed first.
  func workspace() throws -> Workspace {
    let root = try Folder.package(packagePath)
    if dryRun && Transaction.isInterrupted(in: root) {
      throw Failure.interrupted("an edit was interrupted, and a dry run does not complete it")
    }
    if try Transaction.finish(in: root) { note("an edit that was interrupted has been completed") }
    return Workspace(root: root)
  }

  /// Writes everything that is different in a workspace, or shows it.
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

  /// Tells the user something, unless it is to be quiet.
  func say(_ line: String) {
    if !quiet { print(line) }
  }

  /// Tells the user something that is no result.
  func note(_ line: String) {
    if !quiet { FileHandle.standardError.write(Data("note: \(line)\n".utf8)) }
  }

  /// This program.
  private static func tool() throws -> URL {
    guard let url = Bundle.main.executableURL else { throw Failure.refused("the tool does not know where it is") }
    return url
  }
}
