import ArgumentParser
import Foundation
import Generation
import SourceTree

/// `ribs tree`.
struct TreeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tree",
    abstract: "Show the tree of RIBs as the sources have it.",
    discussion: """
      Reads Swift files and tells which RIB attaches which: a RIB is the child of another if that one's router builds and \
      attaches it, through whatever property, builder, component, factory or container of children. Nothing has to \
      compile. Tests are left out.

      There are three kinds of edges, of which each pair of RIBs has the one that says most:
        tree       its router builds the other RIB and attaches it
        di         its component or builder provides for it; another one attaches it
        listener   its interactor listens to it, and that is all

      A RIB with several parents stands below each of them, what is below it once. What could not be resolved is printed on \
      standard error: files that are no Swift, and children that could not be resolved. A RIB behind a builder that is not \
      in the sources is shown as such.

      Examples:
        ribs tree Sources/App --root Order --depth 2
        ribs tree --edges tree,di,listener --format dot | dot -Tsvg > tree.svg
        ribs tree --format markdown > TREE.md
        ribs tree --check TREE.md   fails when the tree is another, and shows how

      With --summary, what a RIB is for stands beside its name: the text of a comment '// SUMMARY: …' before its builder \
      or router, or the first sentence of their documentation. The list that --format markdown writes is one that \
      'ribs scaffold' reads.
      """)

  @Argument(help: "Folders or files to read. (default: the current folder)", completion: .file())
  var paths: [String] = []

  @Option(help: ArgumentHelp("Begin at this RIB.", valueName: "rib"))
  var root: String?

  @Option(help: "How many levels to show below the root.")
  var depth: Int?

  @Option(help: ArgumentHelp("RIBs to leave out with what is only below them, with commas between.", valueName: "ribs"))
  var exclude: String?

  @Option(
    help: ArgumentHelp("The kinds of edges to follow: tree, di, listener, with commas between.", valueName: "kinds"))
  var edges = "tree"

  @Flag(help: "Say what the RIBs are for.")
  var summary = false

  @Option(
    help: ArgumentHelp("The form to write. (default: text, or that of the file to check)", valueName: "format"))
  var format: SourceTreeFormat?

  @Option(
    help: ArgumentHelp("Compare with a file that was written before; exit with 1 if it differs.", valueName: "file"),
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
    guard let check, let expected else { return print(tree, terminator: "") }
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

  private func edgeKinds() throws -> Set<RIBGraph.EdgeKind> {
    let kinds = try names(in: edges).map { name in
      guard let kind = RIBGraph.EdgeKind(rawValue: name) else {
        throw Failure.usage("'\(name)' is no kind of edge; there are: tree, di, listener")
      }
      return kind
    }
    if kinds.isEmpty { throw Failure.usage("--edges names no kind; there are: tree, di, listener") }
    return Set(kinds)
  }

  private func names(in list: String?) -> [String] {
    (list ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  private func nodes(_ name: String, in graph: RIBGraph) throws -> [Int] {
    let found = graph.nodes.indices.filter { graph.nodes[$0].title == name || graph.nodes[$0].name == name }
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
