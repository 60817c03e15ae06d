// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Generation

/// `ribs rename`.
struct RenameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Rename a RIB.",
    discussion: """
      Renames its types, files and folders, the members of its parents (orderBuilder, routeToOrder, detachOrder), its \
      listener methods (orderDidEnd), its mocks and tests, and its name in comments. Types that only begin with the same \
      word, such as a model OrderState, keep their names. So do names of other packages, such as the \
      rootViewController of a window, and what saved trees contain: properties and cases of Codable types, and strings. \
      Strings change only in tests; the command lists the others that have the name. A RIB that is in saved trees keeps \
      its name there: the command writes it as 'savedNames' into the class, and says so.

      Renaming it back restores every file byte for byte. Refuses a name that can't be distinguished from existing words.

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
    let notes = try Rename(from: try workspace.rib(old), to: try RIBName(new)).apply(to: workspace)
    try options.finish(workspace, notes: notes)
  }
}
