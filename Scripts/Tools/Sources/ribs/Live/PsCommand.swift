import ArgumentParser
import Foundation
import Generation
import RIBsInspector

/// `ribs ps`.
struct PsCommand: AsyncParsableCommand {
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  static let configuration = CommandConfiguration(
    commandName: "ps",
    abstract: "List the running processes that expose their trees.",
    discussion: """
      A program exposes its trees to processes of the same user if it starts an inspector and passes it to the trees:

        let inspector = try Inspector.start()
        TreeHost(configuration: TreeConfiguration(inspector: inspector)) { … }

      Prints a line for each tree: the process, its program, the number of the tree, its name and root, its age, and \
      its labels, if any tree has some. A process without trees has a line with dashes. Prints processes that do not respond to standard error, and exits with 1.

      Examples:
        ribs ps
        ribs ps --format json | jq '.[].trees[].name'
      """)

  @Option(help: "The output format.")
  var format = Format.text

  @OptionGroup var live: LiveOptions

  func run() async throws {
    let processes = try await live.processes()
    let found = await withTaskGroup(of: (Int, Result<[InspectedTree], InspectorError>).self) { group in
      for (index, process) in processes.enumerated() {
        group.addTask { [client = live.client(of: process)] in
          // Swift 6.3.1 with -O corrupts the first element of a tuple whose second element is awaited and may throw.
          let trees = await PsCommand.trees(client)
          return (index, trees)
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    var answering: [(process: InspectedProcess, trees: [InspectedTree])] = []
    var silent = false
    for (index, process) in processes.enumerated() {
      switch found[index] {
      case .success(let trees): answering.append((process, trees))
      case .failure(let error):
        silent = true
        live.note("\(process.title): \(error.description)")
      case nil: break
      }
    }
    switch format {
    case .json: try StandardOutput.write(try json(answering))
    case .text where answering.isEmpty && !silent: live.note("no process shows its trees")
    case .text: try StandardOutput.write(text(answering))
    }
    if silent { throw ExitCode(1) }
  }

  private static func trees(_ client: InspectorClient) async -> Result<[InspectedTree], InspectorError> {
    do throws(InspectorError) {
      let trees = try await client.trees()
      return .success(trees)
    } catch {
      return .failure(error)
    }
  }

  private func text(_ processes: [(process: InspectedProcess, trees: [InspectedTree])]) -> String {
    guard !processes.isEmpty else { return "" }
    let hasLabels = processes.contains { $0.trees.contains { !$0.labels.isEmpty } }
    var rows = [["PID", "PROGRAM", "TREE", "ROOT", "AGE", hasLabels ? "LABELS" : ""]]
    for (process, trees) in processes {
      let start = [String(process.id), process.name.oneLine]
      if trees.isEmpty { rows.append(start + ["-", "-", "-", ""]) }
      for tree in trees {
        let age = Duration.seconds(tree.age.rounded(.down)).formatted(
          .units(allowed: [.days, .hours, .minutes, .seconds], width: .narrow, maximumUnitCount: 2))
        rows.append(start + [String(tree.id), tree.name.oneLine, age, tree.labelText.oneLine])
      }
    }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      var line = cells.joined(separator: "  ")[...]
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  private struct Listed: Encodable {
    let pid: Int32
    let program: String
    let socket: String
    let trees: [InspectedTree]
  }

  private func json(_ processes: [(process: InspectedProcess, trees: [InspectedTree])]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let listed = processes.map {
      Listed(pid: $0.process.id, program: $0.process.name, socket: $0.process.socketPath, trees: $0.trees)
    }
    return String(decoding: try encoder.encode(listed), as: UTF8.self) + "\n"
  }
}
