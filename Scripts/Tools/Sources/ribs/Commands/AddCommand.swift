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
      Copies the sources of an adapter into the package, byte for byte, in a folder of its own, and adds to Package.swift \
      the packages and the target that it needs. The files are yours from then on: read, change and test them like your \
      own. They are under the Apache License 2.0, so keep their headers. Existing files are never replaced, and running \
      the command again changes nothing.

      Without a name, lists the adapters. A server needs none of them at first: 'ribs new Order --server' writes one with \
      a directory of trees in files, to which you add what you miss, such as HTTPTrees for callers, limits and operators.

      Examples:
        ribs add                            all adapters, with a line each
        ribs add TreeLog                    in Sources/TreeLog, as a target
        ribs add TreeLog --target App       the target App depends on it
        ribs add observability TreeService  log, metrics and traces, and the service
        ribs add TreeLog --path Libraries   in Libraries/TreeLog
        ribs add TreeLog --dry-run          print the files and the manifest as a diff
        ribs add --update TreeLog           merge the template of this version into your copy
        ribs add --update                   all copies

      Then use it in the target that makes the trees:

        let log = TreeLog(Logger(label: "orders"))
        var configuration = TreeConfiguration()
        log.observe(&configuration)

      Package.swift keeps what it has, with comments and layout. A package that it names already keeps its version; \
      a note says if the adapter needs a later one. A manifest that computes its dependencies or targets is not changed: \
      the command prints the reason, and what to add.

      Beside each copy, the hidden folder .ribs-template has the files as they were copied; keep it in your repository. \
      With --update, the command compares your copy and the template with them, and merges with git what both have \
      changed since. Where both have changed the same lines, your copy gets both versions between <<<<<<< and >>>>>>>; \
      the command lists these files and exits with 1. Files that the template has added are written, and those that it no \
      longer has are deleted, unless you have changed them. Package.swift gets what the template needs since then.
      """)

  @Argument(help: "The adapters: TreeLog, or observability for log, metrics and traces.")
  var names: [String] = []

  @Option(
    help: ArgumentHelp("The folder that will contain the adapter's folder.", valueName: "dir"), completion: .directory)
  var path: String?

  @Option(help: "The target of Package.swift that will depend on the adapters.")
  var target: String?

  @Flag(help: "Merge the templates of this version into the copies in the package; without a name, into all.")
  var update = false

  @OptionGroup var options: EditOptions

  func validate() throws {
    if update && target != nil { throw ValidationError("--target is for new adapters, and not for --update") }
  }

  func run() throws {
    guard !names.isEmpty || update else { return try list() }
    let adapters = try Adapter.named(names)
    let workspace = try options.workspace()
    let folder = try path.map { try Folder.inside(workspace.root, $0) }
    let outcome =
      update
      ? try UpdateAdapters(adapters, in: folder).apply(to: workspace)
      : try AddAdapters(adapters, in: folder, for: target).apply(to: workspace)
    try finish(workspace, outcome)
  }

  private func finish(_ workspace: Workspace, _ outcome: AdapterOutcome) throws {
    let plan = try workspace.plan()
    if plan.changes.isEmpty { options.say("nothing to change") }
    if plan.summary.isEmpty && !plan.changes.isEmpty && !options.dryRun { options.say("recorded what was copied") }
    try options.finish(workspace, notes: outcome.notes, isGenerated: false)
    if let text = outcome.byHand {
      // With --dry-run, the output is a diff.
      if options.dryRun { options.note(text) } else { print("\n" + text, terminator: "") }
    }
    if outcome.conflicts.isEmpty { return }
    let lines = outcome.conflicts.map { "conflict: \($0.path): \($0.advice)\n" }
    FileHandle.standardError.write(Data(lines.joined().utf8))
    throw ExitCode(1)
  }

  private func list() throws {
    print("The least that runs needs none of these: ribs new NAME --server writes a server with trees in files.\n")
    let adapters = try Adapter.all()
    var lines = adapters.map { ($0.name, $0.summary) }
    lines += Adapter.groups.sorted { $0.key < $1.key }.map { ($0.key, $0.value.joined(separator: ", ")) }
    let width = lines.map(\.0.count).max() ?? 0
    for (name, summary) in lines {
      print(name + String(repeating: " ", count: width + 2 - name.count) + summary)
    }
  }
}
