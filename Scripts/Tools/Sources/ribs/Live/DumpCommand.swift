import ArgumentParser
import Foundation
import Generation
import RIBs
import RIBsInspector

/// `ribs dump`.
struct DumpCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Show the trees of a running process as they stand.",
    discussion: """
      Takes a snapshot of each tree, which holds it for less than a microsecond per RIB, and draws it. As text, all trees \
      of the process are shown; every other format is of one tree, which --tree names if there are several.

      Examples:
        ribs dump
        ribs dump taxi --tree 3 --under LoggedIn/Order
        ribs dump 4711 --depth 2 --ascii
        ribs dump 4711 --format html --output tree.html
        ribs dump 4711 --format dot | dot -Tsvg > tree.svg

      What --format json writes, 'TreeSnapshot(json:)' reads.

      Exit status: 0 done; 64 it is not clear which process or tree is meant; 66 no such process, tree or RIB; 73 the \
      directory of the sockets is not safe, or the file can't be written.
      """)

  @OptionGroup var choice: ProcessChoice
  @OptionGroup var part: TreeChoice

  @Option(help: ArgumentHelp("What to draw it as.", valueName: "format"))
  var format = TreeFormat.text

  @Flag(help: "With --format text, draw with ASCII alone.")
  var ascii = false

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Write to a file. (default: standard output)", valueName: "file"),
    completion: .file())
  var output: String?

  func validate() throws {
    if ascii && format != .text { throw ValidationError("--ascii goes with --format text.") }
  }

  func run() async throws {
    let process = try await choice.found()
    let client = choice.live.client(of: process)
    let trees = try await answer { () throws(InspectorError) in try await client.trees() }
    guard format == .text, part.tree == nil, trees.count > 1 else {
      let tree = try part.foundOne(in: trees, of: process)
      let snapshot = try await answer { () throws(InspectorError) in try await client.snapshot(of: tree.id) }
      guard let shown = snapshot.part(part.under) else {
        throw Failure.missing("there is no RIB '\(part.under ?? "")' in tree \(tree.id) of \(process.title)")
      }
      return try write(drawn(shown, title: "\(tree.name), tree \(tree.id) of \(process.title)"))
    }
    var texts: [String] = []
    for tree in trees {
      // One that has ended since is not missed.
      guard let snapshot = try? await client.snapshot(of: tree.id), let shown = snapshot.part(part.under) else {
        continue
      }
      texts.append("Tree \(tree.id)\n\(drawn(shown, title: ""))")
    }
    guard !texts.isEmpty else {
      throw Failure.missing(
        part.under.map { "there is no RIB '\($0)' in the trees of \(process.title)" } ?? "the trees have ended")
    }
    try write(texts.joined(separator: "\n"))
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
  /// What stands below a RIB, or all; nil if there is no such RIB.
  func part(_ place: String?) -> TreeSnapshot? { place.map { subtree($0) } ?? self }
}
