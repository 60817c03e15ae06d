import ArgumentParser
import Foundation
import Generation

/// `ribs new`.
struct New: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a RIB from templates, and link it to its parents.",
    discussion: """
      Writes a folder with the RIB's builder, interactor and router, a view controller if --view asks for one, and tests \
      in the target's test target. With --parent it is linked too, as by 'ribs link'. Where a target does not depend on \
      RIBs yet, or its tests on RIBsTesting, that is added to Package.swift.

      The folder goes beside the parent's; without a parent to the folder 'RIBs' of the target.

      Examples:
        ribs new Root --root                              the root of a tree: it has no listener
        ribs new LoggedOut --parent Root                  without a view
        ribs new Order --parent Root --view               with one
        ribs new Order --parent LoggedIn --parent Guest   one RIB under two parents
        ribs new Order --templates Templates              from your own templates
      """)

  @Argument(help: "The name of the RIB, with a capital: LoggedOut.")
  var name: String

  @Option(name: [.long, .customShort("p")], help: "The RIB to link it to; may be given again.")
  var parent: [String] = []

  @Flag(help: "The root of a tree, without a listener and without a view.")
  var root = false

  @Flag(help: "With a view.")
  var view = false

  @Flag(help: "Without a view, which is the default.")
  var viewless = false

  @Flag(help: "With a presenter of its own between interactor and view.")
  var presenter = false

  @Option(help: "The target it goes to. (default: the parent's, or the only one)")
  var target: String?

  @Option(help: ArgumentHelp("The folder to make its folder in.", valueName: "dir"), completion: .directory)
  var path: String?

  @Option(
    help: ArgumentHelp("A folder with templates to take instead of those of the same name.", valueName: "dir"),
    completion: .directory)
  var templates: String?

  @Flag(help: "Without tests.")
  var noTests = false

  @OptionGroup var options: EditOptions

  func validate() throws {
    if root && viewless { throw ValidationError("A root has no view anyway: give --root or --viewless.") }
    if root && view { throw ValidationError("A root has no view: give --root or --view.") }
    if view && viewless { throw ValidationError("Give --view or --viewless.") }
    if root && !parent.isEmpty { throw ValidationError("A root has no parent: give --root or --parent.") }
  }

  func run() throws {
    let workspace = try options.workspace()
    if let target { try workspace.focus(on: target) }
    var new = NewRIB(name: try RIBName(name), templates: try TemplateLibrary(own: templates.map { URL(filePath: $0) }))
    new.kind = root ? .root : view ? .view : .viewless
    new.hasPresenter = presenter
    new.parents = try parent.map { try RIBName($0) }
    new.target = target
    new.folder = try path.map { try Folder.inside(workspace.root, $0) }
    new.hasTests = !noTests
    try options.finish(workspace, notes: try new.apply(to: workspace))
  }
}
