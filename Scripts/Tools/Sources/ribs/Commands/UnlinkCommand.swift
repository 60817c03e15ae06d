import ArgumentParser
import Generation

/// `ribs unlink`.
struct UnlinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink",
    abstract: "Take a RIB from a parent.",
    discussion: """
      Takes out exactly what 'ribs link' wrote, if it is as it was written. A link that was changed since, or written by \
      hand, is found by its types: the property that holds the builder goes, and the methods that exist for the child \
      alone, the calls of those, the argument in the builder, and the conformances. Methods of the interactor that do \
      something else too stay, and are named. What can't be taken out is named with its line, and nothing is changed.

      Example:
        ribs unlink Order --parent LoggedIn
      """)

  @Argument(help: "The RIB to take out.")
  var child: String

  @Option(name: [.long, .customShort("p")], help: "The RIB to take it from.")
  var parent: String

  @OptionGroup var focus: TargetOption
  @OptionGroup var options: EditOptions

  func run() throws {
    let workspace = try focus.applied(to: try options.workspace())
    let notes = try Unlink(child: try RIBName(child), parent: try RIBName(parent)).apply(to: workspace)
    try options.finish(workspace, notes: notes)
  }
}
