// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import RIBsInspector

/// Options for finding processes, and the timeout for their answers.
struct LiveOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The directory of the sockets. (default: $XDG_RUNTIME_DIR/ribs, or one for you in the temporary directory)",
      valueName: "dir"),
    completion: .directory)
  var directory: String?

  @Option(help: ArgumentHelp("The timeout of a request.", valueName: "seconds"))
  var timeout = 10

  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard (1...86_400).contains(timeout) else { throw ValidationError("--timeout is 1 to 86400 seconds.") }
  }

  /// The processes that expose trees.
  func processes() async throws -> [InspectedProcess] {
    try await answer { () throws(InspectorError) in try InspectedProcess.all(in: directory) }
  }

  func note(_ line: String) { output.note(line.oneLine) }

  func client(of process: InspectedProcess) -> InspectorClient { InspectorClient(process, timeout: timeout) }
}

/// Selects a process.
struct ProcessChoice: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The process: its number, the name of its program, or the path of its socket. (default: the only one)",
      valueName: "pid"), completion: .custom { words, _, _ in Completions.processes(words) })
  var process: String?

  @OptionGroup var live: LiveOptions

  func found() async throws -> InspectedProcess {
    if let process, process.contains("/") {
      guard let found = InspectedProcess(socketPath: process) else {
        throw Failure.missing("'\(process)' is not named like the socket of a process that shows trees")
      }
      return found
    }
    let all = try await live.processes()
    guard !all.isEmpty else {
      throw Failure.missing("no process shows its trees; one does that starts an Inspector and hands it to its trees")
    }
    let found = process.map { name in all.filter { String($0.id) == name || $0.name == name } } ?? all
    if found.count == 1 { return found[0] }
    if let process, found.isEmpty {
      throw Failure.missing("there is no process '\(process)'; there are: \(ProcessChoice.list(all))")
    }
    throw Failure.usage("say which process: \(ProcessChoice.list(found))")
  }

  /// A list of processes with a unique name for each.
  private static func list(_ processes: [InspectedProcess]) -> String {
    processes.map { process in
      let hasNamesake = processes.filter { $0.id == process.id }.count > 1
      return hasNamesake ? process.socketPath : "\(process.id) (\(process.name))"
    }.joined(separator: ", ")
  }
}

/// A tree as the command line names it: by its number, by its name, or by its name and root, as `ribs ps` shows them.
struct TreeName: ExpressibleByArgument {
  let text: String

  init(argument: String) { text = argument }

  /// The trees that have this number, or else this name.
  func found<Tree: NamedTree>(in trees: [Tree]) -> [Tree] {
    let numbered = Int(text).map { number in trees.filter { $0.id == number } } ?? []
    return numbered.isEmpty ? trees.filter { $0.name == text || $0.name.hasPrefix(text + ":") } : numbered
  }
}

/// A tree with a number and a name, of a process or a recording.
protocol NamedTree {
  var id: InspectedTree.ID { get }
  var name: String { get }
}

extension InspectedTree: NamedTree {}

extension RecordedTree: NamedTree {}

/// Selects a tree, and a part of it.
struct TreeChoice: ParsableArguments {
  @Option(
    help: ArgumentHelp("The tree, by the number or the name that 'ribs ps' shows.", valueName: "tree"),
    completion: .custom { words, _, _ in await Completions.trees(words) })
  var tree: TreeName?

  @Option(
    help: ArgumentHelp(
      "Begin at this RIB: the end of its path, such as LoggedIn/Order, or its id, such as '#12'.", valueName: "rib"),
    completion: .custom { words, _, _ in await Completions.ribs(words) })
  var under: String?

  @Option(help: "How many levels to show below the first.")
  var depth: Int?

  func validate() throws {
    if let depth, depth < 0 { throw ValidationError("--depth can't be negative.") }
  }

  /// The selected trees: one, or all of the process.
  func found(in trees: [InspectedTree], of process: InspectedProcess) throws -> [InspectedTree] {
    guard !trees.isEmpty else { throw Failure.missing("\(process.title) shows no tree now") }
    return try found(in: trees, of: process.title)
  }

  /// The selected tree, which must be the only one.
  func foundOne(in trees: [InspectedTree], of process: InspectedProcess) throws -> InspectedTree {
    _ = try found(in: trees, of: process)
    return try foundOne(in: trees, of: process.title)
  }

  /// - Parameter place: where the trees are, for messages.
  func found<Tree: NamedTree>(in trees: [Tree], of place: String) throws -> [Tree] {
    // A recording that was cut off in its first tree has none.
    guard !trees.isEmpty else { throw Failure.missing("there is no tree in \(place)") }
    guard let tree else { return trees }
    let found = tree.found(in: trees)
    guard found.isEmpty else { return found }
    throw Failure.missing(
      "there is no tree \(tree.text) in \(place); there are: \(TreeChoice.list(trees))")
  }

  func foundOne<Tree: NamedTree>(in trees: [Tree], of place: String) throws -> Tree {
    let found = try found(in: trees, of: place)
    guard found.count == 1 else {
      throw Failure.usage("say with --tree which tree of \(place): \(TreeChoice.list(found))")
    }
    return found[0]
  }

  private static func list(_ trees: [some NamedTree]) -> String {
    let some = trees.prefix(20).map { "\($0.id) (\($0.name))" }.joined(separator: ", ")
    return trees.count > 20 ? "\(some) and \(trees.count - 20) more" : some
  }
}

extension InspectedProcess {
  var title: String { "\(name.oneLine) (\(id))" }
}

extension String {
  /// The text with control characters replaced. It comes from another process and must not control the terminal.
  var oneLine: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.value < 0x20 || 0x7F..<0xA0 ~= $0.value ? "?" : $0 }))
  }
}

/// Queries another process, and converts its errors to `Failure`.
func answer<Value>(_ ask: () async throws(InspectorError) -> Value) async throws -> Value {
  do {
    return try await ask()
  } catch {
    let message = error.description.hasSuffix(".") ? String(error.description.dropLast()) : error.description
    switch error.kind {
    case .noAnswer, .refused: throw Failure.missing(message)
    default: throw Failure.refused(message)
    }
  }
}
