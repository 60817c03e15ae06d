// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Generation

/// `ribs remove`.
struct RemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Delete a RIB.",
    discussion: """
      Deletes the sources and tests of a RIB. A RIB that is linked to a parent is deleted only with --unlink, which also \
      takes its protocols out of the inheritance clauses of other types. If other code uses what would be gone, prints \
      the places and deletes nothing; with --force, deletes it and prints them. Lists what is left.

      Example:
        ribs remove Order --unlink
      """)

  @Argument(help: "The RIB to delete.")
  var name: String

  @Flag(help: "Also remove it from its parents.")
  var unlink = false

  @Flag(help: "Delete it also if other code uses it, which does not compile then.")
  var force = false

  @OptionGroup var focus: TargetOption
  @OptionGroup var options: EditOptions

  func run() throws {
    let workspace = try focus.applied(to: try options.workspace())
    var remove = Remove(name: try workspace.rib(name))
    remove.unlinks = unlink
    remove.isForced = force
    try options.finish(workspace, notes: try remove.apply(to: workspace))
  }
}
