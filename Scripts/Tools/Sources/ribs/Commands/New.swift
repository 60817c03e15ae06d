// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Generation

/// `ribs new`.
struct New: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Create a RIB from templates and link it to its parents.",
    discussion: """
      Creates a folder with the RIB's builder, interactor and router, a view controller with --view, and tests in the \
      target's test target. With --parent, links the RIB as 'ribs link' does. Adds missing dependencies to Package.swift: \
      RIBs for the target, and RIBsTesting for its tests.

      A file .ribs.json in the package sets what is usual there; each key can be left out:

        { "target": "App", "templates": "Templates", "route": "slot" }

      The folder is next to the parent's. Without a parent, it is in the folder 'RIBs' of the target.

      Examples:
        ribs new Root --root                              the root of a tree, without a listener
        ribs new Root --root --main                       with a program that launches it
        ribs new LoggedOut --parent Root                  without a view
        ribs new Order --parent Root --view               with one
        ribs new Order --parent Root --route slot         saved and restored with the tree
        ribs new Order --parent LoggedIn --parent Guest   one RIB under two parents
        ribs new Receipt --plugin                         offered by a plugin point instead of a parent
        ribs new Order --templates Templates              with your own templates

      With --server, writes a package instead, in the new folder orderServer: an HTTP server (Hummingbird) with a tree for \
      each order, which is saved in a file and survives kill -9, with its tests. It is what the tutorial "A chat server" has \
      after three steps. Replace its members and messages by what your trees contain. It depends on the copy of swift-ribs \
      whose Scripts/ribs writes it; the ribs of a release refuses --server, because it has no such copy.

        ribs new Order --server
        cd orderServer
        swift test
        swift run orderServer
        curl -d 'hello' localhost:8080/orders/17/mara     creates the order 17 and adds to it
        curl localhost:8080/orders/17                     404 if there is none
      """)

  @Argument(help: "The name of the RIB, capitalized: LoggedOut.")
  var name: String

  @Option(name: [.long, .customShort("p")], help: "The parent to link the RIB to. Can be repeated.")
  var parent: [String] = []

  @Option(help: "How the parents attach the RIB, see 'ribs link --help'. (default: as .ribs.json says, or attach)")
  var route: Link.Route?

  @Flag(help: "Create the root of a tree, without a listener and without a view.")
  var root = false

  @Flag(help: "Create a program that launches the root, in the file NAMEProgram.swift of an executable target.")
  var main = false

  @Flag(help: "Create a package with a server: a tree for each NAME, which is saved, and tests.")
  var server = false

  @Flag(help: "Create a view controller.")
  var view = false

  @Flag(help: "Create no view controller. This is the default.")
  var viewless = false

  @Flag(help: "Create a presenter between the interactor and the view.")
  var presenter = false

  @Flag(help: "Create a plugin that offers the RIB at a plugin point, in the file NAMEPlugin.swift.")
  var plugin = false

  @Option(help: "The target of the RIB. (default: the parent's, that of .ribs.json, or the only one)")
  var target: String?

  @Option(
    help: ArgumentHelp("The folder that will contain the RIB's folder.", valueName: "dir"), completion: .directory)
  var path: String?

  @OptionGroup var templates: TemplateOptions

  @Flag(help: "Create no tests.")
  var noTests = false

  @OptionGroup var options: EditOptions

  func validate() throws {
    if root && viewless { throw ValidationError("A root has no view: use --root or --viewless, not both.") }
    if root && view { throw ValidationError("A root has no view: use --root or --view, not both.") }
    if view && viewless { throw ValidationError("Use --view or --viewless, not both.") }
    if route != nil && parent.isEmpty { throw ValidationError("--route is for a parent: use it with --parent.") }
    if main && !root { throw ValidationError("--main launches a root: use it with --root.") }
    if plugin && root { throw ValidationError("A root has no listener: use --plugin or --root, not both.") }
    if plugin && !parent.isEmpty {
      throw ValidationError("A plugin point builds the RIB, and no parent: use --plugin or --parent, not both.")
    }
    let isForRIB = root || view || viewless || presenter || plugin || noTests || !parent.isEmpty || target != nil
    if server && (isForRIB || templates.templates != nil || options.package.packagePath != nil) {
      throw ValidationError("--server creates a package of its own: use it without options for a RIB or its package.")
    }
    if root && !parent.isEmpty { throw ValidationError("A root has no parent: use --root or --parent, not both.") }
  }

  func run() throws {
    if server { return try createServer() }
    let workspace = try options.workspace()
    if let target { try workspace.focus(on: target) }
    let (library, settings) = try templates.read(in: workspace.root)
    var new = NewRIB(name: try RIBName(name), templates: library)
    new.kind = root ? .root : view ? .view : .viewless
    new.hasPresenter = presenter
    new.isPlugin = plugin
    new.hasMain = main
    new.parents = try parent.map { try workspace.rib($0) }
    new.route = route ?? settings.route ?? .attach
    new.target = target
    new.usualTarget = settings.target
    new.folder = try path.map { try Folder.inside(workspace.root, $0) }
    new.hasTests = !noTests
    try options.finish(workspace, notes: try new.apply(to: workspace))
  }

  /// Creates the package in a new folder, which is in the current one or in that of --path.
  private func createServer() throws {
    let server = try NewServer(name: try RIBName(name))
    let folder = URL(filePath: path ?? ".", relativeTo: Folder.current).appending(path: server.program)
      .standardizedFileURL
    guard !FileManager.default.fileExists(atPath: folder.path) else {
      throw Failure.refused("there is a file or folder '\(folder.path)'")
    }
    let workspace = Workspace(root: folder)
    let notes = try server.apply(to: workspace)
    if options.dryRun { return try options.finish(workspace, notes: notes) }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw Failure.refused("the folder '\(folder.path)' can't be created: \(error.localizedDescription)")
    }
    do {
      try options.finish(workspace, notes: notes)
    } catch {
      // An interrupted edit has left its journal there.
      if try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty {
        try FileManager.default.removeItem(at: folder)
      }
      throw error
    }
    options.say("\nIn \(folder.path), swift test tests the server, and swift run \(server.program) starts it.")
  }
}
