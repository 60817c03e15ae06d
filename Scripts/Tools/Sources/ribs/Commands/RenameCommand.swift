import ArgumentParser
import Generation

/// `ribs rename`.
struct RenameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Give a RIB another name.",
    discussion: """
      Renames its types, its files and folders, what its parents call it (orderBuilder, routeToOrder, detachOrder), what \
      it tells them (orderDidEnd), its mocks and tests, and its name in comments. Types that only begin with the same \
      word, such as a model OrderState, keep their names.

      Renaming back leaves every file as it was. A name is refused that could not be told from words that are there.

      Example:
        ribs rename Order Booking --dry-run
      """)

  @Argument(help: "The RIB to rename.")
  var old: String

  @Argument(help: "Its new name.")
  var new: String

  @OptionGroup var focus: TargetOption
  @OptionGroup var options: EditOptions

  func run() throws {
    let workspace = try focus.applied(to: try options.workspace())
    try Rename(from: try RIBName(old), to: try RIBName(new)).apply(to: workspace)
    try options.finish(workspace)
  }
}
