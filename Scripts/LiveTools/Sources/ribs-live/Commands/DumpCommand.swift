// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import RIBs
import RIBsInspector

/// `ribs dump`.
struct DumpCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Print the trees of a running process, or of a recording.",
    discussion: """
      Takes a snapshot of each tree, which blocks it for less than a microsecond per RIB, and prints it. As text, prints \
      all trees of the process. Every other format prints one tree, which --tree selects if there are several.

      Examples:
        ribs dump
        ribs dump taxi --tree 3 --under LoggedIn/Order
        ribs dump taxi --tree user-17
        ribs dump orders.ribs --tree 3 --at 12.345
        ribs dump orders.ribs --tree 3 --format html --output orders.html
        ribs dump 4711 --depth 2 --ascii
        ribs dump 4711 --format html --output tree.html
        ribs dump 4711 --format dot | dot -Tsvg > tree.svg

      In place of a process, prints the trees of a recording at a time since the launch of each, as events print it, or \
      after an event, as 'ribs replay' numbers them (event:17); without --at, at the end of what is recorded.

      With --format html, a recorded tree becomes a page with a slider, which plays the recording in any browser. It \
      has \(StandalonePage.limits), those around --at or else the last ones. With --under or --depth, it shows one \
      moment only.

      'TreeSnapshot(json:)' reads the output of --format json.

      Exit status: 0 success; 1 a tree does not answer; 64 the process or tree is ambiguous; 65 the file is not a \
      recording, or a tree in it can't be read; 66 no such process, file, tree or RIB; 73 the directory of the sockets \
      is not safe, or the file can't be written; 74 standard output can't be written.
      """)

  @OptionGroup var choice: ProcessChoice
  @OptionGroup var part: TreeChoice

  @Option(help: ArgumentHelp("With a recording: the time or event to show.", valueName: "moment"))
  var at: Moment?

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
    if at != nil && choice.process == nil { throw ValidationError("--at needs the file of a recording.") }
  }

  func run() async throws {
    if let path = choice.process, at != nil || RecordingFile.isNamed(by: path) {
      return try dump(RecordingFile(path, choice.live.output))
    }
    let process = try await choice.found()
    let client = choice.live.client(of: process)
    let deadline = ContinuousClock.now + .seconds(1)
    while true {
      let trees = try await answer { () throws(InspectorError) in try await client.trees() }
      let meant = try chosen(trees, process)
      var printer = Printer(file: output)
      let colors = output == nil ? Colors.standard : Colors(isOn: false)
      var hasAnswer = false
      let isComplete = try await TreeReading(process: process, live: choice.live).read(meant) { tree, snapshot in
        hasAnswer = true
        guard let shown = snapshot.part(part.under) else { return }
        let heading = meant.count > 1 ? colors(.bold, "Tree \(tree.id)") + "\n" : ""
        try printer.print(heading + drawn(shown, title: title(of: tree, in: process)))
      }
      if hasAnswer {
        guard printer.hasOutput else {
          let place = meant.count > 1 ? "the trees" : "tree \(meant[0].id)"
          throw Failure.missing("there is no RIB '\(part.under ?? "")' in \(place) of \(process.title)")
        }
        try printer.finish()
        if !isComplete { throw ExitCode(1) }
        return
      }
      // Trees may start and end quickly.
      guard isComplete, part.tree == nil, ContinuousClock.now < deadline else { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw Failure.missing(
      part.tree.map { "tree \($0.text) of \(process.title) has ended, or does not answer" }
        ?? "\(process.title) shows no tree now")
  }

  /// Prints trees of a recording.
  private func dump(_ file: RecordingFile) throws {
    let trees = file.recording.trees
    let meant =
      format == .text
      ? try part.found(in: trees, of: file.title) : [try part.foundOne(in: trees, of: file.title)]
    var printer = Printer(file: output)
    let colors = output == nil ? Colors.standard : Colors(isOn: false)
    var unreadable: [String] = []
    for tree in meant {
      let moment = at ?? .time(tree.lastTime)
      let snapshot: TreeSnapshot
      do {
        snapshot = try file.snapshot(of: tree, at: moment)
      } catch let failure as Failure where meant.count > 1 {
        // With several trees, skip those that are not recorded at this time.
        if case .missing = failure { continue }
        unreadable.append("tree \(tree.id) of \(file.title): \(failure.message)")
        continue
      }
      guard let shown = snapshot.part(part.under) else { continue }
      if format == .html, part.under == nil, part.depth == nil {
        let page = try StandalonePage(of: tree, in: file.recording, at: at)
        if let note = page.note { choice.live.output.note(note) }
        try printer.print(page.html)
        continue
      }
      let title = "\(tree.name.oneLine), tree \(tree.id) of \(file.title), \(moment.phrase)"
      let heading = meant.count > 1 ? colors(.bold, "Tree \(tree.id), \(moment.phrase)") + "\n" : ""
      try printer.print(heading + drawn(shown, title: title))
    }
    guard printer.hasOutput || !unreadable.isEmpty else {
      let what = part.under.map { "RIB '\($0)'" } ?? "tree"
      let place = meant.count == 1 ? "tree \(meant[0].id) of \(file.title)" : file.title
      throw Failure.missing("there is no \(what) in \(place)" + (at.map { " \($0.phrase)" } ?? ""))
    }
    try printer.finish()
    guard unreadable.isEmpty else { throw Failure.malformed(unreadable.joined(separator: "; ")) }
  }

  /// The trees to print: none if the process shows none now.
  private func chosen(_ trees: [InspectedTree], _ process: InspectedProcess) throws -> [InspectedTree] {
    if trees.isEmpty && part.tree == nil { return [] }
    return format == .text ? try part.found(in: trees, of: process) : [try part.foundOne(in: trees, of: process)]
  }

  /// Prints trees, separated by empty lines.
  private struct Printer {
    /// The output file, written at the end; nil for standard output, which gets each tree as it comes.
    let file: String?
    private var text = ""
    private(set) var hasOutput = false

    init(file: String?) { self.file = file }

    mutating func print(_ tree: String) throws {
      let part = hasOutput ? "\n" + tree : tree
      hasOutput = true
      if file == nil { try StandardOutput.write(part) } else { text += part }
    }

    func finish() throws {
      guard let file else { return }
      do {
        try Data(text.utf8).write(to: URL(filePath: file, relativeTo: LiveTool.folder), options: .atomic)
      } catch {
        throw Failure.refused("'\(file)' can't be written: \(error.systemReason)")
      }
    }
  }

  private func title(of tree: InspectedTree, in process: InspectedProcess) -> String {
    let labels = tree.labels.isEmpty ? "" : " (\(tree.labelText))"
    return "\(tree.name)\(labels), tree \(tree.id) of \(process.title)"
  }

  private func drawn(_ snapshot: TreeSnapshot, title: String) -> String {
    switch format {
    case .text: snapshot.text(.standard(ascii: ascii, toFile: output != nil), depth: part.depth)
    case .html: snapshot.html(title: title, depth: part.depth)
    default: snapshot.rendered(as: format, depth: part.depth)
    }
  }
}

extension TreeFormat: @retroactive ExpressibleByArgument {}

extension TreeSnapshot {
  /// The subtree at a RIB, or the whole tree for nil; nil if there is no such RIB.
  func part(_ place: String?) -> TreeSnapshot? { place.map { subtree($0) } ?? self }
}
