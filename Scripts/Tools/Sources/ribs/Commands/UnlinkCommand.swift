import ArgumentParser
import Generation

/// `ribs unlink`.
struct UnlinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink",
    abstract: "Take a RIB from a parent.",
    discussion: """
      Takes out what 'ribs link' writes, as long as it is as it was written. What has been changed since, and calls that \
      are left, are named, and nothing is changed until they are gone.

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
    try Unlink(child: try RIBName(child), parent: try RIBName(parent)).apply(to: workspace)
    try options.finish(workspace)
  }
}
