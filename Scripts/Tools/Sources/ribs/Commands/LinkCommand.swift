import ArgumentParser
import Foundation
import Generation

/// `ribs link`.
struct LinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link",
    abstract: "Link a RIB to a parent.",
    discussion: """
      Writes into the parent: the child's builder in its builder and router, methods that attach and detach the child \
      (routeToChild, detachChild), the conformance to the child's listener with methods to fill in, and an extension of \
      its component that provides what the child depends on. Doubles of the parent's protocols in tests are kept in step.

      'ribs unlink' takes all of it out again, and leaves every file as it was.

      Examples:
        ribs link Order --parent LoggedIn --dry-run
        ribs link Order --parent LoggedIn --route none   you write the methods of the router
      """)

  @Argument(help: "The RIB to link.")
  var child: String

  @Option(name: [.long, .customShort("p")], help: "The RIB to link it to.")
  var parent: String

  @Option(help: "Whether the router gets methods that attach and detach the child.")
  var route = Link.Route.attach

  @Option(
    help: ArgumentHelp("A folder with templates to take instead of those of the same name.", valueName: "dir"),
    completion: .directory)
  var templates: String?

  @OptionGroup var focus: TargetOption
  @OptionGroup var options: EditOptions

  func run() throws {
    let workspace = try focus.applied(to: try options.workspace())
    var link = Link(
      child: try RIBName(child), parent: try RIBName(parent),
      templates: try TemplateLibrary(own: templates.map { URL(filePath: $0) }))
    link.route = route
    try options.finish(workspace, notes: try link.apply(to: workspace))
  }
}

extension Link.Route: ExpressibleByArgument {}
