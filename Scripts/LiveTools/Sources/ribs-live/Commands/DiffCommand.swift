// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import RIBs
import RIBsInspector

/// `ribs diff`.
struct DiffCommand: AsyncParsableCommand {
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare a recorded tree at two times.",
    discussion: """
      Prints a line for each RIB that differs: '+' attached, '-' detached, '>' moved, '~' changed in its state, tasks, \
      workers, subscriptions or summary. Ages are not compared.

      Times are seconds since the launch of the tree, as events print them, or event:17: after the event with this \
      number, as 'ribs replay' prints it.

      Examples:
        ribs diff orders.ribs 0 12.345
        ribs diff orders.ribs event:16 event:17
        ribs diff orders.ribs 60 61 --tree order-17 --format json

      Exit status: 0 no difference; 1 differences; 64 the tree is ambiguous; 65 the file is not a recording; 66 no such \
      file, tree or RIB, or the tree is not recorded at this time.
      """)

  @Argument(help: "The recording.", completion: .file(extensions: ["ribs"]))
  var file: String

  @Argument(help: ArgumentHelp("The first time.", valueName: "seconds"))
  var before: Moment

  @Argument(help: ArgumentHelp("The second time.", valueName: "seconds"))
  var after: Moment

  @Option(help: ArgumentHelp("The tree, by its number or its name. (default: the only one)", valueName: "tree"))
  var tree: TreeName?

  @Option(help: "The output format.")
  var format = Format.text

  @Flag(help: "With --format text, use only ASCII characters.")
  var ascii = false

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if ascii && format != .text { throw ValidationError("--ascii needs --format text.") }
  }

  func run() async throws {
    let file = try RecordingFile(file, output)
    var choice = TreeChoice()
    choice.tree = tree
    let tree = try choice.foundOne(in: file.recording.trees, of: file.title)
    let difference = TreeDifference(
      from: try file.snapshot(of: tree, at: before), to: try file.snapshot(of: tree, at: after))
    try StandardOutput.write(format == .json ? difference.json() : difference.text(.standard(ascii: ascii)))
    if !difference.isEmpty { throw ExitCode(1) }
  }
}
