// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Generation

/// `ribs unlink`.
struct UnlinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink",
    abstract: "Remove a RIB from a parent.",
    discussion: """
      Removes exactly the code of 'ribs link' if it is unchanged. A link that has changed, or that was written by hand, is \
      found by its types: removes the property or the member of the component that holds the builder, the methods that \
      exist only for the child and the parent's calls of those, the argument in the builder, and the conformances. \
      Keeps methods of the interactor that do something else, and lists them, as it lists the lines of tests that use \
      what is gone.

      Refused, with the lines, if another RIB uses what would go, or if the code does not say of which type a receiver \
      is. Nothing is changed then.

      Example:
        ribs unlink Order --parent LoggedIn
      """)

  @Argument(help: "The RIB to remove.")
  var child: String

  @Option(name: [.long, .customShort("p")], help: "The parent to remove it from.")
  var parent: String

  @OptionGroup var focus: TargetOption
  @OptionGroup var options: EditOptions

  func run() throws {
    let workspace = try focus.applied(to: try options.workspace())
    let notes = try Unlink(child: try workspace.rib(child), parent: try workspace.rib(parent)).apply(to: workspace)
    try options.finish(workspace, notes: notes)
  }
}
