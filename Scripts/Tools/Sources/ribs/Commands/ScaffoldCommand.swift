import ArgumentParser
import Foundation
import Generation

/// `ribs scaffold`.
struct ScaffoldCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scaffold",
    abstract: "Make a whole tree of RIBs from an outline.",
    discussion: """
      An outline is a nested list in Markdown. Each entry is the name of a RIB, with what it is in parentheses \
      (view, presenter) and a remark after a colon, which becomes its summary in 'ribs tree --summary':

        - Root
          - LoggedOut: asks who it is
          - LoggedIn
            - Order (view, presenter)
            - Help
          - Help

      The entries at the top are roots, or linked to --parent. A RIB may stand in several places, and is linked in all \
      of them. RIBs that are there stay as they are, so that an outline can grow and be used again.

      Examples:
        ribs scaffold OUTLINE.md --dry-run
        ribs scaffold ORDER.md --parent LoggedIn
        ribs scaffold - < OUTLINE.md
      """)

  @Argument(help: "The file with the outline; '-' for standard input.", completion: .file())
  var outline: String

  @Option(name: [.long, .customShort("p")], help: "The RIB to link the entries at the top to.")
  var parent: String?

  @Option(help: "The target they go to. (default: the parent's, or the only one)")
  var target: String?

  @Option(help: ArgumentHelp("The folder to make their folders in.", valueName: "dir"), completion: .directory)
  var path: String?

  @Option(
    help: ArgumentHelp("A folder with templates to take instead of those of the same name.", valueName: "dir"),
    completion: .directory)
  var templates: String?

  @Flag(help: "Without tests.")
  var noTests = false

  @OptionGroup var options: EditOptions

  func run() throws {
    let workspace = try options.workspace()
    if let target { try workspace.focus(on: target) }
    var scaffold = Scaffold(
      outline: try Outline(try text()), templates: try TemplateLibrary(own: templates.map { URL(filePath: $0) }))
    scaffold.parent = try parent.map { try RIBName($0) }
    scaffold.target = target
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
