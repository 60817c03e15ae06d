// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import RIBs
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
      its labels, if any tree has some. If trees run code for a second or longer without a pause, the column BUSY says what, \
      for trees with a TurnWatchdog. A process without trees has a line with dashes. Root sees the processes of all \
      users, with a column for the user: sudo ribs ps.

      With --summary, prints how many trees there are of each root and state, with their RIBs and running tasks, and \
      the oldest, the largest and the busiest tree. This takes a snapshot of each tree.

      Examples:
        ribs ps
        ribs ps --match user-17
        ribs ps --match plan=free --summary
        ribs ps --format json | jq '.[].trees[].name'

      Exit status: 0 success; 1 a process or tree does not answer, which standard error names; 73 the directory of the \
      sockets is not safe, or can't be read.
      """)

  @Option(
    help: ArgumentHelp(
      "Only trees with this text in their name or in a label, in any case.", valueName: "text"))
  var match: String?

  @Flag(help: "Count the trees, and name the oldest, the largest and the busiest.")
  var summary = false

  @Option(help: "The output format.")
  var format = Format.text

  @OptionGroup var live: LiveOptions

  /// A process that has answered, and its selected trees.
  private struct Found {
    let process: InspectedProcess
    let trees: [InspectedTree]
    /// The name of the user; nil if all processes are those of this user.
    let user: String?
  }

  func run() async throws {
    var (found, isComplete) = try await find()
    if found.isEmpty && isComplete {
      live.note(match.map { "no tree matches '\($0)'" } ?? "no process shows its trees")
    }
    if summary {
      var summaries: [TreesSummary] = []
      for found in found {
        var summary = TreesSummary(of: found.process)
        let reading = TreeReading(process: found.process, live: live)
        do {
          if try await !reading.read(found.trees, { summary.add($0, $1) }) { isComplete = false }
          summaries.append(summary)
        } catch let failure as Failure {
          isComplete = false
          live.note("\(found.process.title): \(failure.message)")
        }
      }
      try StandardOutput.write(format == .json ? try PsCommand.json(summaries) : TreesSummary.text(summaries))
    } else {
      try StandardOutput.write(format == .json ? try json(found) : text(found))
    }
    if !isComplete { throw ExitCode(1) }
  }

  /// Asks all processes for their trees, at once. Prints a note about each that does not answer.
  private func find() async throws -> ([Found], isComplete: Bool) {
    let processes = try await live.processes()
    let answers = await withTaskGroup(of: (Int, Result<[InspectedTree], InspectorError>).self) { group in
      for (index, process) in processes.enumerated() {
        group.addTask { [client = live.client(of: process)] in
          // Swift 6.3.1 with -O corrupts the first element of a tuple whose second element is awaited and may throw.
          let trees = await PsCommand.trees(client)
          return (index, trees)
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    let users = processes.map(\.user)
    let hasOthers = users.contains { $0 != geteuid() }
    var found: [Found] = []
    var isComplete = true
    for (index, process) in processes.enumerated() {
      switch answers[index] {
      case .success(let trees):
        let chosen = trees.filter(isMatching)
        if chosen.isEmpty && match != nil { continue }
        found.append(Found(process: process, trees: chosen, user: hasOthers ? PsCommand.name(of: users[index]) : nil))
      case .failure(let error):
        isComplete = false
        live.note("\(process.title): \(error.description)")
      case nil: break
      }
    }
    return (found, isComplete)
  }

  private static func trees(_ client: InspectorClient) async -> Result<[InspectedTree], InspectorError> {
    do throws(InspectorError) {
      let trees = try await client.trees()
      return .success(trees)
    } catch {
      return .failure(error)
    }
  }

  private func isMatching(_ tree: InspectedTree) -> Bool {
    guard let match else { return true }
    return ([tree.name] + tree.labels.map { "\($0)=\($1)" }).contains {
      $0.range(of: match, options: .caseInsensitive) != nil
    }
  }

  private static func name(of user: uid_t?) -> String {
    guard let user else { return "-" }
    return getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? String(user)
  }

  private func text(_ found: [Found]) -> String {
    guard !found.isEmpty else { return "" }
    let hasLabels = found.contains { $0.trees.contains { !$0.labels.isEmpty } }
    let hasUsers = found.contains { $0.user != nil }
    let hasBusy = found.contains { $0.trees.contains { $0.busy != nil } }
    var table = Table(
      (hasUsers ? ["USER"] : []) + ["PID", "PROGRAM", "TREE", "ROOT", "AGE"] + (hasBusy ? ["BUSY"] : [])
        + [hasLabels ? "LABELS" : ""])
    for found in found {
      let start = (hasUsers ? [found.user ?? "-"] : []) + [String(found.process.id), found.process.name.oneLine]
      if found.trees.isEmpty { table.add(start + ["-", "-", "-"] + (hasBusy ? ["-"] : []) + [""]) }
      for tree in found.trees {
        let busy = hasBusy ? [tree.busy?.oneLine ?? "-"] : []
        table.add(start + [String(tree.id), tree.name.oneLine, tree.ageText] + busy + [tree.labelText.oneLine])
      }
    }
    return table.text()
  }

  private struct Listed: Encodable {
    let pid: Int32
    let program: String
    let socket: String
    let trees: [InspectedTree]
  }

  private func json(_ found: [Found]) throws -> String {
    try PsCommand.json(
      found.map {
        Listed(pid: $0.process.id, program: $0.process.name, socket: $0.process.socketPath, trees: $0.trees)
      })
  }

  private static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  }
}

extension InspectedProcess {
  /// The user of the process; nil if its socket is gone.
  fileprivate var user: uid_t? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: socketPath)
    return (attributes?[.ownerAccountID] as? NSNumber)?.uint32Value
  }
}

extension InspectedTree {
  /// The age, such as `2m 5s`.
  var ageText: String {
    Duration.seconds(age.rounded(.down)).formatted(
      .units(allowed: [.days, .hours, .minutes, .seconds], width: .narrow, maximumUnitCount: 2))
  }
}
