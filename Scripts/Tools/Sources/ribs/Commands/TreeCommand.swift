// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Generation
import SourceTree

/// `ribs tree`.
struct TreeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tree",
    abstract: "Print the tree of RIBs from source code.",
    discussion: """
      Reads Swift files and finds which RIB attaches which. A RIB is the child of another one whose router builds and \
      attaches it, through a property, builder, component, factory or container. The code does not have to compile. \
      Excludes tests.

      There are four kinds of edges. Each pair of RIBs has the first one that applies:
        tree         the parent's router builds the child and attaches it
        unattached   the parent's router builds the child and never attaches it, which is a mistake
        di           the parent's component or builder provides for the child, and another RIB attaches it
        listener     the parent's interactor only listens to the child

      A RIB with several parents is listed below each of them, but its subtree only once. Prints syntax errors, and \
      attached children that could not be resolved, to standard error. A RIB whose builder is not in the sources is \
      marked as such. Exits with 73 if it could not read a file, and names it.

      Examples:
        ribs tree Sources/App --root Order --depth 2
        ribs tree --edges tree,di,listener --format dot | dot -Tsvg > tree.svg
        ribs tree --format markdown > TREE.md
        ribs tree --check TREE.md   fails if the tree has changed, and prints the difference

      With --summary, prints the summary of each RIB: the text of a comment '// SUMMARY: …' before its builder or router, \
      or the first sentence of their documentation. 'ribs scaffold' reads the list that --format markdown writes.
      """)

  @Argument(help: "Folders or files to read. (default: the current folder)", completion: .file())
  var paths: [String] = []

  @Option(help: ArgumentHelp("The root of the printed tree.", valueName: "rib"))
  var root: String?

  @Option(help: "The number of levels below the root.")
  var depth: Int?

  @Option(
    help: ArgumentHelp(
      "RIBs to omit, including subtrees reachable only through them, separated by commas.", valueName: "ribs"))
  var exclude: String?

  @Option(
    help: ArgumentHelp("The kinds of edges to follow, separated by commas.", valueName: "kinds"))
  var edges = "tree,unattached"

  @Flag(help: "Print the summaries of RIBs.")
  var summary = false

  @Option(
    help: ArgumentHelp("The output format. (default: text, or that of the file to check)", valueName: "format"))
  var format: SourceTreeFormat?

  @Option(
    help: ArgumentHelp("Compare with a file written before. Exits with 1 if it differs.", valueName: "file"),
    completion: .file())
  var check: String?

  @OptionGroup var reading: ReadingOptions

  func validate() throws {
    if let depth, depth < 0 { throw ValidationError("--depth can't be negative.") }
  }

  func run() async throws {
    let kinds = try edgeKinds()
    let expected = try check.map { try committed($0) }
    let scan = try await reading.scan(paths)
    let graph = GraphBuilder(scan.files).graph()
    let selection = Selection(
      graph, root: try root.map { try node($0, in: graph) }, depth: depth,
      excluded: Set(try names(in: exclude).flatMap { try nodes($0, in: graph) }), kinds: kinds, hasSummaries: summary)
    for gap in graph.gaps { reading.note("\(gap.path):\(gap.line): \(gap.message)") }
    if graph.nodes.isEmpty {
      reading.note("there are no RIBs in what was read: \(scan.count) Swift \(scan.count == 1 ? "file" : "files")")
    }
    let format = format ?? check.map { SourceTreeFormat(ofFile: $0) } ?? .text
    let tree = try selection.rendered(as: format)
    guard let check, let expected else {
      print(tree, terminator: "")
      return try reading.refuseUnread(scan)
    }
    try reading.refuseUnread(scan)
    // Line numbers change with every edit, so the comparison ignores them in JSON.
    let isSame = format == .json ? Self.withoutLines(tree) == Self.withoutLines(expected) : tree == expected
    if isSame { return reading.say("\(check) is up to date") }
    print(UnifiedDiff.text(path: check, before: expected, after: tree), terminator: "")
    throw ExitCode(1)
  }

  private static func withoutLines(_ json: String) -> [Substring] {
    json.split(separator: "\n").filter { $0.prefixMatch(of: #/ *"line" : [0-9]+,?/#) == nil }
  }

  private func committed(_ path: String) throws -> String {
    guard let text = try? String(contentsOf: URL(filePath: path, relativeTo: Folder.current), encoding: .utf8) else {
      throw Failure.missing("there is no file '\(path)' to compare with; write one with: ribs tree … > \(path)")
    }
    return text
  }

  private static var kinds: String { RIBGraph.EdgeKind.allCases.map(\.rawValue).joined(separator: ", ") }

  private func edgeKinds() throws -> Set<RIBGraph.EdgeKind> {
    let kinds = try names(in: edges).map { name in
      guard let kind = RIBGraph.EdgeKind(rawValue: name) else {
        throw Failure.usage("'\(name)' is no kind of edge; there are: \(Self.kinds)")
      }
      return kind
    }
    if kinds.isEmpty { throw Failure.usage("--edges names no kind; there are: \(Self.kinds)") }
    return Set(kinds)
  }

  private func names(in list: String?) -> [String] {
    (list ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  private func nodes(_ name: String, in graph: RIBGraph) throws -> [Int] {
    let ids = graph.ids
    let found = graph.nodes.indices.filter { [graph.nodes[$0].title, graph.nodes[$0].name, ids[$0]].contains(name) }
    if !found.isEmpty { return found }
    let near = Suggestion.nearest(to: name, among: graph.nodes.map(\.name))
    throw Failure.missing("there is no RIB '\(name)' here\(near.map { "; did you mean '\($0)'?" } ?? "")")
  }

  private func node(_ name: String, in graph: RIBGraph) throws -> Int {
    let found = try nodes(name, in: graph)
    if found.count == 1 { return found[0] }
    throw Failure.usage(
      "there are \(found.count) RIBs '\(name)': \(found.map { "'\(graph.nodes[$0].title)'" }.joined(separator: ", "))")
  }
}

extension SourceTreeFormat: ExpressibleByArgument {}
