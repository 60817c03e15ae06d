// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Generation

/// `ribs add`.
struct AddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add an adapter to another library: logs, metrics, traces, stores.",
    discussion: """
      Writes the sources of an adapter into the package, in a folder of its own, and prints what to add to Package.swift. \
      The files are yours from then on: read, change and test them like your own. They are under the Apache License 2.0, so \
      keep their headers. Existing files are never replaced.

      Without a name, lists the adapters.

      Examples:
        ribs add                            all adapters, with a line each
        ribs add TreeLog                    in Sources/TreeLog, as a target
        ribs add observability TreeService  log, metrics and traces, and the service
        ribs add TreeLog --path Libraries   in Libraries/TreeLog
        ribs add TreeLog --dry-run          print the files as a diff

      Then add the printed lines to Package.swift, and the new targets to the dependencies of the target that makes the \
      trees:

        let log = TreeLog(Logger(label: "orders"))
        var configuration = TreeConfiguration()
        log.observe(&configuration)

      To get the files of a later version, delete yours and add them again, or add them to another folder and compare.
      """)

  @Argument(help: "The adapters: TreeLog, or observability for log, metrics and traces.")
  var names: [String] = []

  @Option(
    help: ArgumentHelp("The folder that will contain the adapter's folder.", valueName: "dir"), completion: .directory)
  var path: String?

  @OptionGroup var options: EditOptions

  func run() throws {
    guard !names.isEmpty else { return try list() }
    let adapters = try Adapter.named(names)
    let workspace = try options.workspace()
    let folder = try path.map { try Folder.inside(workspace.root, $0) } ?? "Sources"
    let addition = AddAdapters(adapters, in: folder)
    try addition.apply(to: workspace)
    try options.finish(workspace)
    if !options.dryRun { options.say("\n" + addition.manifestLines) }
  }

  private func list() throws {
    let adapters = try Adapter.all()
    var lines = adapters.map { ($0.name, $0.summary) }
    lines += Adapter.groups.sorted { $0.key < $1.key }.map { ($0.key, $0.value.joined(separator: ", ")) }
    let width = lines.map(\.0.count).max() ?? 0
    for (name, summary) in lines {
      print(name + String(repeating: " ", count: width + 2 - name.count) + summary)
    }
  }
}
