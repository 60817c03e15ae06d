import ArgumentParser
import Foundation
import Generation
import RIBs
import RIBsInspector

/// `ribs dump`.
struct DumpCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Print the trees of a running process.",
    discussion: """
      Takes a snapshot of each tree, which blocks it for less than a microsecond per RIB, and prints it. As text, prints \
      all trees of the process. Every other format prints one tree, which --tree selects if there are several.

      Examples:
        ribs dump
        ribs dump taxi --tree 3 --under LoggedIn/Order
        ribs dump 4711 --depth 2 --ascii
        ribs dump 4711 --format html --output tree.html
        ribs dump 4711 --format dot | dot -Tsvg > tree.svg

      'TreeSnapshot(json:)' reads the output of --format json.

      Exit status: 0 success; 64 the process or tree is ambiguous; 66 no such process, tree or RIB; 73 the directory of the \
      sockets is not safe, or the file can't be written.
      """)

  @OptionGroup var choice: ProcessChoice
  @OptionGroup var part: TreeChoice

  @Option(help: ArgumentHelp("The output format.", valueName: "format"))
  var format = TreeFormat.text

  @Flag(help: "With --format text, use only ASCII characters.")
  var ascii = false

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The output file. (default: standard output)", valueName: "file"),
    completion: .file())
  var output: String?

  func validate() throws {
    if ascii && format != .text { throw ValidationError("--ascii needs --format text.") }
  }

  /// The snapshots taken of a process.
  private struct Dump {
    var snapshots: [(InspectedTree, TreeSnapshot)] = []
    /// Whether the selection covers several trees.
    let hasSeveral: Bool
    /// Whether every tree that still exists has answered.
    var isComplete = true
  }

  func run() async throws {
    let process = try await choice.found()
    let dump = try await dump(of: process)
    let parts = dump.snapshots.compactMap { tree, snapshot in snapshot.part(part.under).map { (tree, $0) } }
    guard !parts.isEmpty else {
      let place = dump.hasSeveral ? "the trees" : "tree \(dump.snapshots[0].0.id)"
      throw Failure.missing("there is no RIB '\(part.under ?? "")' in \(place) of \(process.title)")
    }
    let texts = parts.map { tree, shown in
      let heading = dump.hasSeveral ? "Tree \(tree.id)\n" : ""
      return heading + drawn(shown, title: title(of: tree, in: process))
    }
    try write(texts.joined(separator: "\n"))
    if !dump.isComplete { throw ExitCode(1) }
  }

  /// Takes snapshots of the selected trees, at least one. Skips trees that end in the meantime, and retries for up to
  /// a second when trees start and end quickly.
  private func dump(of process: InspectedProcess) async throws -> Dump {
    let client = choice.live.client(of: process)
    let deadline = ContinuousClock.now + .seconds(1)
    while true {
      let trees = try await answer { () throws(InspectorError) in try await client.trees() }
      let isEmpty = trees.isEmpty && part.tree == nil
      let meant =
        isEmpty
        ? [] : format == .text ? try part.found(in: trees, of: process) : [try part.foundOne(in: trees, of: process)]
      var dump = Dump(hasSeveral: meant.count > 1)
      for tree in meant {
        do throws(InspectorError) {
          // A separate `await`, because Swift 6.3.1 miscompiles tuples that contain one: see PsCommand.
          let snapshot = try await client.snapshot(of: tree.id)
          dump.snapshots.append((tree, snapshot))
        } catch {
          if error.kind == .refused { continue }
          dump.isComplete = false
          choice.live.note("tree \(tree.id) of \(process.title): \(error.description)")
        }
      }
      if !dump.snapshots.isEmpty { return dump }
      guard dump.isComplete, part.tree == nil, ContinuousClock.now < deadline else { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw Failure.missing(
      part.tree.map { "tree \($0) of \(process.title) has ended, or does not answer" }
        ?? "\(process.title) shows no tree now")
  }

  private func title(of tree: InspectedTree, in process: InspectedProcess) -> String {
    let labels = tree.labels.isEmpty ? "" : " (\(tree.labelText))"
    return "\(tree.name)\(labels), tree \(tree.id) of \(process.title)"
  }

  private func drawn(_ snapshot: TreeSnapshot, title: String) -> String {
    switch format {
    case .text: snapshot.text(ascii ? .ascii : .unicode, depth: part.depth)
    case .html: snapshot.html(title: title, depth: part.depth)
    default: snapshot.rendered(as: format, depth: part.depth)
    }
  }

  private func write(_ text: String) throws {
    guard let output else { return try StandardOutput.write(text) }
    do {
      try Data(text.utf8).write(to: URL(filePath: output, relativeTo: Folder.current), options: .atomic)
    } catch {
      throw Failure.refused("'\(output)' can't be written: \(error.localizedDescription)")
    }
  }
}

extension TreeFormat: @retroactive ExpressibleByArgument {}

extension TreeSnapshot {
  /// The subtree at a RIB, or the whole tree for nil; nil if there is no such RIB.
  func part(_ place: String?) -> TreeSnapshot? { place.map { subtree($0) } ?? self }
}
