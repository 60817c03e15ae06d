// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Generation

/// `ribs scaffold`.
struct ScaffoldCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scaffold",
    abstract: "Create a tree of RIBs from an outline.",
    discussion: """
      An outline is a nested Markdown list. Each entry is the name of a RIB, optionally followed by options in \
      parentheses (view, presenter, slot), and by a summary after a colon, which 'ribs tree --summary' shows:

        - Root
          - LoggedOut: asks for the name
          - LoggedIn
            - Order (view, presenter, slot)
            - Help
          - Help

      Top-level entries are roots, or are linked to --parent. A RIB can be listed under several parents, and is linked \
      to each. Existing RIBs are not changed, so an extended outline can be applied again.

      With 'slot', or with --route slot for all entries, the parent holds the RIB in a ChildSlot that is saved with the \
      tree. Otherwise a restored tree has the RIB only if the parent attaches it while it becomes active; see \
      'ribs link --help'.

      Examples:
        ribs scaffold OUTLINE.md --dry-run
        ribs scaffold ORDER.md --parent LoggedIn
        ribs scaffold - < OUTLINE.md
      """)

  @Argument(help: "The file with the outline, or '-' for standard input.", completion: .file())
  var outline: String

  @Option(name: [.long, .customShort("p")], help: "The parent to link the top-level entries to.")
  var parent: String?

  @Option(help: "How the parents attach the RIBs, see 'ribs link --help'. (default: as .ribs.json says, or attach)")
  var route: Link.Route?

  @Option(help: "The target of the RIBs. (default: the parent's, that of .ribs.json, or the only one)")
  var target: String?

  @Option(
    help: ArgumentHelp("The folder that will contain the RIBs' folders.", valueName: "dir"), completion: .directory)
  var path: String?

  @OptionGroup var templates: TemplateOptions

  @Flag(help: "Create no tests.")
  var noTests = false

  @OptionGroup var options: EditOptions

  func run() throws {
    let workspace = try options.workspace()
    if let target { try workspace.focus(on: target) }
    let (library, settings) = try templates.read(in: workspace.root)
    var scaffold = Scaffold(outline: try Outline(try text()), templates: library)
    scaffold.parent = try parent.map { try workspace.rib($0) }
    scaffold.route = route ?? settings.route ?? .attach
    scaffold.target = target
    scaffold.usualTarget = settings.target
    scaffold.folder = try path.map { try Folder.inside(workspace.root, $0) }
    scaffold.hasTests = !noTests
    try options.finish(workspace, notes: try scaffold.apply(to: workspace))
  }

  private func text() throws -> String {
    let data =
      outline == "-" ? FileHandle.standardInput.readDataToEndOfFile() : FileManager.default.contents(atPath: outline)
    guard let data else { throw Failure.missing("there is no file '\(outline)', or it can't be read") }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw Failure.missing("'\(outline)' is not text in UTF-8")
    }
    return text
  }
}
