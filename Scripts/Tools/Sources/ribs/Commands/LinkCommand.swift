// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Generation

/// `ribs link`.
struct LinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link",
    abstract: "Link a RIB to a parent.",
    discussion: """
      Adds the following to the parent: the child's builder to its builder and router, methods that attach and detach \
      the child (routeToChild, detachChild), the conformance to the child's listener with empty methods, and an \
      extension of its component that provides the child's dependency. Updates test doubles of the parent's protocols.

      The route says how the router holds the child, and when a restored tree has the child:
        attach   in a property: only if the parent attaches it while it becomes active
        slot     in a ChildSlot that is listed in savedChildren: if it was there when the tree was saved
        none     only the builder is added

      If neither the parent's component nor its dependency has what the child needs, RIBs above hand it down: their \
      dependencies inherit from a protocol in the file of the extension, in which their components forward the values. \
      This is refused if a RIB at the top does not have them.

      A slot is refused if the child's build method takes values; the message has the code to write by hand.

      'ribs unlink' removes all of this, and restores every file byte for byte.

      Examples:
        ribs link Order --parent LoggedIn --dry-run
        ribs link Order --parent LoggedIn --route slot   saved and restored with the tree
        ribs link Order --parent LoggedIn --route none   without methods in the router
      """)

  @Argument(help: "The RIB to link.")
  var child: String

  @Option(name: [.long, .customShort("p")], help: "The parent to link it to.")
  var parent: String

  @Option(help: "How the router attaches the child. (default: as .ribs.json says, or attach)")
  var route: Link.Route?

  @OptionGroup var templates: TemplateOptions

  @OptionGroup var focus: TargetOption
  @OptionGroup var options: EditOptions

  func run() throws {
    let workspace = try focus.applied(to: try options.workspace())
    let (library, settings) = try templates.read(in: workspace.root)
    let link = Link(
      child: try workspace.rib(child), parent: try workspace.rib(parent), route: route ?? settings.route ?? .attach,
      templates: library)
    try options.finish(workspace, notes: try link.apply(to: workspace))
  }
}

extension Link.Route: ExpressibleByArgument {}
