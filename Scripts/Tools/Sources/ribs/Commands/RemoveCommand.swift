import ArgumentParser
import Generation

/// `ribs remove`.
struct RemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Delete a RIB.",
    discussion: """
      Deletes the sources and the tests of a RIB. A RIB that is linked to a parent is deleted with --unlink only. If \
      other code uses one of its types, the places are named, and nothing is deleted until they are gone.

      Example:
        ribs remove Order --unlink
      """)

  @Argument(help: "The RIB to delete.")
  var name: String

  @Flag(help: "Take it from its parents, too.")
  var unlink = false

  @OptionGroup var focus: TargetOption
  @OptionGroup var options: EditOptions

  func run() throws {
    let workspace = try focus.applied(to: try options.workspace())
    var remove = Remove(name: try RIBName(name))
    remove.unlinks = unlink
    try options.finish(workspace, notes: try remove.apply(to: workspace))
  }
}
