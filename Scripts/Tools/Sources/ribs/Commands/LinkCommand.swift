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

      'ribs unlink' removes all of this, and restores every file byte for byte.

      Examples:
        ribs link Order --parent LoggedIn --dry-run
        ribs link Order --parent LoggedIn --route none   without methods in the router
      """)

  @Argument(help: "The RIB to link.")
  var child: String

  @Option(name: [.long, .customShort("p")], help: "The parent to link it to.")
  var parent: String

  @Option(help: "Whether to add methods that attach and detach the child to the router.")
  var route = Link.Route.attach

  @OptionGroup var templates: TemplateOptions

  @OptionGroup var focus: TargetOption
  @OptionGroup var options: EditOptions

  func run() throws {
    let workspace = try focus.applied(to: try options.workspace())
    var link = Link(
      child: try RIBName(child), parent: try RIBName(parent),
      templates: try templates.library())
    link.route = route
    try options.finish(workspace, notes: try link.apply(to: workspace))
  }
}

extension Link.Route: ExpressibleByArgument {}
